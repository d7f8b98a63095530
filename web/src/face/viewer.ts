/** A head in the browser: a GLB that mien wrote, lit as mien lights it. */
import * as THREE from "three";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { Aside } from "./aside";
import { Joints } from "./joints";
import { lit, locks, shared } from "./light";
import { Morphs } from "./morphs";
import { lid, opening, type Pose } from "./pose";

export type { Pose } from "./pose";

/** As `mien.avatar.render.Camera`: metres; `height` is what the picture shows at the target's distance. */
export interface Camera {
  eye: [number, number, number];
  target: [number, number, number];
  height: number;
}

/** How a head is framed: at least so many metres are seen; `above` the head, as a share of the picture's height. */
export interface Framing {
  height: number;
  width: number;
  above: number;
}

const SIDES = ["Left", "Right"] as const;

export class Viewer {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(20, 1, 0.2, 5);
  private readonly renderer: THREE.WebGLRenderer;
  private readonly common = shared();
  private head?: THREE.Object3D;
  private eyes: THREE.Object3D[] = [];
  private meshes: THREE.Mesh[] = [];
  private joints: Joints[] = [];
  private morphs: Morphs[] = [];
  private at?: Camera;
  private aside?: Aside;
  private framing: Framing = { height: 0.375, width: 0.29, above: 0.03 };

  /** `background`: a CSS colour; nothing by default, so that the page shows through. */
  constructor(readonly canvas: HTMLCanvasElement, background?: string, antialias = true) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias, alpha: true, preserveDrawingBuffer: true });
    if (background) this.renderer.setClearColor(new THREE.Color().setStyle(background, THREE.LinearSRGBColorSpace), 1);
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace; // our shaders write what the screen shows
    this.resize(canvas.width, canvas.height);
  }

  /** Load a head in place of the one before. */
  async load(url: string): Promise<void> {
    const [gltf, hair] = await Promise.all([new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).loadAsync(url), locks()]);
    this.clear();
    this.scene.add(gltf.scene);
    this.head = gltf.scene.getObjectByName("Head");
    this.eyes = ["eye_left", "eye_right"].flatMap((name) => gltf.scene.getObjectByName(name) ?? []);
    gltf.scene.traverse((each) => {
      if (!(each instanceof THREE.Mesh)) return;
      each.material = lit(each.material as THREE.Material, this.common, hair);
      each.frustumCulled = false;
      this.meshes.push(each);
    });
    this.joints = this.meshes.flatMap((each) => Joints.of(each) ?? []);
    this.morphs = this.meshes.filter((each) => each.morphTargetDictionary).map((each) => new Morphs(each));
    this.look(this.at ?? this.portrait());
    this.pose({});
  }

  /** Take the head away, and give its memory back. */
  clear(): void {
    for (const mesh of this.meshes) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
    }
    this.scene.clear();
    this.meshes = [];
    this.joints = this.meshes.flatMap((each) => Joints.of(each) ?? []);
    this.joints = [];
    this.morphs = [];
  }

  /** Show a face. */
  pose(pose: Pose): void {
    const weights = pose.weights ?? {};
    for (const each of this.morphs) each.weigh(weights);
    this.head?.quaternion.setFromEuler(euler(...(pose.head ?? [0, 0, 0])));
    this.eyes.forEach((eye, side) => eye.quaternion.setFromEuler(euler(...(pose.gaze?.[side] ?? [0, 0]))));
    this.scene.updateMatrixWorld(true);
    for (const each of this.joints) each.update();
    this.common.jaw.value = opening(weights);
    if (this.head) this.common.headTurn.value.setFromMatrix4(this.head.matrixWorld);
    this.common.up.value.set(0, 1, 0).applyMatrix3(this.common.headTurn.value);
    this.eyes.forEach((eye, side) => turned(eye, lid(weights, SIDES[side] ?? "Left")));
  }

  /** Stand the camera where it is told. */
  look(at: Camera): void {
    this.at = at;
    const [eye, target] = [new THREE.Vector3(...at.eye), new THREE.Vector3(...at.target)];
    this.camera.position.copy(eye);
    this.camera.lookAt(target);
    this.camera.fov = THREE.MathUtils.radToDeg(2 * Math.atan(at.height / 2 / eye.distanceTo(target)));
    this.camera.updateProjectionMatrix();
    const middle = new THREE.Vector3();
    for (const each of this.eyes) middle.addScaledVector(each.getWorldPosition(new THREE.Vector3()), 0.5);
    this.common.sight.value.copy(eye).sub(middle).normalize();
  }

  resize(width: number, height: number): void {
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  /** Frame the head anew, as it suits the canvas now. */
  frame(framing: Framing): void {
    this.framing = framing;
    if (this.meshes.length) this.look(this.portrait());
  }

  draw(): void {
    this.renderer.render(this.scene, this.camera);
  }

  /** Draw aside what `show` will show: for machines that need long for a picture. */
  prepare(): void {
    const { width, height } = this.canvas;
    this.aside ??= new Aside();
    this.aside.resize(width, height);
    this.renderer.setRenderTarget(this.aside.target);
    this.draw();
    this.renderer.setRenderTarget(null);
  }

  /** Show what was prepared. */
  show(): void {
    if (this.aside) this.renderer.render(this.aside.scene, this.camera);
  }

  /** Return a question to ask later: whether all that was drawn up to now is in the picture. */
  fence(): () => boolean {
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    return () => {
      if (!sync || gl.isContextLost()) return true;
      if (gl.getSyncParameter(sync, gl.SYNC_STATUS) !== gl.SIGNALED) return false;
      gl.deleteSync(sync);
      return true;
    };
  }

  /** Frame head and shoulders; as `Camera.portrait`. */
  private portrait(): Camera {
    const box = new THREE.Box3().setFromObject(this.scene, true);
    const height = Math.max(this.framing.height, this.framing.width / this.camera.aspect);
    const foot = Math.max(box.min.y, box.max.y - 0.75);
    const top = box.max.y + this.framing.above * height;
    const middle = Math.max(top - height / 2, foot * 0.86 + height / 2);
    return { eye: [0, middle * 0.5, 1.15], target: [0, middle, 0.03], height };
  }
}

function euler(yaw: number, pitch: number, roll = 0): THREE.Euler {
  return new THREE.Euler(pitch, yaw, roll, "YXZ");
}

/** Tell an eyeball's shader how it stands. */
function turned(eye: THREE.Object3D, height: number): void {
  const material = (eye as THREE.Mesh).material;
  if (!(material instanceof THREE.ShaderMaterial)) return;
  const turn = new THREE.Matrix4().makeRotationFromQuaternion(eye.getWorldQuaternion(new THREE.Quaternion()));
  material.uniforms.turn!.value.setFromMatrix4(turn);
  material.uniforms.lid!.value = height;
}
