/** A stream of sound at one rate becomes one at another. */
import { Sinc } from "./sinc";

const RING = 1 << 13;

export class Resampler {
  private readonly sinc: Sinc;
  private readonly step: number;
  private readonly ring = new Float32Array(RING);
  private written = 0;
  private position = 0;

  constructor(from: number, to: number) {
    this.sinc = new Sinc(from, to);
    this.step = from / to;
  }

  /** Take up to 4,096 samples; `each` hears those that can be told now, the last few milliseconds come later. */
  push(samples: Float32Array, each: (value: number) => void): void {
    for (const value of samples) this.ring[this.written++ & (RING - 1)] = value;
    while (this.position + this.sinc.reach < this.written) {
      each(this.sinc.at(this.ring, this.position));
      this.position += this.step;
    }
    if (this.position > RING) this.rebase();
  }

  /** Keep numbers small, so that days of sound keep their phase. */
  private rebase(): void {
    const back = Math.floor(this.position / RING) * RING - RING;
    this.position -= back;
    this.written -= back;
  }
}
