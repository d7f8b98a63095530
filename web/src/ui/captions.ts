/** Captions: the persona's words appear as they are heard, the user's as they are understood. */
import { CLOCK_HZ } from "../audio/sinc";

const HAN = /\p{Script=Han}/u;
const WORDS = /\p{Script=Han}[^\p{L}\p{N}\s]*|\s*[^\s\p{Script=Han}]+/gu;
const [LETTERS_PER_S, HAN_PER_S] = [15, 4.6];
const LEARNS = 0.5; // how fast one speaks, from breath to breath
const MENDED = 0.15 * CLOCK_HZ; // an answer that goes on repeats so much

export interface Breath {
  response: string;
  start: number;
  text: string;
}

const weigh = (word: string): number => (HAN.test(word) ? 1 / HAN_PER_S : word.length / LETTERS_PER_S) * CLOCK_HZ;

/** Where each word of a breath begins, in samples; `pace` 1 is the usual one, 2 takes twice as long. */
export function spread(breath: Breath, pace = 1): { text: string; at: number }[] {
  let at = breath.start;
  return (breath.text.match(WORDS) ?? []).map((text) => {
    const begins = at;
    at += weigh(text) * pace;
    return { text, at: begins };
  });
}

/** The pace of a breath that lasted up to `end`. */
export function paced(breath: Breath, end: number): number {
  const usual = (breath.text.match(WORDS) ?? []).reduce((sum, word) => sum + weigh(word), 0);
  return usual ? Math.min(1.6, Math.max(0.5, (end - breath.start) / usual)) : 1;
}

/** The breaths of the last answers. */
export class Script {
  private breaths: Breath[] = [];
  private heldAt?: number;
  private pace = 1;

  add(breath: Breath): void {
    const before = this.breaths.at(-1);
    if (before?.response === breath.response) this.pace += LEARNS * (paced(before, breath.start) - this.pace);
    this.breaths.push(breath);
    if (this.breaths.length > 24) this.breaths.shift();
  }

  /** The sound of an answer ends at `sample`. */
  end(response: string, sample: number): void {
    if (this.breaths.at(-1)?.response === response) this.add({ response, start: sample, text: "" });
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
    const pace = next?.response === breath.response ? paced(breath, next.start) : this.pace;
    return { breath, words: spread(breath, pace) };
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
