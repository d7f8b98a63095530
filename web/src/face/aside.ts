/** A picture that is drawn aside, and shown at once when its moment comes. */
import * as THREE from "three";

export class Aside {
  readonly target = new THREE.WebGLRenderTarget(1, 1);
  readonly scene = new THREE.Scene();

  constructor() {
    const material = new THREE.ShaderMaterial({
      uniforms: { picture: { value: this.target.texture } },
      vertexShader: "varying vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }",
      fragmentShader: "uniform sampler2D picture; varying vec2 at; void main() { gl_FragColor = texture(picture, at); }",
      depthTest: false,
      blending: THREE.NoBlending,
    });
    const sheet = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), material);
    sheet.frustumCulled = false;
    this.scene.add(sheet);
  }

  resize(width: number, height: number): void {
    if (this.target.width !== width || this.target.height !== height) this.target.setSize(width, height);
  }
}
