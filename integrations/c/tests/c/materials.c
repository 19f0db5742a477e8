/* Materials, textures and morph targets of a model, and a model in an .fbx file. */
#include "person.h"

#include <math.h>

/* A triangle with a texture of two pixels and one morph target, whose weight a clip takes from 0 to 1. */
static const char *const face =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"root\",\"mesh"
    "\":0,\"children\":[1]},{\"name\":\"child\",\"translation\":[0,1,0]}],\"meshes\":[{\"name\":\"face\",\"weights\""
    ":[0.25],\"extras\":{\"targetNames\":[\"smile\"]},\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,"
    "\"TEXCOORD_0\":2,\"COLOR_0\":5},\"indices\":3,\"material\":0,\"targets\":[{\"POSITION\":4}]}]}],\"materials\":"
    "[{\"name\":\"skin\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.5,1,1,1],\"baseColorTexture\":{\"index\":"
    "0}},\"emissiveFactor\":[0,0,0.5],\"emissiveTexture\":{\"index\":0},\"doubleSided\":true,\"alphaMode\":\"MASK\""
    ",\"alphaCutoff\":0.25}],\"textures\":[{\"source\":0,\"sampler\":0}],\"samplers\":[{\"wrapS\":33071,\"wrapT\":3"
    "3648,\"magFilter\":9728}],\"images\":[{\"uri\":\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD"
    "0In+KAAAAD0lEQVR42mP4z8DwHwgbABB5A37EGHKQAAAAAElFTkSuQmCC\"}],\"animations\":[{\"name\":\"smiles\",\"samplers\""
    ":[{\"input\":6,\"output\":7}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"weights\"}}]}],\""
    "buffers\":[{\"byteLength\":204,\"uri\":\"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAA"
    "AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAIA/AAAAAAAAAAAAAIA/AAAAAAAAAAAAAIA/AAAAAAAAAAAAAIA/AAABAAIAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPwAAAAAAAIA/AAAAAAAAAAAAAIA/AAAAAAAAgD8AAAAAAACAPwAAAAAAAAAAAACAPwAAAD8A"
    "AAAAAACAPwAAAAAAAIA/\"}],\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":36},{\"buffer\":0,\"by"
    "teOffset\":36,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":72,\"byteLength\":24},{\"buffer\":0,\"byteOffset"
    "\":96,\"byteLength\":6},{\"buffer\":0,\"byteOffset\":104,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":140,\""
    "byteLength\":48},{\"buffer\":0,\"byteOffset\":188,\"byteLength\":8},{\"buffer\":0,\"byteOffset\":196,\"byteLen"
    "gth\":8}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0"
    "],\"max\":[1,1,0]},{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},{\"bufferView\":2,\""
    "componentType\":5126,\"count\":3,\"type\":\"VEC2\"},{\"bufferView\":3,\"componentType\":5123,\"count\":3,\"typ"
    "e\":\"SCALAR\"},{\"bufferView\":4,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\""
    ":[0,0.5,0]},{\"bufferView\":5,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},{\"bufferView\":6,\"compon"
    "entType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},{\"bufferView\":7,\"componentType\":51"
    "26,\"count\":2,\"type\":\"SCALAR\"}]}";
static KinescopeModel *read_model(const char *path)
{
    static unsigned char bytes[4 << 20];
    KinescopeModel *model = NULL;
    FILE *file = fopen(path, "rb");
    EXPECT(file != NULL);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    DONE(kinescope_model_new(path, bytes, size, &model));
    return model;
}

static void materials(const KinescopeModel *model)
{
    KinescopeMaterial material;
    KinescopeTexture texture;
    unsigned char pixels[8];
    float colors[12];
    size_t needed = 0;
    EXPECT(kinescope_model_materials(model) == 1 && kinescope_model_mesh_material(model, 0) == 0);
    EXPECT(kinescope_model_mesh_material(model, 1) == -1);
    DONE(kinescope_model_material(model, 0, &material));
    EXPECT(material.base_color[0] == 0.5f && material.emissive[2] == 0.5f && material.emissive[0] == 0);
    EXPECT(material.texture == 0 && material.emissive_texture == 0 && material.double_sided == 1 && material.unlit == 0);
    EXPECT(material.blend == 0 && material.alpha_cutoff == 0.25f);
    EXPECT(kinescope_model_material(model, 1, &material) == KINESCOPE_STATUS_NOTHING_TO_DO);

    EXPECT(kinescope_model_textures(model) == 1);
    DONE(kinescope_model_texture(model, 0, &texture));
    EXPECT(texture.width == 2 && texture.height == 1 && texture.nearest == 1);
    EXPECT(texture.wrap_x == KINESCOPE_WRAP_CLAMP && texture.wrap_y == KINESCOPE_WRAP_MIRROR);
    EXPECT(kinescope_model_texture_pixels(model, 0, pixels, 7, &needed) == KINESCOPE_STATUS_NOTHING_TO_DO && needed == 8);
    DONE(kinescope_model_texture_pixels(model, 0, pixels, 8, NULL));
    static const unsigned char expected[8] = { 255, 0, 0, 255, 0, 255, 0, 128 };
    EXPECT(memcmp(pixels, expected, 8) == 0);
    EXPECT(kinescope_model_texture_pixels(model, 1, pixels, 8, &needed) == KINESCOPE_STATUS_NOTHING_TO_DO && needed == 0);

    DONE(kinescope_model_mesh_colors(model, 0, colors, 12, &needed));
    EXPECT(needed == 12 && colors[0] == 1 && colors[5] == 1 && colors[11] == 0.5f);
    /* The emissive texture has the coordinates of the vertices. */
    EXPECT(kinescope_model_mesh_emissive_uvs(model, 0, colors, 12, &needed) == KINESCOPE_STATUS_NOTHING_TO_DO && needed == 0);
}

static void morphs(const KinescopeModel *model)
{
    KinescopeMorphOffset offsets[3];
    float weight = 9;
    char text[32];
    size_t needed = 0;
    EXPECT(kinescope_model_morphs(model) == 1 && kinescope_model_morph_targets(model, 0) == 1);
    EXPECT(kinescope_model_morph_targets(model, 1) == 0 && kinescope_model_mesh_morph(model, 0) == 0);
    DONE(kinescope_model_morph_target_name(model, 0, 0, text, sizeof text, NULL));
    EXPECT(strcmp(text, "smile") == 0);
    EXPECT(kinescope_model_morph_target_name(model, 0, 1, text, sizeof text, &needed) == KINESCOPE_STATUS_NOTHING_TO_DO && needed == 0);
    DONE(kinescope_model_morph_weights(model, 0, -1, 0, &weight, 1, NULL));
    EXPECT(weight == 0.25f);
    DONE(kinescope_model_morph_weights(model, 0, 0, 0.5f, &weight, 1, NULL));
    EXPECT(weight == 0.5f);
    EXPECT_BECAUSE(kinescope_model_morph_weights(model, 0, 1, 0, &weight, 1, NULL) == KINESCOPE_STATUS_BAD_ARGUMENT, "there are 1 clips");
    DONE(kinescope_model_mesh_target(model, 0, 0, offsets, 3, &needed));
    EXPECT(needed == 1 && offsets[0].vertex == 2 && offsets[0].position.y == 0.5f && offsets[0].position.x == 0);
    EXPECT(kinescope_model_mesh_target(model, 0, 1, offsets, 3, &needed) == KINESCOPE_STATUS_NOTHING_TO_DO && needed == 0);
}

int main(void)
{
    KinescopeModel *model = NULL;
    DONE(kinescope_model_new("face.gltf", (const uint8_t *)face, strlen(face), &model));
    materials(model);
    morphs(model);
    kinescope_model_free(model);

    model = read_model(FBX);
    EXPECT(kinescope_model_bones(model) > 1 && kinescope_model_meshes(model) > 0);
    kinescope_model_free(model);
    return 0;
}
