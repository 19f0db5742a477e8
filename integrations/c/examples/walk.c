/* A whole game: a player and a crowd walk over hills. The animation is made of chains; look-at, recoil and hit reaction act before and
 * after the solve; the feet stand on the terrain and do not slide; the crowd is solved in one batch; the player is recorded and sent
 * to a listening window, which may change its parameters. The window solves the sent parameters itself, and shows that head and hands
 * differ: look-at and recoil turn them after the solve.
 *
 *     cc -std=c11 -Iinclude examples/walk.c target/release/libkinescope.a -lpthread -ldl -lm -o walk
 *     kinescope --listen &
 *     ./walk session.jsonl 127.0.0.1:7468
 */
#include "kinescope.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BONES = 17, CROWD = 12, FRAMES = 240 };
enum { PELVIS, SPINE, CHEST, NECK, HEAD, LEFT_ARM, LEFT_HAND = 7, RIGHT_ARM, RIGHT_HAND = 10, LEFT_LEG, LEFT_FOOT = 13, RIGHT_LEG, RIGHT_FOOT = 16 };

static const char *const names[BONES] = {
    "pelvis", "spine", "chest", "neck", "head",
    "left upper arm", "left forearm", "left hand", "right upper arm", "right forearm", "right hand",
    "left thigh", "left calf", "left foot", "right thigh", "right calf", "right foot",
};
static const int32_t parents[BONES] = { -1, 0, 1, 2, 3, 2, 5, 6, 2, 8, 9, 0, 11, 12, 0, 14, 15 };
static const float places[BONES][3] = {
    { 0, 1, 0 }, { 0, 1.15f, 0 }, { 0, 1.35f, -0.01f }, { 0, 1.5f, 0 }, { 0, 1.6f, 0 },
    { 0.18f, 1.46f, 0 }, { 0.44f, 1.42f, -0.03f }, { 0.68f, 1.41f, 0.04f },
    { -0.18f, 1.46f, 0 }, { -0.44f, 1.42f, -0.03f }, { -0.68f, 1.41f, 0.04f },
    { 0.1f, 0.95f, 0 }, { 0.11f, 0.52f, 0.05f }, { 0.11f, 0.09f, -0.02f },
    { -0.1f, 0.95f, 0 }, { -0.11f, 0.52f, 0.05f }, { -0.11f, 0.09f, -0.02f },
};

typedef struct Bone {
    float position[3];
    float rotation[4];
} Bone;

static void check(KinescopeStatus status, const char *what)
{
    if (status < 0) {
        fprintf(stderr, "%s: %s\n", what, kinescope_last_error());
        exit(1);
    }
}

static void expect(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "expected: %s\n", what);
        exit(1);
    }
}

static KinescopePose pose_of(Bone *bones)
{
    return (KinescopePose){ bones[0].position, bones[0].rotation, sizeof(Bone), sizeof(Bone), BONES };
}

static void stand(Bone *bones, float lower)
{
    for (int i = 0; i < BONES; ++i) {
        bones[i] = (Bone){ { places[i][0], places[i][1] - lower, places[i][2] }, { 0, 0, 0, 1 } };
    }
}

/* The terrain: hills along the path. */
static float height(float x, float z)
{
    return 0.12f * sinf(1.3f * z) + 0.04f * sinf(2 * x + 0.5f);
}

static KinescopeVec3 normal(float x, float z)
{
    const float dx = 0.08f * cosf(2 * x + 0.5f), dz = 0.156f * cosf(1.3f * z), length = sqrtf(dx * dx + 1 + dz * dz);
    return (KinescopeVec3){ -dx / length, 1 / length, -dz / length };
}

static int32_t ray(void *user, KinescopeVec3 from, KinescopeVec3 direction, float distance, KinescopeHit *hit)
{
    (void)user;
    /* Marches until the ray is below the terrain, then halves the last step. */
    const float step = 0.05f;
    float over = 0, under = -1;
    for (float way = 0; way <= distance + step; way += step) {
        const float at = fminf(way, distance);
        if (from.y + direction.y * at <= height(from.x + direction.x * at, from.z + direction.z * at)) {
            under = at;
            break;
        }
        over = at;
    }
    if (under < 0) {
        return 0;
    }
    for (int i = 0; i < 16; ++i) {
        const float middle = (over + under) / 2;
        if (from.y + direction.y * middle <= height(from.x + direction.x * middle, from.z + direction.z * middle)) {
            under = middle;
        } else {
            over = middle;
        }
    }
    const KinescopeVec3 point = { from.x + direction.x * under, from.y + direction.y * under, from.z + direction.z * under };
    *hit = (KinescopeHit){ point, normal(point.x, point.z), under };
    return 1;
}

