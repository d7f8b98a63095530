/** Hears the microphone: packets of 20 ms at 24 kHz. */
import type { Heard, ToCapture } from "./messages";
import { Resampler } from "./resampler";
import { CLOCK_HZ } from "./sinc";

const PACKET = 0.02 * CLOCK_HZ;
const TRAIL = 60; // packets of silence after the microphone was shut, so that a turn finds its end

class Capture extends AudioWorkletProcessor {
  private readonly resampler = new Resampler(sampleRate, CLOCK_HZ);
  private packet = new Int16Array(PACKET);
  private filled = 0;
  private power = 0;
  private open = true;
  private trail = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<ToCapture>) => {
      if (this.open && !data.open) this.trail = TRAIL;
      this.open = data.open;
    };
  }

  process(inputs: Float32Array[][]): boolean {
    const block = inputs[0]?.[0];
    if (block) this.resampler.push(block, (value) => this.add(value));
    return true;
  }

  private add(value: number): void {
    const heard = this.open ? Math.max(-1, Math.min(1, value)) : 0;
    this.packet[this.filled++] = Math.round(heard * 32767);
    this.power += heard * heard;
    if (this.filled === PACKET) this.send();
  }

  private send(): void {
    if (this.open || this.trail-- > 0) {
      const said: Heard = { samples: this.packet, level: Math.sqrt(this.power / PACKET) };
      this.port.postMessage(said, [this.packet.buffer]);
      this.packet = new Int16Array(PACKET);
    }
    this.filled = this.power = 0;
  }
}

registerProcessor("mien-capture", Capture);
