/** The panel's figures: where the time of the last answer went, and how well face and sound agree. */
import type { Figures } from "../face/measure";
import { STAGES, type Stage } from "../protocol/events";
import { make } from "./page";
import { say } from "./words";

export type Stages = Partial<Record<Stage, number>>;

/** The stages in the order in which they were reached, each from the one before; ms. */
export function rows(stages: Stages): { stage: Stage; from: number; to: number }[] {
  const known = STAGES.filter((each) => stages[each] !== undefined).sort((a, b) => stages[a]! - stages[b]!);
  return known.map((stage, index) => {
    const before = index ? stages[known[index - 1]!]! : 0;
    return { stage, from: Math.max(0, before), to: Math.max(0, stages[stage]!) };
  });
}

/** Draw the waterfall; `playout_ms`: from the server to the ear. */
export function waterfall(into: HTMLElement, stages: Stages, playout_ms?: number): void {
  const steps: { name: string; from: number; to: number }[] = rows(stages).map(({ stage, from, to }) => ({ name: say(stage), from, to }));
  const sent = steps.at(-1)?.to ?? 0;
  if (playout_ms !== undefined) steps.push({ name: say("playout"), from: sent, to: sent + playout_ms });
  const longest = Math.max(1, ...steps.map(({ to }) => to));
  into.replaceChildren(...steps.map(({ name, from, to }) => {
    const bar = make("i", "");
    bar.style.marginInlineStart = `${(100 * from) / longest}%`;
    bar.style.inlineSize = `${Math.max(1, (100 * (to - from)) / longest)}%`;
    return make("li", "", make("span", "", name), make("b", "", `${Math.round(to)} ms`), make("div", "bar", bar));
  }));
}

/** Write what is measured in this browser. */
export function figures(into: HTMLElement, { fps, offset_ms, p50_ms, p95_ms }: Figures, underruns: number): void {
  const known = Number.isFinite(p95_ms);
  const sync = known ? `${p50_ms.toFixed(0)} ms (p95 ${p95_ms.toFixed(0)} ms)` : "–";
  const lines: [string, string][] = [[say("sync"), sync], [say("rate"), fps.toFixed(0)], [say("underruns"), String(underruns)]];
  into.replaceChildren(...lines.flatMap(([name, value]) => [make("dt", "", name), make("dd", "", value)]));
  if (known) Object.assign(into.dataset, { offset: offset_ms.toFixed(1), p50: p50_ms.toFixed(1), p95: p95_ms.toFixed(1) });
  Object.assign(into.dataset, { fps: fps.toFixed(1), underruns });
}
