/** What shows a face: three.js, or the server's pictures where there is no WebGL. */
import { type Row, pose } from "./row";
import type { Framing, Viewer } from "./viewer";

/** `done` answers whether the picture is there. */
export interface Drawing {
  sample: number;
  done: () => boolean;
}

export interface Painter {
  load(url: string): Promise<void>;
  /** Draw the face `row`, which belongs to `sample`; returns what was drawn, undefined when that is there already. */
  draw(row: Row, sample: number): Drawing | undefined;
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

  draw(row: Row, sample: number): Drawing {
    this.viewer.pose(pose(row));
    this.viewer.draw();
    return { sample, done: this.viewer.fence() };
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
const PIXELS = 400_000; // of one

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

  draw(_: Row, sample: number): Drawing | undefined {
    const due = this.waiting.filter(({ start }) => start <= sample);
    this.waiting.splice(0, due.length);
    const last = due.at(-1);
    if (last) this.paint(last.picture);
    for (const { picture } of due) picture.close();
    return last && { sample: last.start, done: () => true };
  }

  resize(width: number, height: number): void {
    this.canvas.width = width;
    this.canvas.height = height;
  }

  /** The size in which pictures are to be asked for. */
  get size(): { width: number; height: number } {
    const { clientWidth, clientHeight } = this.canvas;
    const scale = Math.min(1, Math.sqrt(PIXELS / (clientWidth * clientHeight)));
    const even = (each: number) => Math.min(1280, Math.max(64, 2 * Math.round((each * scale) / 2)));
    return { width: even(clientWidth), height: even(clientHeight) };
  }

  /** So that it covers everything, from its middle. */
  private paint(picture: ImageBitmap): void {
    const { width, height } = this.canvas;
    const scale = Math.max(width / picture.width, height / picture.height);
    const [wide, high] = [picture.width * scale, picture.height * scale];
    this.paper?.drawImage(picture, (width - wide) / 2, (height - high) / 2, wide, high);
  }
}