/* One character of the game. */
typedef struct Walker {
    KinescopeSolver *solver;
    KinescopeWorkspace *workspace;
    KinescopeModifiers *modifiers;
    KinescopeGrounder *grounder;
    /* Legs and arms, by which the animation is made. */
    KinescopeChain *limbs[KINESCOPE_LIMBS];
    KinescopeSettings settings;
    KinescopeTransform root;
    float planted[2];
    /* The offset of the walk cycle, in cycles. */
    float phase;
    Bone bones[BONES];
} Walker;

static const float SPEED = 1.1f, CYCLE = 1.0f;

static void make(Walker *own, KinescopeSolver *solver, float x, float phase)
{
    *own = (Walker){ .solver = solver, .root = { { x, 0, 0 }, { 0, 0, 0, 1 } }, .phase = phase };
    check(kinescope_settings_default(&own->settings), "settings");
    check(kinescope_workspace_new(solver, &own->workspace), "workspace");
    check(kinescope_modifiers_new(solver, &own->modifiers), "modifiers");
    check(kinescope_grounder_new(solver, KINESCOPE_GROUNDING_PREDICTIVE, &own->grounder), "grounder");
    KinescopeLockSettings lock;
    check(kinescope_grounder_get_lock(own->grounder, &lock), "lock");
    lock.on = 1;
    check(kinescope_grounder_set_lock(own->grounder, &lock), "lock");
    const int32_t first[KINESCOPE_LIMBS] = { LEFT_ARM, RIGHT_ARM, LEFT_LEG, RIGHT_LEG };
    for (int limb = 0; limb < KINESCOPE_LIMBS; ++limb) {
        check(kinescope_chain_new_of_bones(solver, first[limb], first[limb] + 2, &own->limbs[limb]), "limb");
    }
}

static void destroy(Walker *own)
{
    for (int limb = 0; limb < KINESCOPE_LIMBS; ++limb) {
        kinescope_chain_free(own->limbs[limb]);
    }
    kinescope_grounder_free(own->grounder);
    kinescope_modifiers_free(own->modifiers);
    kinescope_workspace_free(own->workspace);
}

/* The animation: each foot stands for half a cycle, then swings forward; the arms swing against the legs. */
static void animate(Walker *own, float time)
{
    stand(own->bones, 0.03f);
    const KinescopePose pose = pose_of(own->bones);
    KinescopeChainIkSettings settings;
    check(kinescope_chain_settings_default(&settings), "chain");
    settings.solver = KINESCOPE_CHAIN_SOLVER_TWO_BONE;
    settings.has_bend_goal = 1;
    for (int side = 0; side < 2; ++side) {
        const float sign = side == 0 ? 1 : -1;
        const float cycle = time / CYCLE + own->phase + 0.5f * (float)side;
        const float phase = cycle - floorf(cycle), stride = SPEED * CYCLE / 2;
        const int stands = phase < 0.5f;
        const float part = stands ? phase * 2 : phase * 2 - 1;
        const float z = stride * (stands ? 0.5f - part : part - 0.5f);
        const float up = stands ? 0 : 0.1f * sinf(3.14159265f * part);
        own->planted[side] = stands ? 1 : 0;
        settings.bend_goal = (KinescopeVec3){ sign * 0.1f, 0.5f, 2 };
        const KinescopeGoal foot = { 0, { sign * 0.1f, 0.09f + up, z }, 1 };
        check(kinescope_chain_solve_pose(own->limbs[KINESCOPE_LIMB_LEFT_LEG + side], &settings, &foot, 1, &pose, NULL), "leg");
        /* The foot followed the calf and is made level again. */
        Bone *level = &own->bones[side == 0 ? LEFT_FOOT : RIGHT_FOOT];
        *level = (Bone){ { level->position[0], level->position[1], level->position[2] }, { 0, 0, 0, 1 } };
        settings.bend_goal = (KinescopeVec3){ sign * 0.5f, 1, -2 };
        const KinescopeGoal hand = { 0, { sign * 0.28f, 1.0f, 0.05f - 0.6f * z }, 1 };
        check(kinescope_chain_solve_pose(own->limbs[side], &settings, &hand, 1, &pose, NULL), "arm");
    }
    const float z = SPEED * time;
    own->root.position = (KinescopeVec3){ own->root.position.x, height(own->root.position.x, z), z };
}

