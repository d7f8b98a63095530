import { describe, expect, it } from "vitest";
import { Line } from "../src/audio/line";
import { Playhead } from "../src/audio/playhead";
import { Resampler } from "../src/audio/resampler";

const tone = (hz: number, rate: number, length: number) =>
  Float32Array.from({ length }, (_, at) => Math.sin((2 * Math.PI * hz * at) / rate));

const resampled = (hz: number, from: number, to: number): number[] => {
  const [resampler, made] = [new Resampler(from, to), [] as number[]];
  const input = tone(hz, from, from / 2);
  for (let at = 0; at < input.length; at += 128) resampler.push(input.subarray(at, at + 128), (each) => made.push(each));
  return made;
};

const loudest = (values: number[]) => Math.max(...values.slice(200, -200).map(Math.abs));

describe("a resampler", () => {
  it.each([[48_000, 24_000], [44_100, 24_000], [16_000, 24_000], [24_000, 48_000]])("keeps a tone from %i to %i Hz", (from, to) => {
    const made = resampled(1000, from, to);
    expect(made.length).toBeGreaterThan(to / 2 - 100);
    const worst = made.slice(200, -200).map((each, at) => Math.abs(each - Math.sin((2 * Math.PI * 1000 * (at + 200)) / to)));
    expect(Math.max(...worst)).toBeLessThan(2e-3);
  });

  it("lets nothing through that the lower rate can not hold", () => {
    expect(loudest(resampled(15_000, 48_000, 24_000))).toBeLessThan(0.003);
    expect(loudest(resampled(10_000, 48_000, 24_000))).toBeGreaterThan(0.9);
  });

  it("goes on for long without losing its phase", () => {
    const resampler = new Resampler(48_000, 24_000);
    const made: number[] = [];
    const block = new Float32Array(128).fill(0.5);
    for (let count = 0; count < 1000; count++) resampler.push(block, (each) => made.push(each));
    expect(made.length).toBeGreaterThan(1000 * 64 - 50);
    expect(Math.max(...made.slice(100).map((each) => Math.abs(each - 0.5)))).toBeLessThan(1e-5);
  });
});

const ones = (length: number, value = 1) => new Float32Array(length).fill(value);
const read = (line: Line, length: number) => {
  const block = new Float32Array(length);
  line.read(block);
  return block;
};

describe("the line of sound", () => {
  it("is silent and stands until something comes", () => {
    const line = new Line(24_000);
    expect(read(line, 64).every((each) => each === 0)).toBe(true);
    line.rest(4000, 8000);
    read(line, 64);
    expect(line.position).toBe(4064);
  });

  it("goes back to where sound begins that came late, for only silence lay there", () => {
    const line = new Line(24_000);
    line.rest(0, 10_000);
    read(line, 3000);
    line.put(1000, ones(4800));
    expect(line.position).toBe(1000);
    expect(read(line, 1000)[500]).toBeCloseTo(1, 2);
  });

  it("plays one stretch after the other, and nothing twice", () => {
    const line = new Line(24_000);
    line.put(0, ones(2400, 0.5));
    read(line, 1200);
    line.put(2400, ones(2400, 0.25));
    expect(line.position).toBe(1200);
    line.put(600, ones(2400, -0.5)); // begins in what was heard: the rest of it is heard
    expect(line.position).toBe(1200);
    expect(read(line, 600)[300]).toBeCloseTo(-0.5, 2);
  });

  it("ends in milliseconds when it is cut, without a step, and the clock goes on with what follows", () => {
    const line = new Line(24_000);
    line.put(0, ones(24_000));
    read(line, 1200);
    line.cut(1000); // a little in the past: the network took time
    line.rest(1000, 4800);
    const after = [...read(line, 480)];
    expect(after[200]).toBeCloseTo(0, 3);
    expect(Math.max(...after.slice(1).map((each, at) => Math.abs(each - after[at]!)))).toBeLessThan(0.05);
    expect(line.position).toBe(1680);
    line.put(1500, ones(2400)); // the next answer, late: it is heard from its beginning
    expect(line.position).toBe(1500);
  });

  it("waits where sound comes too late, and counts it", () => {
    const line = new Line(24_000);
    line.put(0, ones(2400));
    read(line, 4800);
    expect(line.position).toBe(2400);
    line.put(2400, ones(2400));
    expect(line.underruns).toBe(1);
    read(line, 2400);
    line.rest(4800, 2400);
    expect(line.underruns).toBe(1);
  });

  it("keeps at 48 kHz the time of the session's clock", () => {
    const line = new Line(48_000);
    line.rest(0, 24_000);
    read(line, 4800);
    expect(line.position).toBeCloseTo(2400, 6);
  });
});

describe("the playhead", () => {
  it("maps the page's clock to the sample that leaves the device", () => {
    const head = new Playhead();
    expect(head.at(0)).toBeNaN();
    head.report({ time: 1, sample: 24_000, rate: 24_000, taken: 0, underruns: 0 });
    head.read({ contextTime: 1, performanceTime: 5000 });
    expect(head.at(5010)).toBeCloseTo(24_240);
  });

  it("knows what is heard now when the player has gone on elsewhere", () => {
    const head = new Playhead();
    head.read({ contextTime: 1, performanceTime: 1000 });
    head.report({ time: 1, sample: 0, rate: 24_000, taken: 0, underruns: 0 });
    head.report({ time: 1.05, sample: 90_000, rate: 0, taken: 0, underruns: 0 });
    expect(head.at(1025)).toBeCloseTo(600);
    expect(head.at(1060)).toBe(90_000);
  });

  it("knows when a sample was heard, the last time that it was", () => {
    const head = new Playhead();
    head.read({ contextTime: 1, performanceTime: 1000 });
    head.report({ time: 1, sample: 0, rate: 24_000, taken: 0, underruns: 0 });
    head.report({ time: 1.1, sample: 1000, rate: 24_000, taken: 1, underruns: 0 });
    expect(head.when(1000)).toBeCloseTo(1100);
    expect(new Playhead().when(0)).toBeNaN();
  });
});
