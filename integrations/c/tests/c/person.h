/* A character of 18 bones for the tests. */
#ifndef PERSON_H
#define PERSON_H

#include "kinescope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BONES = 18, PELVIS = 0, CHEST = 2, NECK = 3, HEAD = 4, LEFT_HAND = 7, RIGHT_HAND = 10, LEFT_FOOT = 13, RIGHT_FOOT = 16 };

static const char *const names[BONES] = {
    "pelvis", "spine", "chest", "neck", "head",
    "left upper arm", "left forearm", "left hand", "right upper arm", "right forearm", "right hand",
    "left thigh", "left calf", "left foot", "right thigh", "right calf", "right foot", "right toes",
};
static const int32_t parents[BONES] = { -1, 0, 1, 2, 3, 2, 5, 6, 2, 8, 9, 0, 11, 12, 0, 14, 15, 16 };
static const float places[BONES][3] = {
    { 0, 1, 0 }, { 0, 1.15f, 0 }, { 0, 1.35f, -0.01f }, { 0, 1.5f, 0 }, { 0, 1.6f, 0 },
    { 0.18f, 1.46f, 0 }, { 0.44f, 1.42f, -0.03f }, { 0.68f, 1.41f, 0.04f },
    { -0.18f, 1.46f, 0 }, { -0.44f, 1.42f, -0.03f }, { -0.68f, 1.41f, 0.04f },
    { 0.1f, 0.95f, 0 }, { 0.11f, 0.52f, 0.05f }, { 0.11f, 0.09f, -0.02f },
    { -0.1f, 0.95f, 0 }, { -0.11f, 0.52f, 0.05f }, { -0.11f, 0.09f, -0.02f }, { -0.11f, 0.02f, 0.12f },
};

typedef struct Bone {
    float position[3];
    float rotation[4];
} Bone;

static inline void stand(Bone *bones)
{
    for (int i = 0; i < BONES; ++i) {
        const Bone bone = { { places[i][0], places[i][1], places[i][2] }, { 0, 0, 0, 1 } };
        bones[i] = bone;
    }
}

static inline KinescopePose pose_of(Bone *bones)
{
    const KinescopePose pose = { bones[0].position, bones[0].rotation, sizeof(Bone), sizeof(Bone), BONES };
    return pose;
}

#define EXPECT(what)                                                                                                   \
    do {                                                                                                               \
        if (!(what)) {                                                                                                 \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #what, kinescope_last_error());                     \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)
#define DONE(call) EXPECT((call) == KINESCOPE_STATUS_DONE)
#define EXPECT_BECAUSE(what, why)                                                                                      \
    do {                                                                                                               \
        EXPECT(what);                                                                                                  \
        if (strstr(kinescope_last_error(), why) == NULL) {                                                             \
            fprintf(stderr, "%s:%d: says %s\n", __FILE__, __LINE__, kinescope_last_error());                           \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static inline KinescopeSolver *new_person(void)
{
    Bone bones[BONES];
    stand(bones);
    const KinescopeSkeleton skeleton = { BONES, names, parents, pose_of(bones) };
    KinescopeSolver *solver = NULL;
    DONE(kinescope_solver_new(&skeleton, NULL, &solver));
    return solver;
}

#endif
