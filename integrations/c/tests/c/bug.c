/* A game with a solver of its own that has a bug: from frame 60 on, the stage *trigonometric* of the first iteration puts the left
 * elbow 2 cm too high. The game sends every frame with its stages and its pose to a listening window. */
#define _POSIX_C_SOURCE 199309L
#include "person.h"

#include <math.h>
#include <time.h>

enum { FRAMES = 120, FIRST_WITH_BUG = 60 };

/* Solves a pose, and stores the nodes after each stage. Returns the number of stages. */
static size_t solve(const KinescopeSolver *solver, KinescopeWorkspace *workspace, const KinescopeSettings *settings,
                    const KinescopePose *pose, int has_bug, KinescopeStepNodes *steps)
{
    size_t count = 0;
    DONE(kinescope_begin(solver, workspace, settings, pose));
    while (kinescope_step(workspace, &steps[count].step) == KINESCOPE_STATUS_DONE) {
        DONE(kinescope_nodes(workspace, steps[count].nodes));
        if (has_bug && steps[count].step.iteration == 0 && steps[count].step.stage == KINESCOPE_STAGE_TRIGONOMETRIC) {
            KinescopeVec3 *elbow = &steps[count].nodes[KINESCOPE_NODE_LEFT_FOREARM];
            elbow->y += 0.02f;
            DONE(kinescope_set_node(workspace, KINESCOPE_NODE_LEFT_FOREARM, *elbow));
        }
        count += 1;
        EXPECT(count < 64);
    }
    DONE(kinescope_end(solver, workspace, pose));
    return count;
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    KinescopeSolver *solver = new_person();
    KinescopeWorkspace *workspace = NULL;
    KinescopeGame *game = NULL;
    KinescopeSender *sender = NULL;
    KinescopeSettings settings;
    DONE(kinescope_workspace_new(solver, &workspace));
    DONE(kinescope_game_new("a game with a bug, in C", &game));
    DONE(kinescope_game_add(game, "player", solver, NULL));
    DONE(kinescope_sender_new(game, argv[1], &sender));
    DONE(kinescope_settings_default(&settings));
    KinescopeEffectorSettings *hand = &settings.effectors[KINESCOPE_EFFECTOR_LEFT_HAND];
    hand->has_position = 1;
    hand->position_weight = 1;

    const struct timespec frame_time = { 0, 1000000000L / 60 };
    /* The window may take a while to open. */
    for (int i = 0; i < 60 * 180 && !kinescope_sender_is_connected(sender); ++i) {
        nanosleep(&frame_time, NULL);
    }
    EXPECT(kinescope_sender_is_connected(sender));
    for (int frame = 0; frame < FRAMES; ++frame) {
        Bone animated[BONES], bones[BONES];
        stand(animated);
        for (int i = 0; i < BONES; ++i) {
            animated[i].position[1] += 0.02f * sinf((float)frame * 0.1f);
        }
        memcpy(bones, animated, sizeof bones);
        hand->position = (KinescopeVec3){ 0.45f, 1.3f + 0.1f * sinf((float)frame * 0.05f), 0.4f };
        const KinescopePose pose = pose_of(bones);
        KinescopeStepNodes steps[64];
        const size_t count = solve(solver, workspace, &settings, &pose, frame >= FIRST_WITH_BUG, steps);
        const KinescopeFrame sent = {
            .frame = frame, .time = frame / 60.0, .settings = &settings, .animated = pose_of(animated), .result = pose,
            .steps = steps, .step_count = count,
        };
        DONE(kinescope_sender_send(sender, &sent));
        nanosleep(&frame_time, NULL);
    }
    printf("%llu frames sent, %llu dropped\n", (unsigned long long)kinescope_sender_sent(sender),
           (unsigned long long)kinescope_sender_dropped(sender));
    kinescope_sender_free(sender);
    kinescope_game_free(game);
    kinescope_workspace_free(workspace);
    kinescope_solver_free(solver);
    return 0;
}
