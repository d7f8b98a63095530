/** How well the face keeps time with the sound, as it is seen. */
const KEPT = 240; // pictures
const LEARNS = 0.15;
const LAGS = 11;
const LONGEST_MS = 2000; // a page that was hidden draws nothing
const AHEAD = 2; // pictures between drawing and seeing

interface Drawn {
  at: number;
  sample: number;
  seen: () => boolean;
}

export interface Figures {
  fps: number;
  /** The face that was shown against the sound heard at that moment, ms; positive: the face came first. */
  offset_ms: number;
  /** Of its absolute value, the median and the 95th percentile; NaN before anything was spoken. */
  p50_ms: number;
  p95_ms: number;
}

export class Measure {
  /** From drawing to seeing, ms, as it mostly was lately. */
  lag = 20;
  private lags: number[] = [];
  private waiting: Drawn[] = [];
  private offsets: number[] = [];
  private between = 1000 / 60;
  private before = NaN;

  /** A new picture is due; `clock` gives the sample heard at a moment, `counts` says whether it is one to be judged. */
  tick(now: number, clock: (ms: number) => number, counts: boolean): void {
    while (this.waiting[0]?.seen()) this.seen(this.waiting.shift()!, now, clock(now), counts);
  }

  /** Whether enough pictures are under way: more would only make all of them late. */
  get full(): boolean {
    return this.waiting.length >= AHEAD;
  }

  /** A picture of the face at `sample` was drawn. */
  drew(at: number, sample: number, seen: () => boolean): void {
    const passed = at - this.before;
    if (passed < LONGEST_MS) this.between += LEARNS * (passed - this.between);
    this.before = at;
    this.waiting.push({ at, sample, seen });
  }

  figures(): Figures {
    const sorted = this.offsets.map(Math.abs).sort((a, b) => a - b);
    const mean = this.offsets.reduce((sum, each) => sum + each, 0) / this.offsets.length;
    const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? NaN;
    return { fps: 1000 / this.between, offset_ms: mean, p50_ms: at(0.5), p95_ms: at(0.95) };
  }

  private seen(drawn: Drawn, now: number, heard: number, counts: boolean): void {
    if (now - drawn.at < LONGEST_MS) this.learn(now - drawn.at);
    const offset = (drawn.sample - heard) / 24;
    if (!counts || Number.isNaN(offset)) return;
    this.offsets.push(offset);
    if (this.offsets.length > KEPT) this.offsets.shift();
  }

  /** The median: a machine that stood once is not slow. */
  private learn(lag: number): void {
    this.lags.push(lag);
    if (this.lags.length > LAGS) this.lags.shift();
    this.lag = [...this.lags].sort((a, b) => a - b)[this.lags.length >> 1]!;
  }
}
