// A point of a head in three.js.
uniform sampler2D map;
uniform sampler2D rough;
uniform sampler2D relief;
uniform bool hasRough, hasRelief;
uniform mat3 turn;
uniform vec3 sight, up;
uniform vec3 iris[2];
uniform float lid;

centroid varying vec3 diffuse;
centroid varying vec3 specular;
centroid varying vec4 detail;
centroid varying vec2 texel;

vec3 light() {
#if KIND == 1
  return eye(normalize(detail.xyz), normalize(diffuse), specular.x, specular.y, Gaze(turn, sight, up, iris[0], iris[1], lid));
#else
  Lit lit = Lit(diffuse, specular, detail.xy, detail.zw);
  #if KIND == 4
  return strands(texture(map, texel).r, lit);
  #elif KIND == 0 || KIND == 7 || KIND == 8
  float oil = hasRough ? 1.0 - texture(rough, texel).g : 0.35;
  vec2 tilt = hasRelief ? (texture(relief, texel).rg * 255.0 - 128.0) / 127.0 : vec2(0.0);
  return textured(KIND, texture(map, texel).rgb, oil, tilt, lit);
  #else
  return diffuse;
  #endif
#endif
}

void main() { gl_FragColor = vec4(show(light()), 1.0); }
