/** Materials that light a head as mien's other renderers do, from the same shaders. */
import * as THREE from "three";
import basics from "../../../src/mien/avatar/render/shaders/basics.glsl?raw";
import constants from "../../../src/mien/avatar/render/shaders/constants.glsl?raw";
import eye from "../../../src/mien/avatar/render/shaders/eye.glsl?raw";
import matter from "../../../src/mien/avatar/render/shaders/matter.glsl?raw";
import skin from "../../../src/mien/avatar/render/shaders/skin.glsl?raw";
import streaks from "../../../src/mien/avatar/render/shaders/streaks.png?inline";
import surface from "../../../src/mien/avatar/render/shaders/surface.glsl?raw";
import fragment from "./light.frag.glsl?raw";
import vertex from "./light.vert.glsl?raw";

const KINDS = ["skin", "eye", "teeth", "tongue", "hair", "strand", "cloth", "plain", "eyeball"];

/** What all parts of one head share, and what changes from frame to frame. */
export interface Shared {
  headTurn: THREE.IUniform<THREE.Matrix3>;
  jaw: THREE.IUniform<number>;
  sight: THREE.IUniform<THREE.Vector3>;
  up: THREE.IUniform<THREE.Vector3>;
}

export function shared(): Shared {
  return {
    headTurn: { value: new THREE.Matrix3() },
    jaw: { value: 0 },
    sight: { value: new THREE.Vector3(0, 0, 1) },
    up: { value: new THREE.Vector3(0, 1, 0) },
  };
}

/** The texture of locks of hair. */
export async function locks(): Promise<THREE.Texture> {
  const texture = await new THREE.TextureLoader().loadAsync(streaks);
  texture.flipY = false;
  texture.generateMipmaps = false;
  texture.minFilter = THREE.LinearFilter;
  return texture;
}

/** What `mien` said of a material when it wrote the file; undefined for a file of another program's. */
interface Said {
  kind: string;
  iris?: [number, number, number][];
}

/** Return our material in place of glTF's, or glTF's own where the file says nothing of ours. */
export function lit(plain: THREE.Material, common: Shared, hair: THREE.Texture): THREE.Material {
  const said = plain.userData.mien as Said | undefined;
  const kind = said ? KINDS.indexOf(said.kind) : -1;
  if (!said || kind < 0 || !(plain instanceof THREE.MeshStandardMaterial)) return plain;
  const map = said.kind === "hair" ? hair : plain.map;
  const iris = (said.iris ?? [[0, 0, 0], [0, 0, 0]]).map((color) => new THREE.Vector3(...color));
  return new THREE.ShaderMaterial({
    name: plain.name,
    side: plain.side,
    vertexColors: true,
    defines: { KIND: kind },
    uniforms: {
      ...common,
      tint: { value: plain.color },
      map: { value: map },
      rough: { value: plain.roughnessMap },
      relief: { value: plain.normalMap },
      hasRough: { value: plain.roughnessMap !== null },
      hasRelief: { value: plain.normalMap !== null },
      iris: { value: iris },
      turn: { value: new THREE.Matrix3() },
      lid: { value: 0.62 },
      moving: { value: 0 },
      movers: { value: [] },
    },
    vertexShader: [constants, basics, skin, matter, vertex].join("\n"),
    fragmentShader: [constants, basics, eye, surface, fragment].join("\n"),
  });
}
