/** Plays a session's sound, and tells which sample is played when. */
import { Line } from "./line";
import type { Report, ToPlayer } from "./messages";
import { CLOCK_HZ } from "./sinc";

const EVERY = 8; // blocks of 128 samples between two reports

class Player extends AudioWorkletProcessor {
  private line = new Line(sampleRate);
  private blocks = 0;
  private told = NaN;
  private stood = true;
  private taken = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<ToPlayer>) => this.take(data);
  }

  process(_: Float32Array[][], outputs: Float32Array[][]): boolean {
    const [first, ...others] = outputs[0] ?? [];
    if (!first) return true;
    const before = this.line.position;
    const held = this.line.held;
    if (before !== this.told || held !== this.stood || this.blocks % EVERY === 0) this.report(held);
    this.line.read(first);
    for (const each of others) each.set(first);
    this.told = held ? before : before + (first.length * CLOCK_HZ) / sampleRate; // unless the clock is set anew
    this.stood = held;
    this.blocks++;
    return true;
  }

  private take(said: ToPlayer): void {
    this.taken++;
    if (said.kind === "put") this.line.put(said.start, said.samples);
    else if (said.kind === "rest") this.line.rest(said.start, said.length);
    else if (said.kind === "cut") this.line.cut(said.start);
    else if (said.kind === "stop") this.line.cut(Math.ceil(this.line.position));
    else this.line = new Line(sampleRate);
  }

  private report(held: boolean): void {
    if (Number.isNaN(this.line.position)) return;
    const { position: sample, underruns } = this.line;
    const report: Report = { time: currentTime, sample, rate: held ? 0 : CLOCK_HZ, taken: this.taken, underruns };
    this.port.postMessage(report);
  }
}

registerProcessor("mien-player", Player);
