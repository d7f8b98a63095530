/** Shows, sixty times a second, the face that belongs to what is heard. */
import { Ahead } from "./ahead";
import { Ease } from "./ease";
import { Measure } from "./measure";
import type { Painter } from "./painter";
import { Rest } from "./rest";
import type { Row } from "./row";
import { Timeline } from "./timeline";

const SLOW_FPS = 24;
const JUDGE_MS = 3000;
const FEW = 250_000; // pixels of a picture, on a slow machine

export class Stage {
  readonly measure = new Measure();
  /** Whether sound is heard now, so that lips and voice must agree. */
  speaking = false;
  private readonly timeline = new Timeline();
  private readonly ease = new Ease();
  private readonly rest: Rest;
  private judged = 0;
  private slow: boolean;
  private readonly ahead = new Ahead();
  private alone = true;

  /** `clock`: the sample heard at a moment (ms) of the page's clock; NaN while there is none. */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly painter: Painter,
    private readonly clock: (ms: number) => number,
    { still, slow }: { still: boolean; slow: boolean },
  ) {
    this.slow = slow;
    this.rest = new Rest(still);
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
    requestAnimationFrame(this.tick);
  }

  put(start: number, rows: Row[]): void {
    if (this.timeline.put(start, rows, this.now())) this.ease.jump(performance.now());
    this.ahead.drop(start);
  }

  cut(start: number): void {
    if (this.timeline.cut(start, this.now())) this.ease.jump(performance.now());
    this.ahead.drop(start);
  }

  /** The clock was set. */
  jumped(): void {
    this.ahead.drop();
  }

  /** There is no session any more: the face is on its own. */
  clear(): void {
    this.timeline.clear();
  }

  private readonly tick = (now: number): void => {
    requestAnimationFrame(this.tick);
    this.measure.tick(now, this.clock, this.speaking);
    if (this.slow && this.painter.prepare) return this.later(now);
    if (this.measure.full) return;
    const { row, sample } = this.next(now, this.measure.lag);
    const drawn = this.painter.draw(row, sample);
    if (drawn) this.measure.drew(now, drawn.sample, drawn.done);
    this.judge(now);
  };

  /** Show what is due, or begin the next picture. */
  private later(now: number): void {
    const due = this.ahead.ready(now, this.measure.lag);
    if (due !== undefined) this.measure.drew(now, due, this.painter.show!());
    if (due !== undefined || !this.ahead.free) return;
    const { row, sample } = this.next(now, this.ahead.lead);
    this.ahead.begin(now, now + this.ahead.lead, sample, this.painter.prepare!(row));
    this.judge(now);
  }

  /** The face that is to be seen `lead` ms from now. */
  private next(now: number, lead: number): { row: Row; sample: number } {
    const sample = this.clock(now + lead);
    return { row: this.ease.next(this.row(sample, now), now), sample };
  }

  private row(sample: number, now: number): Row {
    const given = Number.isNaN(sample) ? undefined : this.timeline.at(sample);
    if (given) this.timeline.trim(sample);
    if (this.alone === (given !== undefined)) this.ease.jump(now);
    this.alone = given === undefined;
    return given ?? this.rest.at(now);
  }

  private now(): number {
    return this.clock(performance.now() + this.measure.lag);
  }

  /** Draw ahead, and fewer pixels, where the machine is slow. */
  private judge(now: number): void {
    if (now < this.judged) return;
    const first = this.judged === 0;
    this.judged = now + JUDGE_MS;
    if (first || document.hidden || this.measure.figures().fps > SLOW_FPS) return;
    this.slow = true;
    this.resize();
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    const least = Math.min(1, Math.sqrt(FEW / (clientWidth * clientHeight)));
    const scale = this.slow ? least : Math.min(devicePixelRatio, 2);
    const [width, height] = [clientWidth, clientHeight].map((each) => Math.max(1, Math.round(each * scale)));
    this.painter.resize(width!, height!);
  }
}
