// Hair (Kajiya and Kay, its highlights shifted as Marschner's), cloth, and what is wet.

Lit hair(Vertex p) {
  Lit lit;
  vec3 n = dot(p.n, p.v) < 0.0 ? -0.3 * p.n : p.n;
  float along = towards(KEY_LIGHT, p.along), across = sqrt(max(1.0 - along * along, 0.0));
  float side = unit(towards(KEY_LIGHT, n) * 0.65 + 0.35), fill = unit(towards(FILL_LIGHT, n) * 0.5 + 0.5);
  vec3 h = halfway(KEY_LIGHT, p.v);
  float th = dot(p.along, h), nh = dot(n, h);
  float root = th - 0.14 * nh, tip = th + 0.08 * nh;
  float second = exp(-12.0 * root * root) * 0.48, first = exp(-46.0 * tip * tip) * 0.055;
  th = dot(p.along, halfway(FILL_LIGHT, p.v));
  float third = exp(-18.0 * th * th) * 0.3;
  float shadow = 0.22 + 0.78 * p.shine, hollow = 0.45 + 0.55 * p.openness;
  vec3 rim = colorOf(RIM_LEFT) * unit(towards(RIM_LEFT, n)) + colorOf(RIM_RIGHT) * unit(towards(RIM_RIGHT, n));
  rim *= p.openness;
  vec3 diffuse = colorOf(KEY_LIGHT) * across * side * side * shadow;
  diffuse += gather(WALL, n) * (0.25 + 0.95 * p.openness);
  diffuse += colorOf(FILL_LIGHT) * (0.15 + 0.6 * p.openness) * fill + rim;
  lit.diffuse = p.tint * diffuse * hollow;
  vec3 glow = colorOf(KEY_LIGHT) * (first + second * p.tint) * side * shadow * p.openness;
  glow += (colorOf(FILL_LIGHT) * third + rim * 0.25) * p.tint * p.openness;
  lit.specular = glow * hollow;
  return lit;
}

Lit cloth(Vertex p) {
  Lit lit;
  float fuzz = 1.0 - max(dot(p.n, p.v), 0.0);
  fuzz = fuzz * fuzz * fuzz * 0.35;
  float direct = unit((towards(KEY_LIGHT, p.n) + 0.12) / 1.12) * p.shine;
  float side = unit(towards(FILL_LIGHT, p.n) * 0.7 + 0.3), free = p.openness * (0.6 + 0.4 * p.openness);
  vec3 rim = colorOf(RIM_LEFT) * unit(towards(RIM_LEFT, p.n));
  rim = (rim + colorOf(RIM_RIGHT) * unit(towards(RIM_RIGHT, p.n))) * p.openness;
  vec3 around = (colorOf(FILL_LIGHT) * side + gather(WALL, p.n)) * (1.0 + fuzz) * free;
  lit.diffuse = p.tint * (colorOf(KEY_LIGHT) * direct + around) + rim * (p.tint * 0.6 + 0.01);
  lit.specular = vec3(0.0);
  return lit;
}

// Teeth, tongue and eyeballs from elsewhere; and brows and lashes, which are dry.
Lit wet(Vertex p, int kind) {
  Lit lit;
  float sheen = max(dot(p.n, halfway(KEY_LIGHT, p.v)), 0.0);
  float bright = kind == STRAND ? 0.0 : (power(sheen, 72.0) * 0.95 + power(sheen, 14.0) * 0.16) * p.shine;
  float direct = unit(towards(KEY_LIGHT, p.n) * 0.6 + 0.4) * (0.55 + 0.45 * p.shine) * 0.75;
  float side = unit(towards(FILL_LIGHT, p.n) * 0.5 + 0.5) * 0.8;
  vec3 diffuse = colorOf(KEY_LIGHT) * direct + colorOf(FILL_LIGHT) * side + gather(WALL, p.n);
  if (kind == TEETH) diffuse *= DENTINE;
  vec3 glow = bright * colorOf(KEY_LIGHT) * p.openness, body = p.tint * diffuse * p.openness;
  bool apart = kind == EYEBALL; // its picture must not tint the highlight
  lit.diffuse = apart ? body : body + glow;
  lit.specular = apart ? glow : vec3(0.0);
  return lit;
}

// The light of any vertex but an eye's.
Lit illuminate(int kind, Vertex p) {
  Lit lit;
  if (kind == SKIN) lit = skin(p);
  else if (kind == HAIR) lit = hair(p);
  else if (kind == CLOTH || kind == PLAIN) lit = cloth(p);
  else lit = wet(p, kind);
  if (kind != SKIN) lit.relief = lit.glint = vec2(0.0);
  return lit;
}
