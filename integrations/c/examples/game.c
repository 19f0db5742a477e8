/* A small game: a character from arrays, solved every frame, recorded to a file and sent to a listening window.
 *
 *     cargo build --release
 *     cc -std=c11 -Iinclude examples/game.c target/release/libkinescope.a -lpthread -ldl -lm -o game
 *     kinescope --listen &
 *     ./game session.jsonl 127.0.0.1:7468
 */
#define _POSIX_C_SOURCE 199309L
#include "kinescope.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* The engine's own bone structure: the library reads it in place, by a stride. */
typedef struct Bone {
    float position[3];
    float rotation[4];
    int user_data;
} Bone;

enum { BONES = 16 };

static const char *const names[BONES] = {
    "pelvis", "spine", "chest", "head",
    "left upper arm", "left forearm", "left hand", "right upper arm", "right forearm", "right hand",
    "left thigh", "left calf", "left foot", "right thigh", "right calf", "right foot",
};
static const int32_t parents[BONES] = { -1, 0, 1, 2, 2, 4, 5, 2, 7, 8, 0, 10, 11, 0, 13, 14 };
static const float places[BONES][3] = {
    { 0, 1, 0 }, { 0, 1.15f, 0 }, { 0, 1.35f, -0.01f }, { 0, 1.6f, 0 },
    { 0.18f, 1.46f, 0 }, { 0.44f, 1.42f, -0.03f }, { 0.68f, 1.41f, 0.04f },
    { -0.18f, 1.46f, 0 }, { -0.44f, 1.42f, -0.03f }, { -0.68f, 1.41f, 0.04f },
    { 0.1f, 0.95f, 0 }, { 0.11f, 0.52f, 0.05f }, { 0.11f, 0.09f, -0.02f },
    { -0.1f, 0.95f, 0 }, { -0.11f, 0.52f, 0.05f }, { -0.11f, 0.09f, -0.02f },
};

static void check(KinescopeStatus status, const char *what)
{
    if (status < 0) {
        fprintf(stderr, "%s: %s\n", what, kinescope_last_error());
        exit(1);
    }
}

static void standing(Bone *bones)
{
    for (int i = 0; i < BONES; ++i) {
        bones[i] = (Bone){ { places[i][0], places[i][1], places[i][2] }, { 0, 0, 0, 1 }, i };
    }
}

static KinescopePose pose_of(Bone *bones)
{
    return (KinescopePose){ bones[0].position, bones[0].rotation, sizeof(Bone), sizeof(Bone), BONES };
}

/* The steps of a solve, as the observer receives them. */
typedef struct Steps {
    KinescopeStepNodes steps[64];
    size_t count;
    size_t moves;
} Steps;

static void stage(void *user, KinescopeStep step, const KinescopeVec3 *nodes)
{
    Steps *own = user;
    if (own->count < 64) {
        own->steps[own->count].step = step;
        for (int i = 0; i < KINESCOPE_NODES; ++i) {
            own->steps[own->count].nodes[i] = nodes[i];
        }
        own->count += 1;
    }
}

static void moved(void *user, KinescopeStep step, const KinescopeMove *move)
{
    (void)step;
    (void)move;
    ((Steps *)user)->moves += 1;
}

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){ 0, ms * 1000000L }, NULL);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "%s RECORDING ADDRESS\n", argv[0]);
        return 2;
    }

    /* Once for each character: its bones and their roles. */
    Bone bones[BONES];
    standing(bones);
    const int32_t spine[] = { 1, 2 };
    const KinescopeBiped biped = {
        .pelvis = 0, .spine = spine, .spine_count = 2, .head = 3, .root_node = -1,
        .limbs = { { -1, { 4, 5, 6 } }, { -1, { 7, 8, 9 } }, { -1, { 10, 11, 12 } }, { -1, { 13, 14, 15 } } },
    };
    const KinescopeSkeleton skeleton = { BONES, names, parents, pose_of(bones) };
    KinescopeSolver *solver = NULL;
    KinescopeWorkspace *workspace = NULL;
    check(kinescope_solver_new(&skeleton, &biped, &solver), "solver");
    check(kinescope_workspace_new(solver, &workspace), "workspace");

    /* Once for each game: its characters, the recording, the listening window. */
    KinescopeGame *game = NULL;
    KinescopeRecorder *recorder = NULL;
    KinescopeSender *sender = NULL;
    uint32_t player = 0;
    check(kinescope_game_new("a game in C", &game), "game");
    check(kinescope_game_add(game, "player", solver, &player), "player");
    check(kinescope_recorder_new(game, argv[1], &recorder), "recorder");
    check(kinescope_sender_new(game, argv[2], &sender), "sender");

    KinescopeSettings settings;
    check(kinescope_settings_default(&settings), "settings");
    Steps steps;
    const KinescopeObserver observer = { &steps, stage, moved };
    for (int frame = 0; frame < 60; ++frame) {
        /* The animation: here the character stands and bobs. */
        Bone animated[BONES];
        standing(animated);
        for (int i = 0; i < BONES; ++i) {
            animated[i].position[1] += 0.02f * sinf((float)frame * 0.2f);
        }
        KinescopeEffectorSettings *hand = &settings.effectors[KINESCOPE_EFFECTOR_LEFT_HAND];
        hand->has_position = 1;
        hand->position = (KinescopeVec3){ 0.5f, 1.3f, 0.01f * (float)frame };
        hand->position_weight = 1;

        /* The pose is input and output. Without an observer, kinescope_solve does the same. */
        for (int i = 0; i < BONES; ++i) {
            bones[i] = animated[i];
        }
        const KinescopePose pose = pose_of(bones);
        steps.count = steps.moves = 0;
        check(kinescope_solve_observed(solver, workspace, &settings, &pose, &observer), "solve");

        const KinescopeFrame recorded = {
            .character = player, .frame = frame, .time = frame / 60.0, .settings = &settings,
            .animated = pose_of(animated), .result = pose_of(bones), .steps = steps.steps, .step_count = steps.count,
        };
        if (frame == 30) {
            check(kinescope_recorder_mark(recorder, "reaches", recorded.time), "mark");
        }
        check(kinescope_recorder_frame(recorder, &recorded), "record");
        check(kinescope_sender_send(sender, &recorded), "send");
        sleep_ms(2);
    }

    /* Waits at most 5 s for settings from the window that tunes the game. */
    KinescopeSettings tuned;
    for (int i = 0; i < 500; ++i) {
        uint32_t character = 0;
        if (kinescope_sender_tuned(sender, &character, &tuned) == KINESCOPE_STATUS_DONE) {
            printf("tuned: pull of the left arm is %.2f\n", (double)tuned.chains[KINESCOPE_LIMB_LEFT_ARM].pull);
            break;
        }
        sleep_ms(10);
    }
    printf("%zu moves in the last solve\n", steps.moves);

    check(kinescope_recorder_free(recorder), "end of the recording");
    kinescope_sender_free(sender);
    kinescope_game_free(game);
    kinescope_workspace_free(workspace);
    kinescope_solver_free(solver);
    return 0;
}
