/** What shows a face: three.js, or the server's pictures where there is no WebGL. */
import { type Row, pose } from "./row";
import type { Framing, Viewer } from "./viewer";

export interface Painter {
  load(url: string): Promise<void>;
  /** Draw the face `row`, which belongs to `sample`; returns a question: is it done? */
  draw(row: Row, sample: number): () => boolean;
  /** Draw it aside, where that takes long; `show` shows it at once. */
  prepare?(row: Row): () => boolean;
  show?(): () => boolean;
  resize(width: number, height: number): void;
}

const WIDE: Framing = { height: 0.46, width: 0.3, above: 0.13 };

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Whether WebGL runs on a graphics processor; undefined where there is no WebGL. */
export function accelerated(): boolean | undefined {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return undefined;
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return !SOFTWARE.test(name);
}

/** Draws with WebGL. */
export class Drawn implements Painter {
  constructor(private readonly viewer: Viewer) {}

  async load(url: string): Promise<void> {
    await this.viewer.load(url);
    this.viewer.frame(WIDE);
  }

  draw(row: Row): () => boolean {
    this.viewer.pose(pose(row));
    this.viewer.draw();
    return this.viewer.fence();
  }

  prepare(row: Row): () => boolean {
    this.viewer.pose(pose(row));
    this.viewer.prepare();
    return this.viewer.fence();
  }

  show(): () => boolean {
    this.viewer.show();
    return this.viewer.fence();
  }

  resize(width: number, height: number): void {
    this.viewer.resize(width, height);
    this.viewer.frame(WIDE);
  }
}

const MOST = 240; // pictures that wait

/** Shows pictures that the server drew. */
export class Filmed implements Painter {
  private waiting: { start: number; picture: ImageBitmap }[] = [];
  private readonly paper: CanvasRenderingContext2D | null;

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.paper = canvas.getContext("2d");
  }

  /** Take a picture that is to be shown from `start` on, in place of all later ones. */
  async put(start: number, jpeg: Uint8Array<ArrayBuffer>): Promise<void> {
    const picture = await createImageBitmap(new Blob([jpeg], { type: "image/jpeg" }));
    this.cut(start);
    this.waiting.push({ start, picture });
    if (this.waiting.length > MOST) this.waiting.shift()?.picture.close();
  }

  cut(start: number): void {
    while (this.waiting.length && this.waiting.at(-1)!.start >= start) this.waiting.pop()!.picture.close();
  }

  async load(): Promise<void> {}

  draw(_: Row, sample: number): () => boolean {
    let due: ImageBitmap | undefined;
    while (this.waiting[0] && this.waiting[0].start <= sample) {
      due?.close();
      due = this.waiting.shift()!.picture;
    }
    if (due) this.paint(due);
    due?.close();
    return () => true;
  }

  resize(width: number, height: number): void {
    this.canvas.width = width;
    this.canvas.height = height;
  }

  /** As large as it fits, in the middle, standing on the ground. */
  private paint(picture: ImageBitmap): void {
    const { width, height } = this.canvas;
    const scale = Math.min(width / picture.width, height / picture.height);
    const [wide, high] = [picture.width * scale, picture.height * scale];
    this.paper?.drawImage(picture, (width - wide) / 2, height - high, wide, high);
  }
}
