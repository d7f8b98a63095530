// The picture as the bytes that are read back, four to a word: CHANNELS of each pixel, or PLANES of BT.709
// limited-range 4:2:0 (Y, Cb, Cr, and alpha where CHANNELS is 4), rounded as kernels/yuv.py rounds.
layout(local_size_x = 64) in;
layout(binding = 0) uniform sampler2DMS samples; // nothing where the head is not
layout(binding = 1) uniform sampler2D behind;
layout(std430, binding = 0) writeonly buffer Words { uint words[]; };

const ivec2 size = ivec2(WIDTH, HEIGHT);

// sRGB and alpha of a pixel, 0 to 255.
ivec4 pixel(int x, int y) {
  vec4 own = vec4(0.0);
  for (int k = 0; k < SAMPLES; k++) own += texelFetch(samples, ivec2(x, size.y - 1 - y), k);
  own /= float(SAMPLES);
  if (CHANNELS == 3) own.rgb += (1.0 - own.a) * texelFetch(behind, ivec2(x, y), 0).rgb;
  else own.rgb = own.a > 0.0 ? min(own.rgb / own.a, 1.0) : vec3(0.0);
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
  int word = int(gl_GlobalInvocationID.x), first = 4 * word;
  if (word >= words.length()) return;
  words[word] = uint(value(first)) | uint(value(first + 1)) << 8 | uint(value(first + 2)) << 16
    | uint(value(first + 3)) << 24;
}
