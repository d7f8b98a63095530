/** What passes between the page and its worklets. */

/** To the player: sound at a sample of the session's clock, silence, or nothing from there on. */
export type ToPlayer =
  | { kind: "put"; start: number; samples: Float32Array }
  | { kind: "rest"; start: number; length: number }
  | { kind: "cut"; start: number }
  | { kind: "stop" }
  | { kind: "reset" };

/** From the player: at the context's time `time` (s) sample `sample` was played; `rate`: samples a second, 0 while
 * the clock stands. */
export interface Report {
  time: number;
  sample: number;
  rate: number;
  /** How many messages were taken before. */
  taken: number;
  underruns: number;
}

/** To the microphone: whether it is heard. */
export interface ToCapture {
  open: boolean;
}

/** From the microphone: 20 ms at 24 kHz, and how loud they are, 0 to 1. */
export interface Heard {
  samples: Int16Array;
  level: number;
}
