/** The studio's wall, as `mien.avatar.render.background.studio` paints it: a soft pool of light, with grain. */
const EDGE = [36, 44, 54] as const;
const CENTER = [112, 126, 138] as const;
const WARM = [16, 9, 0] as const;

export function backdrop(canvas: HTMLCanvasElement): void {
  const { width, height } = canvas;
  const paper = canvas.getContext("2d");
  if (!paper || !width || !height) return;
  const picture = paper.createImageData(width, height);
  for (let at = 0, row = 0; row < height; row++)
    for (let column = 0; column < width; column++, at += 4) {
      const x = (column - width / 2) / height;
      const y = 1 - row / height;
      const pool = Math.exp(-((x + 0.12) ** 2 + (y - 0.58) ** 2 * 1.1) / 0.34);
      const lamp = Math.exp(-((x - 0.75) ** 2 + (y - 0.2) ** 2) / 0.25);
      const grain = Math.random() - Math.random() + 0.5;
      for (let hue = 0; hue < 3; hue++)
        picture.data[at + hue] = EDGE[hue]! + pool * (CENTER[hue]! - EDGE[hue]!) + lamp * WARM[hue]! + grain;
      picture.data[at + 3] = 255;
    }
  paper.putImageData(picture, 0, 0);
}
