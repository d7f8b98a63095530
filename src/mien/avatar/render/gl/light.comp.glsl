// Every vertex of a head: morphed, turned, lit.
layout(local_size_x = 64) in;

struct Still {
  vec4 position; // and material
  vec4 normal;
  vec4 shade; // openness, jaw closed and half open; visibility of the key light, likewise
  vec4 tint; // colour, or in x whether skin is inside the mouth; how much it follows the head
  vec4 along; // skin: unit vector along u, and hand; hair: along the strand; eye: on the unit eyeball, side
  vec4 rest; // texture coordinates; first row of the morph targets that move it, and their count
};
struct Drawn {
  vec4 place; // in clip space
  vec4 diffuse, specular; // and texture coordinates
  vec4 detail;
};
layout(std430, binding = 0) readonly buffer Stills { Still stills[]; };
layout(std430, binding = 1) readonly buffer Deltas { vec4 deltas[]; }; // move and target, turn
layout(std430, binding = 2) writeonly buffer Drawns { Drawn drawns[]; };

void morph(vec4 rest, inout vec3 p, inout vec3 n) {
  int first = int(rest.z), last = first + int(rest.w);
  for (int row = first; row < last; row++) {
    vec4 move = deltas[2 * row];
    int target = int(move.w);
    float weight = weights[target >> 2][target & 3];
    if (weight == 0.0) continue;
    p += weight * move.xyz;
    n += weight * deltas[2 * row + 1].xyz;
  }
}

vec3 follow(vec3 x, float weight) { return x + (mat3(head) * x - x) * weight; }

Vertex vertex(Still own, int kind, vec3 p, vec3 n) {
  Vertex point;
  point.n = n;
  point.v = normalize(viewer.xyz - p);
  point.tint = own.tint.rgb;
  point.along = kind == SKIN ? follow(own.along.xyz, own.tint.w) : mat3(head) * own.along.xyz;
  point.hand = own.along.w;
  point.inside = own.tint.x;
  point.openness = mix(own.shade.x, own.shade.y, state.z);
  point.shine = mix(own.shade.z, own.shade.w, state.z);
  return point;
}

Drawn lit(Still own, int kind, Vertex point) {
  Drawn drawn;
  if (kind == EYE) { // its points are lit one by one
    drawn.diffuse.rgb = point.n;
    drawn.specular.rgb = vec3(point.openness, point.shine, 0.0);
    drawn.detail = own.along;
  } else {
    Lit light = illuminate(kind, point);
    drawn.diffuse.rgb = light.diffuse;
    drawn.specular.rgb = light.specular;
    drawn.detail = vec4(light.relief, light.glint);
  }
  drawn.diffuse.w = own.rest.x;
  drawn.specular.w = own.rest.y;
  return drawn;
}

void main() {
  int i = int(gl_GlobalInvocationID.x);
  if (i >= stills.length()) return;
  Still own = stills[i];
  int kind = int(own.position.w), side = own.along.w > 0.5 ? 1 : 0;
  vec3 p = own.position.xyz, n = own.normal.xyz;
  morph(own.rest, p, n);
  if (kind == EYE || kind == EYEBALL) {
    p = mat3(gaze[side]) * (p - gaze[side][3].xyz) + gaze[side][3].xyz;
    n = mat3(gaze[side]) * n;
  }
  p = follow(p - head[3].xyz, own.tint.w) + head[3].xyz;
  n = follow(n, own.tint.w);
  Drawn drawn = lit(own, kind, vertex(own, kind, p, n * inversesqrt(dot(n, n) + 1e-12)));
  drawn.place = lens * vec4(p, 1.0);
  drawns[i] = drawn;
}
