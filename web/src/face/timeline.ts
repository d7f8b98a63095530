/** The frames of a face on the session's clock: what begins at a sample takes the place of all that lay later. */
import { FRAME } from "./rate";
import { type Row, mix } from "./row";

const KEPT = 120; // frames before the one that is shown
const MOST = 60 * 60; // frames: a minute; a server gives seconds ahead

export class Timeline {
  private samples: number[] = [];
  private rows: Row[] = [];

  /** Put frames, the first at `start`; returns whether what is shown at `now` changed. */
  put(start: number, rows: Row[], now: number): boolean {
    const changed = this.cut(start, now);
    for (const [index, row] of rows.entries()) {
      if (this.rows.length === MOST) break;
      this.samples.push(start + index * FRAME);
      this.rows.push(row);
    }
    return changed;
  }

  /** Forget what lies at `start` and later; returns whether that was shown at `now`. */
  cut(start: number, now: number): boolean {
    const keep = this.after(start - 1);
    const changed = keep < this.rows.length && start <= now;
    this.samples.length = this.rows.length = keep;
    return changed;
  }

  /** The face at a sample, linear between frames, held before the first and after the last. */
  at(sample: number): Row | undefined {
    const next = this.after(sample);
    const [low, high] = [this.rows[next - 1], this.rows[next]];
    if (!low || !high) return low ?? high;
    const from = this.samples[next - 1]!;
    const apart = this.samples[next]! - from;
    return apart > 2 * FRAME ? low : mix(low, high, (sample - from) / apart);
  }

  /** Forget what was shown long before `sample`. */
  trim(sample: number): void {
    const drop = this.after(sample) - KEPT;
    if (drop < KEPT) return;
    this.samples.splice(0, drop);
    this.rows.splice(0, drop);
  }

  clear(): void {
    this.samples = [];
    this.rows = [];
  }

  /** The index of the first frame later than `sample`. */
  private after(sample: number): number {
    let [low, high] = [0, this.samples.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.samples[middle]! <= sample) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
