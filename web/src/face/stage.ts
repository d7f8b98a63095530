/** Shows, sixty times a second, the face that belongs to what is heard. */
import { Ease } from "./ease";
import { Measure } from "./measure";
import type { Painter } from "./painter";
import { Rest } from "./rest";
import type { Row } from "./row";
import { Timeline } from "./timeline";

const SLOW_FPS = 24;
const JUDGED = 40; // pictures before the resolution is judged
const COARSEST = 0.35; // pixels for one of the page's

export class Stage {
  readonly measure = new Measure();
  /** Whether sound is heard now, so that lips and voice must agree. */
  speaking = false;
  private readonly timeline = new Timeline();
  private readonly ease = new Ease();
  private readonly rest: Rest;
  private scale = Math.min(devicePixelRatio, 2);
  private drawn = 0;
  private alone = true;

  /** `clock`: the sample heard at a moment (ms) of the page's clock; NaN while there is none. */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly painter: Painter,
    private readonly clock: (ms: number) => number,
    still: boolean,
  ) {
    this.rest = new Rest(still);
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
    requestAnimationFrame(this.tick);
  }

  put(start: number, rows: Row[]): void {
    if (this.timeline.put(start, rows, this.now())) this.ease.jump(performance.now());
  }

  cut(start: number): void {
    if (this.timeline.cut(start, this.now())) this.ease.jump(performance.now());
  }

  /** There is no session any more: the face is on its own. */
  clear(): void {
    this.timeline.clear();
  }

  private readonly tick = (now: number): void => {
    requestAnimationFrame(this.tick);
    this.measure.tick(now, this.clock, this.speaking);
    const sample = this.clock(now + this.measure.lag);
    const row = this.row(sample, now);
    this.measure.drew(now, sample, this.painter.draw(this.ease.next(row, now), sample));
    if (++this.drawn % JUDGED === 0) this.judge();
  };

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

  /** Draw fewer pixels where the machine is slow. */
  private judge(): void {
    if (this.measure.figures().fps > SLOW_FPS || this.scale <= COARSEST) return;
    this.scale = Math.max(COARSEST, this.scale * 0.8);
    this.resize();
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    const [width, height] = [clientWidth, clientHeight].map((each) => Math.max(1, Math.round(each * this.scale)));
    this.painter.resize(width!, height!);
  }
}
