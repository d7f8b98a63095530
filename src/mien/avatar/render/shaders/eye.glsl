// One point of an eyeball: iris under a clear cornea, white around it, wet all over.

float step3(float low, float high, float x) { // as smoothstep, but `low` may be the larger one
  float t = unit((x - low) / (high - low));
  return t * t * (3.0 - 2.0 * t);
}

float pattern(vec2 at, float r) {
  float angle = atan(at.y, at.x);
  float fibre = 0.5 + 0.22 * sin(angle * 23.0 + 1.3 * sin(angle * 7.0 + r * 5.0));
  fibre += 0.20 * sin(angle * 61.0 + 2.0 * sin(angle * 13.0) + r * 3.0);
  fibre += 0.10 * sin(angle * 37.0 - r * 11.0);
  float bright = 0.55 + 0.85 * fibre * (0.4 + 0.6 * unit((r - 0.3) / 0.3));
  bright *= 1.35 - 0.35 * step3(PUPIL, 0.58, r);
  bright *= 1.0 - 0.85 * step3(0.70, 1.0, r);
  return bright * step3(PUPIL - 0.02, PUPIL + 0.07, r);
}

// How much of the soft-box and of the fill light is mirrored in direction m.
float glints(vec3 m) {
  vec3 side = normalize(vec3(WINDOW_AT.z, 0.0, -WINDOW_AT.x)), top = cross(WINDOW_AT, side);
  float across = abs(dot(m, side)), up = dot(m, top), edge = WINDOW.z;
  float box = step3(WINDOW.x + edge, WINDOW.x - edge, across);
  box *= step3(WINDOW.y + edge, WINDOW.y - edge, abs(up)) * (0.95 + 1.2 * up);
  float lamp = step3(0.985, 0.997, dot(m, LAMP_AT));
  return (dot(m, WINDOW_AT) > 0.0 ? box : 0.0) + lamp * 0.10;
}

// How an eyeball stands. `turn`: eyeball to world; `v`: towards the camera; `up` of the head;
// `lid`: height of the upper lid's shadow; `inner`, `outer`: colours of the iris.
struct Gaze {
  mat3 turn;
  vec3 v, up, inner, outer;
  float lid;
};

// Linear light of point p of the unit eyeball that looks along +z; n: its normal in the world.
vec3 eye(vec3 p, vec3 n, float openness, float shine, Gaze gaze) {
  vec3 look = gaze.v * gaze.turn; // the way to the camera in the eyeball's own axes
  float radius = length(p.xy), deep = step3(IRIS, 0.0, radius) * DEPTH;
  vec2 at = p.xy - look.xy * deep;
  float r = length(at) / IRIS;
  float bright = pattern(at, r) * (1.0 + 0.55 * unit((at.x * 0.55 - at.y * 0.75) / IRIS));
  float within = step3(1.10, 0.90, r), height = dot(gaze.turn * p, gaze.up);
  float shadow = 0.26 + 0.74 * step3(gaze.lid + 0.16, gaze.lid - 0.50, height);
  shadow *= 1.0 - 0.56 * step3(0.42, 0.95, radius);
  float flat_ = unit(towards(KEY_LIGHT, gaze.turn * vec3(-0.5 * p.xy, 0.87)) * 0.7 + 0.35);
  float ball = unit((towards(KEY_LIGHT, n) + 0.35) / 1.35);
  float direct = mix(ball, flat_, within) * (0.35 + 0.65 * shine) * 0.8;
  float fill = unit(towards(FILL_LIGHT, n) * 0.6 + 0.4), facing = max(dot(n, gaze.v), 0.0);
  vec3 m = 2.0 * facing * n - gaze.v;
  float tear = step3(gaze.lid - 0.80, gaze.lid - 0.92, height) * 0.09 * openness;
  float spot = glints(m) * step3(0.10, 0.45, openness) * step3(gaze.lid + 0.10, gaze.lid - 0.12, height) + tear;
  float film = (F0 + (1.0 - F0) * fifth(1.0 - facing)) * openness;
  vec3 inside = mix(gaze.inner, gaze.outer, step3(0.25, 0.95, r)) * bright;
  vec3 ground = mix(WHITE, VEIN, step3(0.58, 0.98, radius) * 0.45);
  vec3 light = colorOf(KEY_LIGHT) * direct + colorOf(FILL_LIGHT) * fill + gather(WALL, n);
  return mix(ground, inside, within) * light * openness * shadow + spot + gather(MIRROR, m) * film;
}
