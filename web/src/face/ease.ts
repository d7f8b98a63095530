/** Nothing in a face jumps: where its source changes, the difference fades. */
import type { Row } from "./row";

export class Ease {
  private shown?: Row;
  private apart?: Row;
  private since = 0;

  constructor(private readonly fade_ms = 150) {}

  /** What is given from now on comes from elsewhere than before. */
  jump(now: number): void {
    this.apart = this.shown;
    this.since = now;
    this.pending = true;
  }

  /** The row to be shown at `now` (ms). */
  next(row: Row, now: number): Row {
    if (this.pending && this.apart) this.apart = this.apart.map((value, index) => value - row[index]!);
    this.pending = false;
    const left = this.apart ? 1 - (now - this.since) / this.fade_ms : 0;
    if (left <= 0) this.apart = undefined;
    const shift = this.apart;
    this.shown = shift ? row.map((value, index) => value + left * left * (3 - 2 * left) * shift[index]!) : row;
    return this.shown;
  }

  private pending = false;
}
