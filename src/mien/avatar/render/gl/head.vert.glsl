// A vertex that `light.comp` has lit.
in vec4 place;
in vec4 lit_diffuse;
in vec4 lit_specular;
in vec4 lit_detail;
in ivec2 about; // material; side of an eye

centroid out vec3 diffuse;
centroid out vec3 specular;
centroid out vec4 detail;
centroid out vec2 texel;
flat out ivec2 kind;

void main() {
  gl_Position = place;
  diffuse = lit_diffuse.rgb;
  specular = lit_specular.rgb;
  detail = lit_detail;
  texel = vec2(lit_diffuse.w, lit_specular.w);
  kind = about;
}
