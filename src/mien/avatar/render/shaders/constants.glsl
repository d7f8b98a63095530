// Written by scripts/shaders.py from lights.py and tone.py; change those.
const int SKIN = 0;
const int EYE = 1;
const int TEETH = 2;
const int TONGUE = 3;
const int HAIR = 4;
const int STRAND = 5;
const int CLOTH = 6;
const int PLAIN = 7;
const int EYEBALL = 8;
const int KEY_LIGHT = 0;
const int FILL_LIGHT = 1;
const int RIM_LEFT = 2;
const int RIM_RIGHT = 3;
const int COLOR = 4;
const int WALL = 8;
const int MIRROR = 17;
const float BEND = 0.45;
const float F0 = 0.028;
const float DETAIL = 13.0;
const float IRIS = 0.455;
const float PUPIL = 0.33;
const float DEPTH = 0.13;
const vec3 WRAP = vec3(0.39, 0.22, 0.16);
const vec3 BLEED = vec3(0.42, 0.16, 0.06);
const vec3 DENTINE = vec3(1.06, 1.0, 0.9);
const vec3 WHITE = vec3(0.49, 0.46, 0.44);
const vec3 VEIN = vec3(0.45, 0.25, 0.2);
const vec3 WINDOW = vec3(0.13, 0.16, 0.035);
const vec3 WINDOW_AT = vec3(-0.4390505, 0.5073473, 0.7415075);
const vec3 LAMP_AT = vec3(0.6083111, 0.1177376, 0.7849175);
const vec4 LOBES = vec4(12.0, 0.72, 56.0, 0.28);
const float EXPOSURE = 0.8;
const vec3 RIG[26] = vec3[26](
  vec3(-0.5009739, 0.5647342, 0.6558204),
  vec3(0.8132203, 0.09567297, 0.5740378),
  vec3(-0.767353, 0.3644927, -0.5275552),
  vec3(0.7642221, 0.3914308, -0.512588),
  vec3(1.62, 1.47, 1.31),
  vec3(0.22, 0.26, 0.315),
  vec3(1.0, 1.12, 1.26),
  vec3(1.12, 1.02, 0.9),
  vec3(0.3276815, 0.3194539, 0.3274975),
  vec3(0.09078499, 0.1233959, 0.1510368),
  vec3(0.1094844, 0.1005901, 0.09612197),
  vec3(-0.05424802, -0.04340742, -0.02914832),
  vec3(-0.03384653, -0.03400644, -0.03428102),
  vec3(0.02318615, 0.03323638, 0.04140901),
  vec3(-0.0175395, -0.0177608, -0.01859837),
  vec3(-0.03259975, -0.03273315, -0.03266086),
  vec3(-0.02540489, -0.02226362, -0.02151145),
  vec3(0.3276815, 0.3194539, 0.3274975),
  vec3(0.1171126, 0.1591807, 0.1948374),
  vec3(0.1412349, 0.1297612, 0.1239973),
  vec3(-0.06997995, -0.05599557, -0.03760133),
  vec3(-0.0839394, -0.08433598, -0.08501694),
  vec3(0.05750165, 0.08242623, 0.1026943),
  vec3(-0.04349796, -0.04404679, -0.04612396),
  vec3(-0.08084738, -0.08117821, -0.08099893),
  vec3(-0.06300414, -0.05521379, -0.0533484)
);
