// What is behind the head, pixel for pixel.
uniform sampler2D picture;
out vec4 shown;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  at.y = textureSize(picture, 0).y - 1 - at.y;
  shown = vec4(texelFetch(picture, at, 0).rgb, 1.0);
}
