/** The rows of `mien.face.delta`: 66 bytes each, as docs/protocol.md lays them out. */
import { WEIGHTS, WIDTH, type Row } from "../face/row";
import { bytes } from "./bytes";

const ANGLES = WIDTH - WEIGHTS;
const ROW = WEIGHTS + 2 * ANGLES; // bytes
const UNIT = 10_000; // of a radian

/** The rows in `text`; throws `RangeError` unless there are `count` of them. */
export function frames(text: string, count: number): Row[] {
  const data = bytes(text);
  if (data.length !== count * ROW) throw new RangeError(`${data.length} bytes are not ${count} rows of ${ROW}`);
  return Array.from({ length: count }, (_, index) => read(new DataView(data.buffer, index * ROW, ROW)));
}

function read(view: DataView): Row {
  const row = new Float32Array(WIDTH);
  for (let at = 0; at < WEIGHTS; at++) row[at] = view.getUint8(at) / 255;
  for (let at = 0; at < ANGLES; at++) row[WEIGHTS + at] = view.getInt16(WEIGHTS + 2 * at, true) / UNIT;
  return row;
}
