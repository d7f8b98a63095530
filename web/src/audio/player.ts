/** Plays a session's sound, and knows which sample is heard when. */
import type { Report, ToPlayer } from "./messages";
import worklet from "./player.worklet?worker&url";
import { Playhead } from "./playhead";

export class Player {
  underruns = 0;
  private readonly playhead = new Playhead();
  private node?: AudioWorkletNode;
  private waiting: ToPlayer[] = [];
  private sent = 0;
  private last?: Report;

  /** `jumped`: the clock was set, or stood and goes on. */
  constructor(readonly context: AudioContext, private readonly jumped: () => void) {}

  async start(): Promise<void> {
    await this.context.audioWorklet.addModule(worklet);
    this.node = new AudioWorkletNode(this.context, "mien-player", { numberOfInputs: 0, outputChannelCount: [1] });
    this.node.port.onmessage = ({ data }: MessageEvent<Report>) => this.report(data);
    this.node.connect(this.context.destination);
    for (const each of this.waiting.splice(0)) this.node.port.postMessage(each);
  }

  /** Play samples from `start` on, in place of all that was to come from there; returns a ticket for `when`. */
  put(start: number, samples: Float32Array): number {
    this.send({ kind: "put", start, samples }, [samples.buffer]);
    return this.sent;
  }

  /** When (ms) the sound of a ticket, which begins at `start`, is heard; NaN while that is not known. */
  when(ticket: number, start: number): number {
    return (this.last?.taken ?? 0) < ticket ? NaN : this.playhead.when(start);
  }

  /** Be silent from `start` on. */
  rest(start: number, length: number): void {
    this.send({ kind: "rest", start, length });
  }

  cut(start: number): void {
    this.send({ kind: "cut", start });
  }

  /** Be silent now. */
  stop(): void {
    this.send({ kind: "stop" });
  }

  reset(): void {
    this.playhead.reset();
    this.send({ kind: "reset" });
  }

  /** The sample that leaves the loudspeaker at `ms` of the page's clock; NaN while nothing is known. */
  at(ms: number): number {
    this.playhead.read(this.output());
    return this.playhead.at(ms);
  }

  private send(said: ToPlayer, transfer: Transferable[] = []): void {
    this.sent++;
    if (this.node) this.node.port.postMessage(said, transfer);
    else this.waiting.push(said);
  }

  private report(report: Report): void {
    const before = this.last;
    this.last = report;
    this.underruns = report.underruns;
    this.playhead.report(report);
    const expected = before && before.sample + (report.time - before.time) * before.rate;
    if (expected === undefined || Math.abs(report.sample - expected) > 100) this.jumped();
  }

  /** What leaves the device now; browsers that do not know say so with zeros. */
  private output(): { contextTime: number; performanceTime: number } {
    const { contextTime = 0, performanceTime = 0 } = this.context.getOutputTimestamp?.() ?? {};
    if (contextTime > 0 && performanceTime > 0) return { contextTime, performanceTime };
    const latency = this.context.outputLatency || this.context.baseLatency || 0;
    return { contextTime: this.context.currentTime - latency, performanceTime: performance.now() };
  }
}