static const KinescopeGround terrain = { NULL, ray, NULL };
static const KinescopeTransform identity = { { 0, 0, 0 }, { 0, 0, 0, 1 } };

/* Puts the feet on the terrain: `driven` are the settings of the solve. */
static void ground(Walker *own, float dt, const KinescopeSettings *settings, KinescopeSettings *driven)
{
    const KinescopePose pose = pose_of(own->bones);
    KinescopeGroundFrame frame;
    check(kinescope_ground_frame_default(&frame), "frame");
    frame.root = own->root;
    frame.dt = dt;
    frame.planted[0] = own->planted[0];
    frame.planted[1] = own->planted[1];
    check(kinescope_ground_frame(own->grounder, &terrain, &frame, &pose, settings, driven), "ground");
}

static KinescopeVec3 in_world(const Walker *own, int bone)
{
    const KinescopeVec3 root = own->root.position;
    const float *at = own->bones[bone].position;
    return (KinescopeVec3){ root.x + at[0], root.y + at[1], root.z + at[2] };
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "%s RECORDING ADDRESS\n", argv[0]);
        return 2;
    }
    if (!kinescope_abi_matches()) {
        fprintf(stderr, "the library %s does not fit the header\n", kinescope_version());
        return 1;
    }
    Bone reference[BONES];
    stand(reference, 0);
    const KinescopeSkeleton skeleton = { BONES, names, parents, pose_of(reference) };
    KinescopeSolver *solver = NULL;
    check(kinescope_solver_new(&skeleton, NULL, &solver), "solver");

    static Walker player, crowd[CROWD];
    make(&player, solver, 0, 0);
    size_t look = 0, recoil = 0;
    check(kinescope_modifiers_add(player.modifiers, KINESCOPE_MODIFIER_KIND_LOOK_AT, &look), "look-at");
    check(kinescope_modifiers_add(player.modifiers, KINESCOPE_MODIFIER_KIND_RECOIL, &recoil), "recoil");
    check(kinescope_modifiers_add(player.modifiers, KINESCOPE_MODIFIER_KIND_HIT_REACTION, NULL), "hit reaction");
    for (int i = 0; i < CROWD; ++i) {
        make(&crowd[i], solver, 1 + 0.8f * (float)i, 0.13f * (float)i);
        check(kinescope_modifiers_add(crowd[i].modifiers, KINESCOPE_MODIFIER_KIND_BREATHING, NULL), "breathing");
    }
    KinescopeMany *many = NULL;
    check(kinescope_many_new(&many), "batch");

    KinescopeGame *game = NULL;
    KinescopeRecorder *recorder = NULL;
    KinescopeSender *sender = NULL;
    uint32_t number = 0;
    check(kinescope_game_new("a walk in C", &game), "game");
    check(kinescope_game_add(game, "player", solver, &number), "player");
    check(kinescope_recorder_new(game, argv[1], &recorder), "recorder");
    check(kinescope_sender_new(game, argv[2], &sender), "sender");

    float worst_height = 0, worst_slide = 0, thrown = 0;
    KinescopeVec3 stood[2] = { { 0, 0, 0 }, { 0, 0, 0 } };
    int frames_stood[2] = { 0, 0 };
    const float dt = 1 / 60.0f;
    for (int frame = 0; frame < FRAMES; ++frame) {
        const float time = dt * (float)frame;
        const KinescopeMoment moment = { identity, dt, time };

        /* The player: animation, modifiers, grounding, solve. */
        animate(&player, time);
        const KinescopeVec3 sight = { 2 - player.root.position.x, 1.5f - player.root.position.y, 6 - player.root.position.z };
        KinescopeLookAt look_at;
        check(kinescope_modifiers_get_look_at(player.modifiers, look, &look_at), "look-at");
        look_at.has_target = 1;
        look_at.target = sight;
        check(kinescope_modifiers_set_look_at(player.modifiers, look, &look_at), "look-at");
        if (frame == 100) {
            check(kinescope_modifiers_trigger(player.modifiers, recoil), "fire");
            check(kinescope_recorder_mark(recorder, "fires", time), "mark");
        }
        if (frame == 150) {
            const KinescopeVec3 shoulder = { 0.2f, 1.4f, 0 }, blow = { -1, 0, -1 };
            check(kinescope_modifiers_strike(player.modifiers, identity, shoulder, blow, 0.08f), "blow");
        }
        const KinescopePose pose = pose_of(player.bones);
        KinescopeSettings driven;
        check(kinescope_modifiers_before(solver, player.workspace, &player.settings, player.modifiers, &moment, &pose, &driven), "modifiers");
        const float drawn = driven.effectors[KINESCOPE_EFFECTOR_RIGHT_HAND].position_offset.z;
        thrown = fminf(thrown, frame < 150 ? drawn : 0);
        ground(&player, dt, &driven, &driven);
        Bone animated[BONES];
        for (int i = 0; i < BONES; ++i) {
            animated[i] = player.bones[i];
        }
        check(kinescope_solve_after(solver, player.workspace, &driven, player.modifiers, &moment, &pose), "solve");
        const KinescopeFrame sent = {
            .character = number, .frame = frame, .time = time, .settings = &driven, .animated = pose_of(animated), .result = pose,
        };
        check(kinescope_recorder_frame(recorder, &sent), "record");
        check(kinescope_sender_send(sender, &sent), "send");
        uint32_t character = 0;
        while (kinescope_sender_tuned(sender, &character, &player.settings) == KINESCOPE_STATUS_DONE) {
            puts("the window changed the parameters");
        }

        /* Measures how far planted feet are off the terrain, and how far they slide. */
        for (int side = 0; side < 2; ++side) {
            const KinescopeVec3 foot = in_world(&player, side == 0 ? LEFT_FOOT : RIGHT_FOOT);
            const int stands = player.planted[side] > 0.5f;
            frames_stood[side] = stands ? frames_stood[side] + 1 : 0;
            if (frames_stood[side] > 6) {
                worst_height = fmaxf(worst_height, fabsf(foot.y - 0.09f - height(foot.x, foot.z)));
                worst_slide = fmaxf(worst_slide, hypotf(foot.x - stood[side].x, foot.z - stood[side].z));
            }
            if (frames_stood[side] == 6) {
                stood[side] = foot;
            }
        }

        /* The crowd: one batch. */
        KinescopeModifiedTask tasks[CROWD];
        static KinescopeSettings of_crowd[CROWD];
        for (int i = 0; i < CROWD; ++i) {
            animate(&crowd[i], time);
            ground(&crowd[i], dt, &crowd[i].settings, &of_crowd[i]);
            tasks[i] = (KinescopeModifiedTask){ { solver, &of_crowd[i], pose_of(crowd[i].bones), 0 }, crowd[i].modifiers, moment };
        }
        check(kinescope_solve_many_modified(many, tasks, CROWD, KINESCOPE_BONES_ALL), "crowd");
        for (int i = 0; i < CROWD; ++i) {
            check((KinescopeStatus)tasks[i].task.status, "one of the crowd");
        }
    }
    printf("%d frames: planted feet are within %.1f mm of the ground and slide by %.1f mm; the shot throws the hand %.0f mm\n", FRAMES,
        (double)worst_height * 1000, (double)worst_slide * 1000, (double)-thrown * 1000);
    expect(worst_height < 0.03f, "feet on the ground");
    expect(worst_slide < 0.01f, "feet do not slide");
    expect(thrown < -0.03f, "the shot throws the hand back");

    check(kinescope_recorder_free(recorder), "end of the recording");
    kinescope_sender_free(sender);
    kinescope_game_free(game);
    kinescope_many_free(many);
    for (int i = 0; i < CROWD; ++i) {
        destroy(&crowd[i]);
    }
    destroy(&player);
    kinescope_solver_free(solver);
    return 0;
}
