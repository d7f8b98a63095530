/** The sound of a session on its one clock, as far as it is known, and the place where it is heard now. */
import { CLOCK_HZ, Sinc } from "./sinc";

const CAPACITY = 1 << 20; // samples, 43 s: more than a server gives out ahead
const FADE = 0.005 * CLOCK_HZ; // a cut sounds like a click otherwise

export class Line {
  /** The sample that is heard next; NaN before anything came. */
  position = NaN;
  /** The sample after the last that is known. */
  end = 0;
  /** How often sound came after its time while there was sound to be heard. */
  underruns = 0;
  private readonly ring = new Float32Array(CAPACITY);
  private readonly sinc: Sinc;
  private readonly step: number;
  private voiced = -Infinity; // the end of the last sound that is no silence

  /** `rate`: Hz of what is played. */
  constructor(rate: number) {
    this.sinc = new Sinc(CLOCK_HZ, rate);
    this.step = CLOCK_HZ / rate;
  }

  /** Whether nothing is known any more, so that the clock stands. */
  get held(): boolean {
    return !(this.position < this.end);
  }

  /** Put sound at `start`, in place of all that lay later. Returns whether the clock was set. */
  put(start: number, samples: Float32Array): boolean {
    if (this.held && start === this.end && this.voiced === start) this.underruns++;
    const set = this.aim(start);
    this.cut(start);
    const room = Math.max(0, Math.floor(this.position) + CAPACITY / 2 - start);
    const first = Math.max(0, Math.ceil(this.position) - start);
    const last = Math.min(samples.length, room);
    for (let at = first; at < last; at++) this.ring[(start + at) & (CAPACITY - 1)] = samples[at]!;
    this.end = Math.max(this.end, start + last);
    this.voiced = this.end;
    return set;
  }

  /** Let nothing be heard for `length` samples from `start`, in place of all that lay later. */
  rest(start: number, length: number): boolean {
    const set = Number.isNaN(this.position) || (this.held && start > this.position);
    if (set) this.position = start;
    this.cut(start);
    this.end = Math.max(this.end, Math.min(start + length, Math.floor(this.position) + CAPACITY / 2));
    return set;
  }

  /** Forget what lies at `start` and later, softly where it is being heard. */
  cut(start: number): void {
    if (Number.isNaN(this.position) || start >= this.end) return;
    const from = Math.max(start, Math.ceil(this.position));
    const fades = this.voiced > from;
    for (let at = from; at < this.end; at++) {
      const left = 1 - (at - from + 1) / FADE;
      this.ring[at & (CAPACITY - 1)]! *= Math.max(0, left);
    }
    this.end = fades ? Math.min(this.end, from + FADE) : from;
    this.voiced = Math.min(this.voiced, from);
  }

  /** Fill one block of what is played. */
  read(block: Float32Array): void {
    for (let at = 0; at < block.length; at++) {
      if (this.held) {
        block[at] = 0;
        continue;
      }
      block[at] = this.sinc.at(this.ring, this.position);
      this.position += this.step;
      this.wipe();
    }
  }

  /** Sound that begins before what is heard now is still heard whole where only silence lay since. */
  private aim(start: number): boolean {
    const late = start < this.position && this.voiced <= start;
    const ahead = this.held && start > this.position;
    if (!Number.isNaN(this.position) && !late && !ahead) return false;
    this.position = start;
    return true;
  }

  /** What was heard long ago becomes silence: the ring comes round to it again. */
  private wipe(): void {
    this.ring[(Math.floor(this.position) - CAPACITY / 4) & (CAPACITY - 1)] = 0;
  }
}
