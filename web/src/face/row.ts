/** A face at one moment as numbers: 52 ARKit weights, head (yaw, pitch, roll), gaze left and right (yaw, pitch). */
import type { Pose } from "./pose";

export type Row = Float32Array;

export const ARKIT = (
  "eyeBlinkLeft eyeLookDownLeft eyeLookInLeft eyeLookOutLeft eyeLookUpLeft eyeSquintLeft eyeWideLeft " +
  "eyeBlinkRight eyeLookDownRight eyeLookInRight eyeLookOutRight eyeLookUpRight eyeSquintRight eyeWideRight " +
  "jawForward jawLeft jawRight jawOpen mouthClose mouthFunnel mouthPucker mouthLeft mouthRight " +
  "mouthSmileLeft mouthSmileRight mouthFrownLeft mouthFrownRight mouthDimpleLeft mouthDimpleRight " +
  "mouthStretchLeft mouthStretchRight mouthRollLower mouthRollUpper mouthShrugLower mouthShrugUpper " +
  "mouthPressLeft mouthPressRight mouthLowerDownLeft mouthLowerDownRight mouthUpperUpLeft mouthUpperUpRight " +
  "browDownLeft browDownRight browInnerUp browOuterUpLeft browOuterUpRight cheekPuff cheekSquintLeft " +
  "cheekSquintRight noseSneerLeft noseSneerRight tongueOut"
).split(" ");

export const WEIGHTS = ARKIT.length;
export const WIDTH = WEIGHTS + 3 + 4;

const INDEX = new Map(ARKIT.map((name, index) => [name, index]));

/** A row from named weights, head and gaze; unknown names are left out. */
export function row(pose: Pose): Row {
  const made = new Float32Array(WIDTH);
  for (const [name, value] of Object.entries(pose.weights ?? {})) {
    const index = INDEX.get(name);
    if (index !== undefined) made[index] = value;
  }
  made.set(pose.head ?? [], WEIGHTS);
  made.set((pose.gaze ?? []).flat(), WEIGHTS + 3);
  return made;
}

/** What the viewer shows. */
export function pose(values: Row): Pose {
  const [yaw, pitch, roll, ...gaze] = values.subarray(WEIGHTS);
  return {
    weights: Object.fromEntries(ARKIT.map((name, index) => [name, values[index]!])),
    head: [yaw!, pitch!, roll!],
    gaze: [[gaze[0]!, gaze[1]!], [gaze[2]!, gaze[3]!]],
  };
}

/** `part` of the way from one row to another. */
export function mix(from: Row, to: Row, part: number): Row {
  return from.map((value, index) => value + part * (to[index]! - value));
}
