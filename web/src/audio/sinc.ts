/** Band-limited interpolation between two sample rates, at any ratio: a windowed sinc, tabulated. */

export const CLOCK_HZ = 24_000; // the session's clock, and the sound on the wire

const LOBES = 12; // zero crossings of the sinc on either side
const PHASES = 64; // between two samples; linear between phases is exact to some -90 dB
const PASSED = 0.94; // of the lower rate's band

export class Sinc {
  /** Samples that are read on either side of a position. */
  readonly reach: number;
  private readonly table: Float32Array;

  /** From a signal at `from` Hz to one at `to` Hz. */
  constructor(from: number, to: number) {
    const cutoff = Math.min(1, to / from) * PASSED;
    this.reach = Math.ceil(LOBES / cutoff);
    const width = 2 * this.reach;
    this.table = new Float32Array((PHASES + 1) * width);
    for (let phase = 0; phase <= PHASES; phase++) this.fill(phase, width, cutoff);
  }

  /** One phase, scaled so that a constant stays what it is. */
  private fill(phase: number, width: number, cutoff: number): void {
    const row = this.table.subarray(phase * width, (phase + 1) * width);
    let sum = 0;
    for (let tap = 0; tap < width; tap++) {
      const x = tap - this.reach + 1 - phase / PHASES;
      row[tap] = sinc(x * cutoff) * blackman(x / this.reach);
      sum += row[tap]!;
    }
    for (let tap = 0; tap < width; tap++) row[tap]! /= sum;
  }

  /** The signal at `position`, from a ring whose length is a power of two. */
  at(ring: Float32Array, position: number): number {
    const mask = ring.length - 1;
    const whole = Math.floor(position);
    const phase = (position - whole) * PHASES;
    const low = Math.floor(phase);
    const part = phase - low;
    const width = 2 * this.reach;
    const first = whole - this.reach + 1;
    let value = 0;
    for (let tap = 0, at = low * width; tap < width; tap++, at++) {
      const weight = this.table[at]! + part * (this.table[at + width]! - this.table[at]!);
      value += weight * ring[(first + tap) & mask]!;
    }
    return value;
  }
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function blackman(x: number): number {
  return Math.abs(x) >= 1 ? 0 : 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x);
}
