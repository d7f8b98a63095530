// A vertex of a head in three.js: its morphs and skin, our light.
#include <morphtarget_pars_vertex>
#ifdef JOINTS // few: uniforms; three.js keeps them in a texture, which is slow to read without a GPU
uniform mat4 joints[JOINTS];
#else
#include <skinning_pars_vertex>
#endif
attribute vec4 _light; // openness, jaw closed and half open; visibility of the key light, likewise
#if KIND == 0
attribute vec4 tangent;
#endif
#if KIND == 0 || KIND == 1 || KIND == 4
attribute vec4 _extra;
#endif
uniform mat3 headTurn;
#ifdef USE_MORPHTARGETS
uniform int moving; // how many targets weigh anything now, and which
uniform int movers[MORPHTARGETS_COUNT];
#endif
uniform float jaw;
uniform vec3 tint;

centroid varying vec3 diffuse;
centroid varying vec3 specular;
centroid varying vec4 detail;
centroid varying vec2 texel;

vec3 albedo() { // colours are stored darker where little light comes
#if KIND == 0
  return vec3(1.0);
#else
  float openness = KIND == TEETH || KIND == TONGUE ? _light.y : _light.x;
  return color.rgb * tint / (0.2 + 0.8 * openness);
#endif
}

void main() {
  #include <beginnormal_vertex>
  #include <begin_vertex>
#ifdef USE_MORPHTARGETS // three.js's own loops pass over all targets, twice
  for (int i = 0; i < moving; i++) {
    float much = morphTargetInfluences[movers[i]];
    transformed += much * getMorph(gl_VertexID, movers[i], 0).xyz;
    #ifdef USE_MORPHNORMALS
    objectNormal += much * getMorph(gl_VertexID, movers[i], 1).xyz;
    #endif
  }
#endif
#ifdef JOINTS
  mat4 skinMatrix = mat4(0.0);
  for (int i = 0; i < JOINTS; i++) {
    float much = dot(skinWeight, vec4(equal(ivec4(skinIndex), ivec4(i))));
    skinMatrix += much * joints[i];
  }
  objectNormal = mat3(skinMatrix) * objectNormal;
  transformed = (skinMatrix * vec4(transformed, 1.0)).xyz;
#else
  #include <skinbase_vertex>
  #include <skinnormal_vertex>
  #include <skinning_vertex>
#endif
  vec4 place = modelMatrix * vec4(transformed, 1.0);
  gl_Position = projectionMatrix * viewMatrix * place;
  texel = uv;
  Vertex point;
  point.n = normalize(mat3(modelMatrix) * objectNormal);
  point.v = normalize(cameraPosition - place.xyz);
  point.tint = albedo();
  point.along = vec3(0.0);
  point.hand = 1.0;
  point.inside = 0.0;
  point.openness = mix(_light.x, _light.y, jaw);
  point.shine = mix(_light.z, _light.w, jaw);
#if KIND == 0
  point.along = normalize(mat3(modelMatrix) * mat3(skinMatrix) * tangent.xyz);
  point.hand = tangent.w;
  point.inside = _extra.x;
#elif KIND == 4
  point.along = headTurn * _extra.xyz;
#endif
#if KIND == 1
  diffuse = point.n;
  specular = vec3(point.openness, point.shine, 0.0);
  detail = _extra;
#else
  Lit lit = illuminate(KIND, point);
  diffuse = lit.diffuse;
  specular = lit.specular;
  detail = vec4(lit.relief, lit.glint);
#endif
}
