/** Base64 and PCM16. */

/** The bytes of base64; throws for what is none. */
export function bytes(text: string): Uint8Array<ArrayBuffer> {
  const raw = atob(text);
  const made = new Uint8Array(raw.length);
  for (let at = 0; at < raw.length; at++) made[at] = raw.charCodeAt(at);
  return made;
}

export function base64(data: ArrayBufferView): string {
  const from = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  let raw = "";
  for (let at = 0; at < from.length; at += 4096) raw += String.fromCharCode(...from.subarray(at, at + 4096));
  return btoa(raw);
}

/** Sound from base64 of little-endian PCM16. */
export function sound(text: string): Float32Array {
  const view = new DataView(bytes(text).buffer);
  const made = new Float32Array(view.byteLength >> 1);
  for (let at = 0; at < made.length; at++) made[at] = view.getInt16(2 * at, true) / 32768;
  return made;
}
