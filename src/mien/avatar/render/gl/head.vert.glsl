// A vertex of a head: morphed, turned, lit.
in vec3 position;
in vec3 normal;
in vec4 shade; // openness, jaw closed and half open; visibility of the key light, likewise
in vec4 tint; // colour, or in x whether skin is inside the mouth; how much it follows the head
in vec4 along; // skin: unit vector along u, and hand; hair: along the strand; eye: on the unit eyeball, side
in vec2 uv;
in ivec3 about; // material; first row of the morph targets that move it, and their count

centroid out vec3 diffuse;
centroid out vec3 specular;
centroid out vec4 detail;
centroid out vec2 texel;
flat out ivec2 kind;

void morph(inout vec3 p, inout vec3 n) {
  for (int row = about.y; row < about.y + about.z; row++) {
    ivec2 at = ivec2(2 * row % DELTA_WIDTH, 2 * row / DELTA_WIDTH);
    vec4 move = texelFetch(deltas, at, 0);
    int target = int(move.w);
    float weight = weights[target >> 2][target & 3];
    if (weight == 0.0) continue;
    p += weight * move.xyz;
    n += weight * texelFetch(deltas, at + ivec2(1, 0), 0).xyz;
  }
}

vec3 follow(vec3 x) { return x + (mat3(head) * x - x) * tint.w; }

Vertex vertex(vec3 p, vec3 n) {
  Vertex point;
  point.n = n;
  point.v = normalize(viewer.xyz - p);
  point.tint = about.x == SKIN ? vec3(1.0) : tint.rgb;
  point.along = about.x == SKIN ? follow(along.xyz) : mat3(head) * along.xyz;
  point.hand = along.w;
  point.inside = tint.x;
  point.openness = mix(shade.x, shade.y, state.z);
  point.shine = mix(shade.z, shade.w, state.z);
  return point;
}

void main() {
  vec3 p = position, n = normal;
  morph(p, n);
  int side = along.w > 0.5 ? 1 : 0;
  if (about.x == EYE || about.x == EYEBALL) {
    p = mat3(gaze[side]) * (p - gaze[side][3].xyz) + gaze[side][3].xyz;
    n = mat3(gaze[side]) * n;
  }
  p = follow(p - head[3].xyz) + head[3].xyz;
  n = follow(n);
  n *= inversesqrt(dot(n, n) + 1e-12);
  gl_Position = lens * vec4(p, 1.0);
  kind = ivec2(about.x, side);
  texel = uv;
  Vertex point = vertex(p, n);
  if (about.x == EYE) {
    diffuse = n;
    specular = vec3(point.openness, point.shine, 0.0);
    detail = along;
    return;
  }
  Lit lit = illuminate(about.x, point);
  diffuse = lit.diffuse;
  specular = lit.specular;
  detail = vec4(lit.relief, lit.glint);
}
