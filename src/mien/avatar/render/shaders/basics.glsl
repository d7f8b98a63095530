// What all materials share. Formulas as in mien/avatar/render/kernels/basics.py.

float unit(float x) { return clamp(x, 0.0, 1.0); }

float towards(int light, vec3 n) { return dot(RIG[light], n); }

vec3 colorOf(int light) { return RIG[COLOR + light]; }

vec3 halfway(int light, vec3 v) {
  vec3 h = RIG[light] + v;
  return h * inversesqrt(dot(h, h) + 1e-9);
}

// The light of the harmonics from row `row` on in direction n, never below zero.
vec3 gather(int row, vec3 n) {
  vec3 sum = RIG[row] + RIG[row + 1] * n.y + RIG[row + 2] * n.z + RIG[row + 3] * n.x;
  sum += RIG[row + 4] * (n.x * n.y) + RIG[row + 5] * (n.y * n.z) + RIG[row + 6] * (3.0 * n.z * n.z - 1.0);
  sum += RIG[row + 7] * (n.x * n.z) + RIG[row + 8] * (n.x * n.x - n.y * n.y);
  return max(sum, 0.0);
}

// pow of zero is undefined in GLSL.
float power(float x, float exponent) { return x > 0.0 ? pow(x, exponent) : 0.0; }

float fifth(float x) { return x * x * x * x * x; }

// What an oily surface mirrors of a light in its two layers (Blinn-Phong, Kelemen's visibility, Schlick).
float gloss(int light, vec3 n, vec3 v) {
  vec3 h = halfway(light, v);
  float near = max(dot(n, h), 0.0), turn = max(dot(v, h), 0.0);
  float fresnel = F0 + (1.0 - F0) * fifth(1.0 - turn);
  float layers = LOBES.y * (LOBES.x + 2.0) / 8.0 * power(near, LOBES.x);
  layers += LOBES.w * (LOBES.z + 2.0) / 8.0 * power(near, LOBES.z);
  return layers * fresnel / max(turn * turn, 0.1) * unit(towards(light, n));
}

// A vertex as the light sees it. `inside`: 1 within the mouth. `along`: unit vector along u of skin's
// texture, or along a strand of hair; `hand`: which side of it v is.
struct Vertex {
  vec3 n, v, tint, along;
  float openness, shine, inside, hand;
};

// What a vertex hands on: light that its colour tints, light that it mirrors, and how both change where
// fine relief tilts the normal along u and v.
struct Lit {
  vec3 diffuse, specular;
  vec2 relief, glint;
};
