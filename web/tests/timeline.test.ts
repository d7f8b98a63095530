import { describe, expect, it } from "vitest";
import { Ease } from "../src/face/ease";
import { FRAME } from "../src/face/rate";
import { WEIGHTS, WIDTH, type Row, pose, row } from "../src/face/row";
import { Timeline } from "../src/face/timeline";

const jaw = (value: number): Row => row({ weights: { jawOpen: value } });
const shown = (timeline: Timeline, sample: number) => pose(timeline.at(sample)!).weights!.jawOpen;

describe("a timeline of frames", () => {
  it("interpolates between frames, and holds before the first and after the last", () => {
    const timeline = new Timeline();
    timeline.put(4000, [jaw(0), jaw(1)], 0);
    expect(shown(timeline, 4000 + FRAME / 4)).toBeCloseTo(0.25);
    expect(shown(timeline, 0)).toBe(0);
    expect(shown(timeline, 9000)).toBe(1);
  });

  it("replaces all that lies later than what is put, and nothing before it", () => {
    const timeline = new Timeline();
    timeline.put(0, Array.from({ length: 100 }, () => jaw(1)), 0);
    timeline.put(50 * FRAME, [jaw(0.5)], 0);
    expect(shown(timeline, 49 * FRAME)).toBe(1);
    expect(shown(timeline, 50 * FRAME)).toBe(0.5);
    expect(shown(timeline, 99 * FRAME)).toBe(0.5);
  });

  it("tells when what is shown changed, so that the change can be eased", () => {
    const timeline = new Timeline();
    timeline.put(0, [jaw(1), jaw(1), jaw(1)], 0);
    expect(timeline.cut(2 * FRAME, FRAME)).toBe(false);
    expect(timeline.cut(FRAME, 3 * FRAME)).toBe(true);
    expect(timeline.cut(5 * FRAME, 9 * FRAME)).toBe(false);
  });

  it("shows nothing when it knows nothing, and forgets what was long ago", () => {
    const timeline = new Timeline();
    expect(timeline.at(0)).toBeUndefined();
    for (let at = 0; at < 600; at++) timeline.put(at * FRAME, [jaw(at / 600)], 0);
    timeline.trim(599 * FRAME);
    expect(shown(timeline, 599 * FRAME)).toBeCloseTo(599 / 600);
    expect(shown(timeline, 0)).toBeGreaterThan(0.5);
  });
});

describe("a row", () => {
  it("keeps weights, head and gaze in their places", () => {
    const made = row({ weights: { tongueOut: 0.5, nothing: 1 }, head: [0.1, 0.2, 0.3], gaze: [[1, 2], [3, 4]] });
    expect(made).toHaveLength(WIDTH);
    expect(made[WEIGHTS - 1]).toBe(0.5);
    const back = pose(made);
    expect(back.head!.map((each) => +each.toFixed(3))).toEqual([0.1, 0.2, 0.3]);
    expect(back.gaze).toEqual([[1, 2], [3, 4]]);
  });
});

describe("easing", () => {
  it("begins where the face was, ends where it is to be, and never steps", () => {
    const ease = new Ease(100);
    const jawOf = (values: Row) => pose(values).weights!.jawOpen!;
    expect(jawOf(ease.next(jaw(1), 0))).toBe(1);
    ease.jump(0);
    let before = 1;
    for (let ms = 0; ms <= 120; ms += 4) {
      const now = jawOf(ease.next(jaw(0), ms));
      expect(before - now).toBeGreaterThanOrEqual(0);
      expect(before - now).toBeLessThan(0.08);
      before = now;
    }
    expect(before).toBe(0);
  });
});
