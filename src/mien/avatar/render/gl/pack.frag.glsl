// The picture as the bytes that are read back, four to a texel: CHANNELS of each pixel, or PLANES of BT.709
// limited-range 4:2:0 (Y, Cb, Cr, and alpha where CHANNELS is 4), rounded as kernels/yuv.py rounds.
uniform sampler2D picture;
uniform int pitch; // texels in a row of the target
out vec4 bytes;

ivec2 size;

// sRGB and alpha of a pixel, 0 to 255; the picture holds colour times alpha.
ivec4 pixel(int x, int y) {
  vec4 own = texelFetch(picture, ivec2(x, size.y - 1 - y), 0);
  if (CHANNELS == 4) own.rgb = own.a > 0.0 ? min(own.rgb / own.a, 1.0) : vec3(0.0);
  return ivec4(own * 255.0 + 0.5);
}

int luma(int i) {
  ivec4 p = pixel(i % size.x, i / size.x);
  return (LUMA_R * p.r + LUMA_G * p.g + LUMA_B * p.b + 1081344) >> 16;
}

// The mean of four pixels, weighted by their alpha, in one of the two chroma planes.
int chroma(int i, ivec3 weight) {
  int width = size.x / 2, x = i % width * 2, y = i / width * 2, parts = 0;
  ivec3 sum = ivec3(0);
  for (int k = 0; k < 4; k++) {
    ivec4 p = pixel(x + (k & 1), y + (k >> 1));
    int part = CHANNELS == 4 ? p.a : 1;
    sum += p.rgb * part;
    parts += part;
  }
  if (CHANNELS == 4) sum = ivec3(vec3(sum) * (4.0 / max(float(parts), 1.0)));
  return (weight.r * sum.r + weight.g * sum.g + weight.b * sum.b + 33685504) >> 18;
}

int value(int i) {
  int area = size.x * size.y;
  if (PLANES == 0) {
    int at = i / CHANNELS;
    return at < area ? pixel(at % size.x, at / size.x)[i % CHANNELS] : 0;
  }
  if (i < area) return luma(i);
  if (i < area * 5 / 4) return chroma(i - area, ivec3(CB_R, CB_G, CB_B));
  if (i < area * 3 / 2) return chroma(i - area * 5 / 4, ivec3(CR_R, CR_G, CR_B));
  i -= area * 3 / 2;
  return i < area ? pixel(i % size.x, i / size.x).a : 0;
}

void main() {
  size = textureSize(picture, 0);
  int first = 4 * (int(gl_FragCoord.y) * pitch + int(gl_FragCoord.x));
  bytes = vec4(value(first), value(first + 1), value(first + 2), value(first + 3)) / 255.0;
}
