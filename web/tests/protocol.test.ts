import { describe, expect, it } from "vitest";
import { WEIGHTS } from "../src/face/row";
import { Backoff } from "../src/protocol/backoff";
import { base64, sound } from "../src/protocol/bytes";
import { parse } from "../src/protocol/events";
import { frames } from "../src/protocol/frames";
import { Script, paced, spread } from "../src/ui/captions";
import { rows } from "../src/ui/latency";

describe("quantised frames", () => {
  const data = new Uint8Array(132);
  data[0] = 255;
  data[51] = 51;
  new DataView(data.buffer).setInt16(52, -5000, true);
  new DataView(data.buffer).setInt16(66 + 64, 1234, true);

  it("are read as docs/protocol.md lays them out", () => {
    const [first, second] = frames(base64(data), 2);
    expect(first![0]).toBe(1);
    expect(first![51]).toBeCloseTo(0.2);
    expect(first![WEIGHTS]).toBeCloseTo(-0.5);
    expect(second![WEIGHTS + 6]).toBeCloseTo(0.1234);
  });

  it("are refused when they are cut off", () => {
    expect(() => frames(base64(data.subarray(1)), 2)).toThrow(RangeError);
  });
});

describe("the wire", () => {
  it("carries sound", () => {
    const heard = sound(base64(Int16Array.of(0, 16384, -32768)));
    expect([...heard]).toEqual([0, 0.5, -1]);
  });

  it("takes nothing for an event that is none", () => {
    expect(parse('{"type":"mien.draining","within_s":1}')).toEqual({ type: "mien.draining", within_s: 1 });
    for (const bad of ["{", "[]", "null", "3", new ArrayBuffer(1)]) expect(parse(bad)).toBeUndefined();
  });

  it("comes back later each time, up to a limit", () => {
    const backoff = new Backoff(100, 1000);
    const waits = [0, 0, 0, 0, 0, 0].map(() => backoff.next(0.5));
    expect(waits.map(Math.round)).toEqual([100, 200, 400, 800, 1000, 1000]);
    backoff.reset();
    expect(backoff.next(0)).toBeCloseTo(70);
  });
});

describe("captions", () => {
  const breath = { response: "a", start: 0, text: "Hello there, my friend." };

  it("spread words over the breath, and Chinese by the character", () => {
    expect(paced(breath, 48_000)).toBeCloseTo(1.3, 1);
    const words = spread(breath, 1.25);
    expect(words.map(({ text }) => text).join("")).toBe(breath.text);
    expect(words.map(({ at }) => at)).toEqual([...words.map(({ at }) => at)].sort((a, b) => a - b));
    expect(spread({ ...breath, text: "您好，请讲。" }).map(({ text }) => text)).toEqual(["您", "好，", "请", "讲。"]);
  });

  it("go on in their places after an answer was held", () => {
    const script = new Script();
    script.add(breath);
    script.cut(12_000, false);
    script.resume(72_000);
    expect(script.at(70_000)?.breath.start).toBe(63_600);
  });

  it("end where an answer was interrupted", () => {
    const script = new Script();
    script.add(breath);
    script.add({ response: "a", start: 48_000, text: "More." });
    script.cut(12_000, true);
    expect(script.at(11_000)?.breath.text).toBe(breath.text);
    expect(script.at(60_000)?.breath.text).toBe("");
  });
});

describe("the waterfall", () => {
  it("shows stages in the order in which they were reached", () => {
    const made = rows({ sent: 270, pause: 100, sound: 268, words: 180, endpoint: 260, understanding: 190 });
    expect(made.map(({ stage }) => stage)).toEqual(["pause", "words", "understanding", "endpoint", "sound", "sent"]);
    expect(made[1]).toEqual({ stage: "words", from: 100, to: 180 });
  });
});
