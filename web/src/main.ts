/** The bare page: the head of `?head=`, looking at you. */
import { Viewer } from "./viewer";

const canvas = document.querySelector("canvas")!;
const viewer = new Viewer(canvas);
await viewer.load(new URLSearchParams(location.search).get("head") ?? "/head.glb");

function frame(now: number): void {
  const breath = 0.02 * Math.sin(now / 1300);
  viewer.pose({ head: [breath, breath / 2, 0], weights: { mouthSmileLeft: 0.2, mouthSmileRight: 0.2 } });
  viewer.draw();
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
