// From light and textures to a colour on the screen.

// Skin, or a surface from elsewhere with a picture. `tilt`: of the normal along u and v, within -1 to 1.
vec3 textured(int kind, vec3 albedo, float oil, vec2 tilt, Lit lit) {
  vec3 diffuse = lit.diffuse;
  if (kind == SKIN) {
    diffuse += colorOf(KEY_LIGHT) * dot(lit.relief, tilt);
    float bend = 1.0 + 0.5 * clamp(dot(lit.glint, tilt), -2.0, 2.0);
    oil *= bend * bend;
  }
  return diffuse * albedo + oil * lit.specular;
}

// A lock of hair; `streak`: how bright its strands are, from 0 to 1.
vec3 strands(float streak, Lit lit) {
  return lit.diffuse * (0.34 + 0.66 * 2.0 * streak) + lit.specular * (0.25 + 1.5 * streak);
}

// sRGB of linear light on film (Narkowicz's fit of the ACES curve).
vec3 show(vec3 light) {
  vec3 x = max(light, 0.0) * EXPOSURE;
  x = clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
  return mix(1.055 * pow(max(x, 1e-6), vec3(1.0 / 2.4)) - 0.055, x * 12.92, lessThanEqual(x, vec3(0.0031308)));
}
