/* The meshes of a model: indices are in range, and skinned with the bones of the reference pose, the vertices span the height of a
 * person that stands on the ground. */
#include "person.h"

#include <math.h>

enum { MOST = 1 << 16, MOST_JOINTS = 256 };

int main(void)
{
    FILE *file = fopen(MODEL, "rb");
    EXPECT(file != NULL);
    static unsigned char bytes[4 << 20];
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    KinescopeModel *model = NULL;
    DONE(kinescope_model_new("biped.glb", bytes, size, &model));
    const size_t meshes = kinescope_model_meshes(model), bones = kinescope_model_bones(model);
    EXPECT(meshes > 0);

    static float positions[MOST_JOINTS][3], rotations[MOST_JOINTS][4];
    const KinescopePose pose = { positions[0], rotations[0], 0, 0, bones };
    DONE(kinescope_model_sample(model, -1, 0, &pose));
    static KinescopeVertex vertices[MOST];
    static KinescopeJoint joints[MOST_JOINTS];
    static uint32_t indices[6 * MOST];
    float lowest = 9, highest = -9;
    for (size_t mesh = 0; mesh < meshes; ++mesh) {
        KinescopeMesh own;
        size_t needed = 0;
        char name[256];
        DONE(kinescope_model_mesh(model, mesh, &own));
        DONE(kinescope_model_mesh_name(model, mesh, name, sizeof name, NULL));
        EXPECT(own.vertices > 2 && own.vertices <= MOST && own.indices % 3 == 0 && own.indices <= 6 * MOST);
        EXPECT(own.joints > 0 && own.joints <= MOST_JOINTS && own.base_color[3] > 0);
        EXPECT(kinescope_model_mesh_vertices(model, mesh, vertices, 1, &needed) == KINESCOPE_STATUS_NOTHING_TO_DO);
        EXPECT(needed == own.vertices);
        DONE(kinescope_model_mesh_vertices(model, mesh, vertices, MOST, NULL));
        DONE(kinescope_model_mesh_joints(model, mesh, joints, MOST_JOINTS, NULL));
        DONE(kinescope_model_mesh_indices(model, mesh, indices, 6 * MOST, &needed));
        EXPECT(needed == own.indices);
        for (size_t i = 0; i < own.indices; ++i) {
            EXPECT(indices[i] < own.vertices);
        }
        for (size_t i = 0; i < own.vertices; ++i) {
            const KinescopeVertex v = vertices[i];
            const float length = v.normal.x * v.normal.x + v.normal.y * v.normal.y + v.normal.z * v.normal.z;
            EXPECT(fabsf(length - 1) < 1e-2f);
            float sum = 0, y = 0;
            for (int part = 0; part < 4; ++part) {
                sum += v.weights[part];
                EXPECT(v.joints[part] < own.joints);
                const KinescopeJoint *joint = &joints[v.joints[part]];
                const float *m = joint->bone_from_mesh;
                const float at[3] = { m[0] * v.position.x + m[4] * v.position.y + m[8] * v.position.z + m[12],
                    m[1] * v.position.x + m[5] * v.position.y + m[9] * v.position.z + m[13],
                    m[2] * v.position.x + m[6] * v.position.y + m[10] * v.position.z + m[14] };
                EXPECT(joint->bone >= -1 && joint->bone < (int32_t)bones);
                float turned = at[1];
                if (joint->bone >= 0) {
                    /* The second coordinate of the place that the bone carries. */
                    const float *q = rotations[joint->bone];
                    const float t[3] = { 2 * (q[1] * at[2] - q[2] * at[1]), 2 * (q[2] * at[0] - q[0] * at[2]),
                        2 * (q[0] * at[1] - q[1] * at[0]) };
                    turned = at[1] + q[3] * t[1] + q[2] * t[0] - q[0] * t[2] + positions[joint->bone][1];
                }
                y += v.weights[part] * turned;
            }
            EXPECT(fabsf(sum - 1) < 1e-3f);
            lowest = fminf(lowest, y);
            highest = fmaxf(highest, y);
        }
    }
    /* A person stands on the ground. */
    EXPECT(fabsf(lowest) < 0.1f && highest > 1.3f && highest < 2.2f);
    KinescopeMesh none;
    size_t needed = 9;
    EXPECT(kinescope_model_mesh(model, meshes, &none) == KINESCOPE_STATUS_NOTHING_TO_DO);
    EXPECT(kinescope_model_mesh_indices(model, meshes, indices, 1, &needed) == KINESCOPE_STATUS_NOTHING_TO_DO && needed == 0);
    kinescope_model_free(model);
    return 0;
}
