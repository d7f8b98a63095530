/** The joints of a mesh that has few, as uniforms of our shader. */
import * as THREE from "three";

const MOST = 4;

export class Joints {
  private readonly matrices: THREE.Matrix4[];

  private constructor(private readonly mesh: THREE.SkinnedMesh, material: THREE.ShaderMaterial) {
    this.matrices = mesh.skeleton.bones.map(() => new THREE.Matrix4());
    material.defines.JOINTS = this.matrices.length;
    material.uniforms.joints = { value: this.matrices };
  }

  /** Undefined for a mesh without joints, with many, or with another's material. */
  static of(mesh: THREE.Mesh): Joints | undefined {
    if (!(mesh instanceof THREE.SkinnedMesh) || !(mesh.material instanceof THREE.ShaderMaterial)) return undefined;
    return mesh.skeleton.bones.length <= MOST ? new Joints(mesh, mesh.material) : undefined;
  }

  /** Take over how the bones stand. */
  update(): void {
    const { skeleton, bindMatrix, bindMatrixInverse } = this.mesh;
    skeleton.bones.forEach((bone, index) => {
      const matrix = this.matrices[index]!.multiplyMatrices(bone.matrixWorld, skeleton.boneInverses[index]!);
      matrix.premultiply(bindMatrixInverse).multiply(bindMatrix);
    });
  }
}
