// The light of skin: wrapped, red furthest, as light that goes under it comes out beside.

void relief(Vertex p, inout Lit lit) {
  vec3 up = p.hand * cross(p.n, p.along);
  float s = unit((towards(KEY_LIGHT, p.n) + WRAP.g) / (1.0 + WRAP.g));
  float slope = s > 0.0 ? (1.0 - BEND + 2.0 * BEND * s) / (1.0 + WRAP.g) * p.shine : 0.0;
  lit.relief.x = slope * towards(KEY_LIGHT, p.along) + 0.18 * towards(FILL_LIGHT, p.along);
  lit.relief.y = slope * towards(KEY_LIGHT, up) + 0.18 * towards(FILL_LIGHT, up);
  vec3 h = halfway(KEY_LIGHT, p.v);
  lit.glint = DETAIL / max(dot(p.n, h), 0.4) * vec2(dot(h, p.along), dot(h, up));
}

Lit skin(Vertex p) {
  Lit lit;
  float left = unit(towards(RIM_LEFT, p.n) + 0.1), right = unit(towards(RIM_RIGHT, p.n) + 0.1);
  float facing = max(dot(p.n, p.v), 0.0), soft = sqrt(max(p.openness, 0.0)), dim = sqrt(max(p.shine, 0.0));
  vec3 direct = clamp((towards(KEY_LIGHT, p.n) + WRAP) / (1.0 + WRAP), 0.0, 1.0);
  vec3 side = clamp((towards(FILL_LIGHT, p.n) + WRAP) / (1.0 + WRAP), 0.0, 1.0);
  direct *= (1.0 - BEND + BEND * direct) * (p.shine + (dim - p.shine) * BLEED);
  float hollow = p.openness * (0.55 + 0.45 * p.openness);
  vec3 free = hollow + (soft - hollow) * BLEED;
  vec3 rims = colorOf(RIM_LEFT) * left + colorOf(RIM_RIGHT) * right;
  vec3 around = colorOf(FILL_LIGHT) * side + gather(WALL, p.n);
  vec3 diffuse = colorOf(KEY_LIGHT) * direct * (0.7 + 0.3 * free) + around * free + rims * 0.3 * p.openness;
  lit.diffuse = diffuse * (1.0 - 0.35 * p.inside);
  vec3 seen = gather(MIRROR, 2.0 * facing * p.n - p.v);
  vec3 glow = colorOf(KEY_LIGHT) * gloss(KEY_LIGHT, p.n, p.v) * p.shine;
  glow += colorOf(FILL_LIGHT) * gloss(FILL_LIGHT, p.n, p.v) * p.openness;
  glow += seen * (F0 + 0.5 * fifth(1.0 - facing)) * p.openness;
  vec3 edges = colorOf(RIM_LEFT) * gloss(RIM_LEFT, p.n, p.v);
  edges += colorOf(RIM_RIGHT) * gloss(RIM_RIGHT, p.n, p.v);
  lit.specular = 2.0 * (glow + edges * p.openness * 0.6) * (1.0 - 0.6 * p.inside);
  relief(p, lit);
  return lit;
}
