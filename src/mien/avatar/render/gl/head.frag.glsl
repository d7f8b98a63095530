// A point of a head.
centroid in vec3 diffuse;
centroid in vec3 specular;
centroid in vec4 detail;
centroid in vec2 texel;
flat in ivec2 kind;
layout(binding = 0) uniform sampler2D skin_map; // square roots of albedo; gloss
layout(binding = 1) uniform sampler2D relief_map;
layout(binding = 2) uniform sampler2D streaks;
out vec4 shown;

Gaze gazing() {
  Gaze eye;
  eye.turn = mat3(head) * mat3(gaze[kind.y]);
  eye.v = sight.xyz;
  eye.up = head[1].xyz;
  eye.lid = state[kind.y];
  eye.inner = iris[0].rgb;
  eye.outer = iris[1].rgb;
  return eye;
}

vec3 light() {
  if (kind.x == EYE) return eye(normalize(detail.xyz), normalize(diffuse), specular.x, specular.y, gazing());
  Lit lit = Lit(diffuse, specular, detail.xy, detail.zw);
  if (kind.x == HAIR) return strands(texture(streaks, texel).r, lit);
  if (kind.x != SKIN && kind.x != PLAIN && kind.x != EYEBALL) return diffuse;
  vec4 own = texture(skin_map, texel);
  vec2 tilt = (texture(relief_map, texel).rg * 255.0 - 128.0) / 127.0;
  return textured(kind.x, own.rgb * own.rgb, own.a, tilt, lit);
}

void main() { shown = vec4(show(light()), 1.0); }
