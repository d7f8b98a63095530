/** The morph targets of one mesh: their weights, and which of them the shader must look at. */
import * as THREE from "three";
import { weight } from "./pose";

const LEAST = 1e-3; // a weight that nobody sees
const MOVES = 1e-5; // m

export class Morphs {
  private readonly targets: { name: string; index: number }[];

  constructor(private readonly mesh: THREE.Mesh) {
    const places = mesh.geometry.morphAttributes.position ?? [];
    this.targets = Object.entries(mesh.morphTargetDictionary ?? {})
      .map(([name, index]) => ({ name, index }))
      .filter(({ index }) => !places[index] || moves(places[index]));
    const uniforms = this.uniforms;
    if (uniforms) uniforms.movers!.value = new Array<number>(mesh.morphTargetInfluences?.length ?? 0).fill(0);
  }

  weigh(weights: Record<string, number>): void {
    const [influences, uniforms] = [this.mesh.morphTargetInfluences!, this.uniforms];
    let moving = 0;
    for (const { name, index } of this.targets) {
      const much = weight(weights, name);
      influences[index] = much;
      if (uniforms && Math.abs(much) > LEAST) (uniforms.movers!.value as number[])[moving++] = index;
    }
    if (uniforms) uniforms.moving!.value = moving;
  }

  private get uniforms(): Record<string, THREE.IUniform> | undefined {
    return this.mesh.material instanceof THREE.ShaderMaterial ? this.mesh.material.uniforms : undefined;
  }
}

/** Whether a target moves anything; glTF gives all parts of a head the same list. */
function moves(places: THREE.BufferAttribute | THREE.InterleavedBufferAttribute): boolean {
  for (let at = 0; at < places.count; at++)
    if (Math.abs(places.getX(at)) + Math.abs(places.getY(at)) + Math.abs(places.getZ(at)) > MOVES) return true;
  return false;
}
