/** For machines that need long for a picture: it is drawn before its moment, and shown when that comes. */

const KEPT = 24; // pictures by which the time for one is judged
const SURE = 0.9; // of them are ready in time
const LONGEST_MS = 2000;
const HALF_MS = 8; // of the time between two pictures of the page
const SPARE_MS = 12;
const PAUSE = 2; // pictures of the page between showing one and drawing the next, so that it is really seen

interface Prepared {
  begun: number;
  due: number; // ms
  sample: number;
  done: () => boolean;
  timed: boolean;
  stale: boolean;
}

export class Ahead {
  private took: number[] = [];
  private prepared?: Prepared;
  private pause = 0;

  /** How long from the beginning of a picture to its moment, ms. */
  get lead(): number {
    const sorted = [...this.took].sort((a, b) => a - b);
    return (sorted[Math.floor(SURE * sorted.length)] ?? 200) + SPARE_MS;
  }

  /** What is being drawn belongs to another clock, or another face, by now. */
  drop(from = -Infinity): void {
    if (this.prepared && this.prepared.sample >= from) this.prepared.stale = true;
  }

  /** Whether the next picture may be begun. */
  get free(): boolean {
    return this.prepared === undefined && this.pause-- <= 0;
  }

  /** A picture of `sample` was begun that is to be seen at `due`. */
  begin(begun: number, due: number, sample: number, done: () => boolean): void {
    this.prepared = { begun, due, sample, done, timed: false, stale: false };
  }

  /** The sample of the picture to be shown now, if one is ready and its moment is there; `lag`: until it is seen. */
  ready(now: number, lag: number): number | undefined {
    const next = this.prepared;
    if (!next || (!next.timed && !next.done())) return undefined;
    if (!next.timed) this.note(now - next.begun);
    next.timed = true;
    if (next.stale) this.prepared = undefined;
    if (next.stale) return undefined;
    if (now + lag < next.due - HALF_MS) return undefined;
    this.prepared = undefined;
    this.pause = PAUSE;
    return next.sample;
  }

  private note(took: number): void {
    this.took.push(Math.min(LONGEST_MS, took));
    if (this.took.length > KEPT) this.took.shift();
  }
}
