// What changes from frame to frame; as `frame.py` lays it out.
layout(std140, binding = 0) uniform Frame {
  mat4 head; // its rotation; in the last column the pivot
  mat4 lens; // world to clip space
  mat4 gaze[2]; // of each eye: its rotation; in the last column its centre
  vec4 viewer; // where the camera stands
  vec4 sight; // from the eyes to the camera
  vec4 iris[2];
  vec4 state; // height of the shadow of the left and the right upper lid; how open the jaw is
  vec4 weights[MOST / 4]; // of the morph targets
};
