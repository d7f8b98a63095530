/** Which sample is heard at a moment: what the player reported, and when the device plays it. */
import type { Report } from "./messages";

/** As `AudioContext.getOutputTimestamp`: the context's time (s) that leaves the device at `performanceTime` (ms). */
export interface Output {
  contextTime: number;
  performanceTime: number;
}

const KEPT_S = 2;
const SMOOTHED = 0.05; // of a new reading of the device's clock: readings are coarse, clocks drift slowly
const JUMP_S = 0.05; // beyond this a reading is taken as it is

export class Playhead {
  private reports: Report[] = [];
  private shift = NaN; // context time minus performance time, s

  get known(): boolean {
    return this.reports.length > 0 && !Number.isNaN(this.shift);
  }

  report(report: Report): void {
    this.reports.push(report);
    while (this.reports.length > 2 && this.reports[1]!.time < report.time - KEPT_S) this.reports.shift();
  }

  /** Take a reading of the device's clock. */
  read(output: Output): void {
    const shift = output.contextTime - output.performanceTime / 1000;
    const apart = shift - this.shift;
    this.shift = Math.abs(apart) < JUMP_S ? this.shift + SMOOTHED * apart : shift;
  }

  /** The sample heard at `ms` of the page's clock; NaN before anything is known. */
  at(ms: number): number {
    const time = ms / 1000 + this.shift;
    const next = this.reports.findIndex((each) => each.time > time);
    const index = next < 0 ? this.reports.length - 1 : Math.max(0, next - 1);
    const from = this.reports[index];
    if (!from) return NaN;
    const until = this.reports[index + 1]?.time ?? Infinity;
    return from.sample + (Math.min(time, until) - from.time) * from.rate;
  }

  /** When (ms) `sample` is heard, as far as it was played; NaN otherwise. The last time counts. */
  when(sample: number): number {
    const from = this.reports.findLast((each) => each.sample <= sample && each.rate > 0);
    return from ? (from.time + (sample - from.sample) / from.rate - this.shift) * 1000 : NaN;
  }

  reset(): void {
    this.reports = [];
  }
}
