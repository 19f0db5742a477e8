/* A crowd walks over a slope: members advance on their ways, stand on the ground, and get the rule of their distance. */
#include "person.h"

#include <math.h>

enum { MEMBERS = 12, MOST = 128 };

static int casts;

/* A slope of 0.1 along x. */
static int32_t ray(void *user, KinescopeVec3 from, KinescopeVec3 direction, float distance, KinescopeHit *hit)
{
    /* Without `user`, several threads cast at once. */
    if (user != NULL) {
        *(int *)user += 1;
    }
    const float along = (0.1f * from.x - from.y) / (direction.y - 0.1f * direction.x);
    if (!(along >= 0 && along <= distance)) {
        return 0;
    }
    hit->point = (KinescopeVec3){ from.x + along * direction.x, from.y + along * direction.y, from.z + along * direction.z };
    hit->normal = (KinescopeVec3){ -0.0995037f, 0.9950372f, 0 };
    hit->distance = along;
    return 1;
}

int main(void)
{
    FILE *file = fopen(MODEL, "rb");
    EXPECT(file != NULL);
    static unsigned char bytes[4 << 20];
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    KinescopeModel *model = NULL;
    KinescopeSolver *solver = NULL, *person = new_person();
    KinescopeCrowd *crowd = NULL;
    DONE(kinescope_model_new("biped.glb", bytes, size, &model));
    DONE(kinescope_model_solver(model, &solver));
    const KinescopeGround ground = { &casts, ray, NULL }, uncounted = { NULL, ray, NULL };
    const float square[] = { 0, 0, 6, 0, 6, 6, 0, 6 }, line[] = { -8, 0, -8, 9 };
    const KinescopeWay ways[] = { { square, 4, 1 }, { line, 2, 0 } };
    EXPECT_BECAUSE(kinescope_crowd_new(model, person, ways, 2, &ground, 3, &crowd) == KINESCOPE_STATUS_BAD_RIG, "has 18 bones");
    const KinescopeWay point = { line, 1, 0 };
    EXPECT_BECAUSE(kinescope_crowd_new(model, solver, &point, 1, &ground, 3, &crowd) == KINESCOPE_STATUS_BAD_ARGUMENT, "ways[0]");
    DONE(kinescope_crowd_new(model, solver, ways, 2, &ground, 3, &crowd));
    EXPECT(casts > 20 && kinescope_crowd_count(crowd) == 3);
    DONE(kinescope_crowd_set_count(crowd, MEMBERS));
    EXPECT(kinescope_crowd_count(crowd) == MEMBERS);

    static float positions[MOST][3], rotations[MOST][4];
    const size_t count = kinescope_model_bones(model);
    const KinescopePose pose = { positions[0], rotations[0], 0, 0, count };
    EXPECT(kinescope_crowd_pose(crowd, 0, &pose) == KINESCOPE_STATUS_NOTHING_TO_DO && kinescope_crowd_rule(crowd, 0) == -1);
    /* The far members, on the second way, are only animated. */
    const KinescopeDetailRule rules[] = { { -1, -1, 12, -1, 0, 2 }, { -1, -1, 0, KINESCOPE_QUALITY_SIMPLE, 4, 1 } };
    DONE(kinescope_crowd_set_rules(crowd, rules, 2));
    const KinescopeDetailRule wrong[] = { { -1, 99, 0, 0, 4, 1 }, { -1, -1, 0, 0, 99, 1 } };
    EXPECT_BECAUSE(kinescope_crowd_set_rules(crowd, wrong, 1) == KINESCOPE_STATUS_BAD_ARGUMENT, "rules[0].clip: is 99");
    EXPECT_BECAUSE(kinescope_crowd_set_rules(crowd, wrong + 1, 1) == KINESCOPE_STATUS_BAD_SETTINGS, "rules[0].iterations");
    const KinescopeVec3 eye = { 6, 1.7f, 3 };
    KinescopeTransform before[MEMBERS], after;
    for (size_t member = 0; member < MEMBERS; ++member) {
        DONE(kinescope_crowd_root(crowd, member, &before[member]));
    }
    casts = 0;
    for (int frame = 0; frame < 60; ++frame) {
        DONE(kinescope_crowd_advance(crowd, 1 / 60.0f, &ground, eye));
    }
    EXPECT(casts > 1000);

    const int32_t foot = kinescope_solver_bone_of(solver, "left_foot"), pelvis = kinescope_solver_bone_of(solver, "pelvis");
    EXPECT(foot > 0 && pelvis >= 0);
    int moved = 0;
    for (size_t member = 0; member < MEMBERS; ++member) {
        DONE(kinescope_crowd_root(crowd, member, &after));
        DONE(kinescope_crowd_pose(crowd, member, &pose));
        const float x = after.position.x - before[member].position.x, z = after.position.z - before[member].position.z;
        moved += sqrtf(x * x + z * z) > 0.3f;
        EXPECT(fabsf(after.position.y - 0.1f * after.position.x) < 0.15f);
        EXPECT(kinescope_crowd_rule(crowd, member) == (member % 2 == 0 ? 1 : 0));
        /* The pose is in world space. */
        const float *hips = positions[pelvis];
        EXPECT(fabsf(hips[0] - after.position.x) < 0.5f && fabsf(hips[2] - after.position.z) < 0.5f);
        EXPECT(hips[1] - after.position.y > 0.5f && hips[1] - positions[foot][1] > 0.4f);
        EXPECT(positions[foot][1] > 0.1f * positions[foot][0] - 0.05f);
    }
    EXPECT(moved >= MEMBERS / 2);
    EXPECT_BECAUSE(kinescope_crowd_pose(crowd, MEMBERS, &pose) == KINESCOPE_STATUS_BAD_ARGUMENT, "index: is 12");
    /* Two crowds of the same members have the same poses, on one thread and on several. */
    KinescopeCrowd *other = NULL;
    DONE(kinescope_crowd_new(model, solver, ways, 2, &uncounted, MEMBERS, &other));
    DONE(kinescope_crowd_set_rules(other, rules, 2));
    DONE(kinescope_crowd_set_threads(other, KINESCOPE_THREADS_PARALLEL));
    EXPECT_BECAUSE(kinescope_crowd_set_threads(other, 3) == KINESCOPE_STATUS_BAD_SETTINGS, "threads: is 3");
    for (int frame = 0; frame < 60; ++frame) {
        DONE(kinescope_crowd_advance(other, 1 / 60.0f, &uncounted, eye));
    }
    static float others[MOST][3];
    const KinescopePose other_pose = { others[0], rotations[0], 0, 0, count };
    for (size_t member = 0; member < MEMBERS; ++member) {
        DONE(kinescope_crowd_pose(crowd, member, &pose));
        DONE(kinescope_crowd_pose(other, member, &other_pose));
        for (size_t bone = 0; bone < count; ++bone) {
            EXPECT(fabsf(positions[bone][1] - others[bone][1]) < 1e-4f);
        }
    }
    kinescope_crowd_free(other);
    kinescope_crowd_free(crowd);
    kinescope_solver_free(person);
    kinescope_solver_free(solver);
    kinescope_model_free(model);
    return 0;
}
