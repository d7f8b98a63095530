/** A face at one moment, as `mien.face.pose` has it: angles in radians, yaw, pitch, roll. */
export interface Pose {
  weights?: Record<string, number>; // by ARKit name, 0 to 1; absent ones are 0
  head?: [number, number, number];
  gaze?: [[number, number], [number, number]]; // left and right eye: yaw, pitch
}

/** The weight of a morph target; one called `a*b` is a corrective, and weighs the product of both. */
export function weight(weights: Record<string, number>, name: string): number {
  return name.split("*").reduce((product, each) => product * (weights[each] ?? 0), 1);
}

const clip = (x: number) => Math.min(Math.max(x, 0), 1);

/** How far baked light goes from a closed to a half open jaw; as `posture.opening`. */
export function opening(weights: Record<string, number>): number {
  const of = (name: string) => weights[name] ?? 0;
  const parting = ["mouthLowerDown", "mouthUpperUp"].flatMap((name) => [of(`${name}Left`), of(`${name}Right`)]);
  const wide = of("jawOpen") * 1.6 + of("mouthFunnel") * 0.5 + of("tongueOut") ** 2;
  return clip(wide + parting.reduce((sum, x) => sum + x) * 0.1);
}

/** Height of the shadow of an upper lid on the unit eyeball; as `posture.lids`. */
export function lid(weights: Record<string, number>, side: "Left" | "Right"): number {
  const of = (name: string) => weights[name + side] ?? 0;
  return 0.62 - 1.4 * of("eyeBlink") - 0.3 * of("eyeLookDown") + 0.15 * of("eyeWide");
}
