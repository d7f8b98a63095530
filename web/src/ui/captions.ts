/** Captions: the persona's words appear as they are heard, the user's as they are understood. */
import { CLOCK_HZ } from "../audio/sinc";

const HAN = /\p{Script=Han}/u;
const WORDS = /\p{Script=Han}[^\p{L}\p{N}\s]*|\s*[^\s\p{Script=Han}]+/gu;
const [LETTERS_PER_S, HAN_PER_S] = [14, 4.6]; // until the end of a breath is known
const MENDED = 0.15 * CLOCK_HZ; // an answer that goes on repeats so much

export interface Breath {
  response: string;
  start: number;
  text: string;
}

/** Where each word of a breath begins, in samples, when it lasts from `start` to `end` (if that is known). */
export function spread(breath: Breath, end?: number): { text: string; at: number }[] {
  const words = breath.text.match(WORDS) ?? [];
  const weights = words.map((word) => (HAN.test(word) ? 1 / HAN_PER_S : word.length / LETTERS_PER_S));
  const whole = weights.reduce((sum, each) => sum + each, 0) * CLOCK_HZ;
  const scale = end === undefined || !whole ? 1 : Math.min(1.6, Math.max(0.4, (end - breath.start) / whole));
  let at = breath.start;
  return words.map((text, index) => {
    const begins = at;
    at += weights[index]! * CLOCK_HZ * scale;
    return { text, at: begins };
  });
}

/** The breaths of the last answers. */
export class Script {
  private breaths: Breath[] = [];
  private heldAt?: number;

  add(breath: Breath): void {
    this.breaths.push(breath);
    if (this.breaths.length > 24) this.breaths.shift();
  }

  /** The answer stops at `sample`; `over`: for good. */
  cut(sample: number, over: boolean): void {
    this.heldAt = over ? undefined : sample;
    if (over) this.breaths = this.breaths.filter((each) => each.start < sample);
    if (over) this.breaths.push({ response: "", start: sample, text: "" });
  }

  /** A held answer goes on, at `start`. */
  resume(start: number): void {
    if (this.heldAt === undefined) return;
    const moved = start - this.heldAt + MENDED;
    this.breaths = this.breaths.map((each) => ({ ...each, start: each.start + moved }));
    this.heldAt = undefined;
  }

  /** The breath at `sample`, its words with their places. */
  at(sample: number): { breath: Breath; words: { text: string; at: number }[] } | undefined {
    const index = this.breaths.findLastIndex((each) => each.start <= sample);
    const breath = this.breaths[index];
    if (!breath) return undefined;
    const next = this.breaths[index + 1];
    return { breath, words: spread(breath, next?.response === breath.response ? next.start : undefined) };
  }
}

/** Shows them. */
export class Captions {
  private shown?: Breath;
  private spans: HTMLElement[] = [];

  constructor(private readonly them: HTMLElement, private readonly you: HTMLElement, private readonly live: HTMLElement) {}

  /** The persona's words at `sample`. */
  show(script: Script, sample: number): void {
    const now = script.at(sample);
    if (!now) return;
    if (now.breath.text !== this.shown?.text || now.breath.response !== this.shown.response) this.begin(now);
    now.words.forEach(({ at }, index) => this.spans[index]?.classList.toggle("said", at <= sample));
    this.shown = now.breath;
  }

  /** The user's words, of which the first `stable` letters will hardly change. */
  user(text: string, stable = text.length): void {
    const rest = document.createElement("span");
    rest.textContent = text.slice(stable);
    this.you.replaceChildren(text.slice(0, stable), rest);
  }

  /** Tell those who do not see. */
  announce(text: string): void {
    const line = document.createElement("p");
    line.textContent = text;
    this.live.append(line);
    while (this.live.childElementCount > 3) this.live.firstElementChild?.remove();
  }

  private begin({ breath, words }: { breath: Breath; words: { text: string }[] }): void {
    if (!breath.text) return this.stop();
    this.spans = words.map(({ text }) => {
      const span = document.createElement("span");
      span.textContent = text;
      return span;
    });
    this.them.replaceChildren(...this.spans);
    this.announce(breath.text);
  }

  /** What was not said yet will not be. */
  private stop(): void {
    for (const span of this.spans) if (!span.classList.contains("said")) span.remove();
  }
}
