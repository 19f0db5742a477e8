/* Invalid arguments return a status with a reason; valid ones give the same result in one call, in steps and in a batch. */
#include "kinescope.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(what)                                                                                                   \
    do {                                                                                                               \
        if (!(what)) {                                                                                                 \
            fprintf(stderr, "line %d: %s: %s\n", __LINE__, #what, kinescope_last_error());                             \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)
#define EXPECT_BECAUSE(what, why)                                                                                      \
    do {                                                                                                               \
        EXPECT(what);                                                                                                  \
        if (strstr(kinescope_last_error(), why) == NULL) {                                                             \
            fprintf(stderr, "line %d: says %s\n", __LINE__, kinescope_last_error());                                   \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

enum { BONES = 15 };

static const char *const names[BONES] = {
    "pelvis", "spine", "chest", "left upper arm", "left forearm", "left hand", "right upper arm", "right forearm",
    "right hand", "left thigh", "left calf", "left foot", "right thigh", "right calf", "right foot",
};
static const int32_t parents[BONES] = { -1, 0, 1, 2, 3, 4, 2, 6, 7, 0, 9, 10, 0, 12, 13 };
static float reference[BONES][3] = {
    { 0, 1, 0 }, { 0, 1.15f, 0 }, { 0, 1.35f, -0.01f }, { 0.18f, 1.46f, 0 }, { 0.44f, 1.42f, -0.03f },
    { 0.68f, 1.41f, 0.04f }, { -0.18f, 1.46f, 0 }, { -0.44f, 1.42f, -0.03f }, { -0.68f, 1.41f, 0.04f },
    { 0.1f, 0.95f, 0 }, { 0.11f, 0.52f, 0.05f }, { 0.11f, 0.09f, -0.02f }, { -0.1f, 0.95f, 0 },
    { -0.11f, 0.52f, 0.05f }, { -0.11f, 0.09f, -0.02f },
};
static float turns[BONES][4];

/* Separate arrays, with a gap between rotations. */
typedef struct Pose {
    float positions[BONES][3];
    float rotations[BONES][5];
} Pose;

static KinescopePose view(Pose *pose)
{
    return (KinescopePose){ pose->positions[0], pose->rotations[0], 0, sizeof pose->rotations[0], BONES };
}

static Pose standing(void)
{
    Pose pose = { 0 };
    for (int i = 0; i < BONES; ++i) {
        memcpy(pose.positions[i], reference[i], sizeof reference[i]);
        pose.rotations[i][3] = 1;
        pose.rotations[i][4] = 7;
    }
    return pose;
}

static int same(const Pose *a, const Pose *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static int32_t level(void *user, KinescopeVec3 from, KinescopeVec3 direction, float distance, KinescopeHit *hit)
{
    const float way = (*(float *)user - from.y) / direction.y;
    if (!(way >= 0 && way <= distance)) {
        return 0;
    }
    *hit = (KinescopeHit){
        { from.x + direction.x * way, *(float *)user, from.z + direction.z * way }, { 0, 1, 0 }, way,
    };
    return 1;
}

static int32_t nonsense(void *user, KinescopeVec3 from, KinescopeVec3 direction, float distance, KinescopeHit *hit)
{
    (void)user, (void)from, (void)direction, (void)distance;
    *hit = (KinescopeHit){ { NAN, NAN, NAN }, { INFINITY, 0, 0 }, -5 };
    return 1;
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    EXPECT(strcmp(kinescope_version(), "0.1.0") == 0);
    EXPECT(kinescope_abi_matches() && kinescope_struct_size("KinescopeVec3") == 12);
    EXPECT(strcmp(kinescope_last_error(), "") == 0);
    for (int i = 0; i < BONES; ++i) {
        turns[i][3] = 1;
    }

    /* Invalid characters. */
    KinescopeSkeleton skeleton = { BONES, names, parents, { reference[0], turns[0], 0, 0, BONES } };
    KinescopeSolver *solver = (KinescopeSolver *)1;
    EXPECT_BECAUSE(kinescope_solver_new(NULL, NULL, &solver) == KINESCOPE_STATUS_BAD_ARGUMENT, "skeleton: is NULL");
    EXPECT(solver == NULL);
    EXPECT(kinescope_solver_new(&skeleton, NULL, NULL) == KINESCOPE_STATUS_BAD_ARGUMENT);
    const int32_t cycle[BONES] = { 1, 0 };
    KinescopeSkeleton wrong = skeleton;
    wrong.parents = cycle;
    EXPECT(kinescope_solver_new(&wrong, NULL, &solver) == KINESCOPE_STATUS_BAD_RIG);
    const int32_t spine[] = { 1, 2 };
    KinescopeBiped biped = {
        0, spine, 2, -1, -1, { { -1, { 3, 4, 5 } }, { -1, { 6, 7, 8 } }, { -1, { 9, 10, 11 } }, { -1, { 12, 13, 99 } } },
    };
    wrong = skeleton;
    wrong.reference.count = 3;
    EXPECT_BECAUSE(kinescope_solver_new(&wrong, NULL, &solver) == KINESCOPE_STATUS_BAD_RIG, "has 3 bones");
    EXPECT_BECAUSE(kinescope_solver_new(&wrong, &biped, &solver) == KINESCOPE_STATUS_BAD_RIG, "has 3 bones");
    wrong = skeleton;
    wrong.reference.positions = NULL;
    EXPECT(kinescope_solver_new(&wrong, NULL, &solver) == KINESCOPE_STATUS_BAD_ARGUMENT);
    wrong = skeleton;
    wrong.count = wrong.reference.count = 0;
    EXPECT(kinescope_solver_new(&wrong, NULL, &solver) == KINESCOPE_STATUS_BAD_RIG);
    wrong = skeleton;
    wrong.names = NULL;
    EXPECT(kinescope_solver_new(&wrong, NULL, &solver) == KINESCOPE_STATUS_DONE);
    kinescope_solver_free(solver);
    wrong.reference.positions = turns[0];
    EXPECT_BECAUSE(kinescope_solver_new(&wrong, NULL, &solver) == KINESCOPE_STATUS_BAD_RIG, "no biped was found");
    EXPECT(kinescope_solver_new(&skeleton, &biped, &solver) == KINESCOPE_STATUS_BAD_RIG);
    biped.limbs[3].bones[2] = -14;
    EXPECT_BECAUSE(kinescope_solver_new(&skeleton, &biped, &solver) == KINESCOPE_STATUS_BAD_RIG, "biped.limbs[3].bones[2]: is -14");
    biped.limbs[3].bones[2] = 14;
    biped.spine_count = 0;
    EXPECT(kinescope_solver_new(&skeleton, &biped, &solver) == KINESCOPE_STATUS_BAD_RIG);
    biped.spine_count = 2;

    /* A valid character, with roles given and with roles detected. */
    EXPECT(kinescope_solver_new(&skeleton, &biped, &solver) == KINESCOPE_STATUS_DONE);
    EXPECT(kinescope_solver_bone_of(solver, "left_hand") == 5);
    EXPECT(kinescope_solver_bone_of(solver, "tail") == -1);
    kinescope_solver_free(solver);
    EXPECT(kinescope_solver_new(&skeleton, NULL, &solver) == KINESCOPE_STATUS_DONE);
    EXPECT(kinescope_solver_bone_of(solver, "left_hand") == 5 && kinescope_solver_bone_of(solver, "pelvis") == 0);
    int32_t written[BONES];
    EXPECT(kinescope_solver_written_bones(solver, NULL, 0) == BONES);
    EXPECT(kinescope_solver_written_bones(solver, written, 3) == BONES);
    KinescopeWorkspace *workspace = NULL;
    EXPECT(kinescope_workspace_new(solver, &workspace) == KINESCOPE_STATUS_DONE);

    /* Settings: from a preset and back, and invalid ones. */
    KinescopeSettings settings;
    EXPECT(kinescope_settings_default(&settings) == KINESCOPE_STATUS_DONE);
    EXPECT(settings.solver.iterations == 4 && settings.chains[KINESCOPE_LIMB_LEFT_ARM].pull == 1);
    settings.chains[KINESCOPE_LIMB_RIGHT_LEG].pull = 2;
    EXPECT_BECAUSE(kinescope_settings_validate(&settings) == KINESCOPE_STATUS_BAD_SETTINGS, "chains.right_leg.pull");
    settings.chains[KINESCOPE_LIMB_RIGHT_LEG].pull = 0.5f;
    settings.chains[KINESCOPE_LIMB_RIGHT_LEG].push_smoothing = 9;
    EXPECT_BECAUSE(kinescope_settings_validate(&settings) == KINESCOPE_STATUS_BAD_SETTINGS, "push_smoothing: is 9");
    settings.chains[KINESCOPE_LIMB_RIGHT_LEG].push_smoothing = KINESCOPE_SMOOTHING_CUBIC;
    settings.chains[KINESCOPE_LIMB_RIGHT_LEG].clamp_smoothing = 3;
    EXPECT_BECAUSE(kinescope_settings_validate(&settings) == KINESCOPE_STATUS_BAD_SETTINGS, "clamp_smoothing: is 3");
    settings.chains[KINESCOPE_LIMB_RIGHT_LEG].clamp_smoothing = 2;
    size_t needed = 0;
    EXPECT(kinescope_settings_to_preset(&settings, NULL, 0, &needed) == KINESCOPE_STATUS_NOTHING_TO_DO);
    char *json = malloc(needed);
    EXPECT(kinescope_settings_to_preset(&settings, json, needed - 1, NULL) == KINESCOPE_STATUS_NOTHING_TO_DO);
    EXPECT(kinescope_settings_to_preset(&settings, json, needed, NULL) == KINESCOPE_STATUS_DONE);
    EXPECT(strlen(json) == needed - 1);
    KinescopeSettings read;
    EXPECT(kinescope_settings_from_preset(json, &read) == KINESCOPE_STATUS_DONE);
    EXPECT(read.chains[KINESCOPE_LIMB_RIGHT_LEG].pull == 0.5f);
    EXPECT(read.chains[KINESCOPE_LIMB_RIGHT_LEG].push_smoothing == KINESCOPE_SMOOTHING_CUBIC);
    EXPECT(read.chains[KINESCOPE_LIMB_RIGHT_LEG].clamp_smoothing == 2);
    free(json);
    EXPECT_BECAUSE(kinescope_settings_from_preset("{", &read) == KINESCOPE_STATUS_BAD_FILE, "line 1");
    EXPECT(kinescope_settings_from_preset("\xff", &read) == KINESCOPE_STATUS_BAD_ARGUMENT);

    /* Invalid poses stay unchanged. */
    KinescopeEffectorSettings *hand = &settings.effectors[KINESCOPE_EFFECTOR_LEFT_HAND];
    hand->has_position = 1;
    hand->position = (KinescopeVec3){ 0.5f, 1.3f, 0.45f };
    hand->position_weight = 1;
    Pose pose = standing(), before = pose;
    KinescopePose of = view(&pose);
    pose.positions[4][1] = before.positions[4][1] = NAN;
    EXPECT_BECAUSE(kinescope_solve(solver, workspace, &settings, &of) == KINESCOPE_STATUS_BAD_POSE, "pose[4]");
    EXPECT(same(&pose, &before));
    pose = standing();
    for (int part = 0; part < 4; ++part) {
        pose.rotations[4][part] *= 0.9f;
    }
    before = pose;
    EXPECT_BECAUSE(kinescope_solve(solver, workspace, &settings, &of) == KINESCOPE_STATUS_BAD_POSE, "has length 0.9");
    EXPECT(same(&pose, &before));
    pose = standing();
    for (int part = 0; part < 4; ++part) {
        pose.rotations[4][part] *= 1.005f;
    }
    EXPECT(kinescope_solve(solver, workspace, &settings, &of) == KINESCOPE_STATUS_DONE);
    pose = before = standing();
    of.count = 3;
    EXPECT(kinescope_solve(solver, workspace, &settings, &of) == KINESCOPE_STATUS_BAD_POSE);
    of.count = BONES;
    hand->position.x = INFINITY;
    EXPECT_BECAUSE(kinescope_solve(solver, workspace, &settings, &of) == KINESCOPE_STATUS_BAD_SETTINGS, "left_hand");
    hand->position.x = 0.5f;
    EXPECT(kinescope_solve(solver, NULL, &settings, &of) == KINESCOPE_STATUS_BAD_ARGUMENT);
    settings.solver.weight = 0;
    EXPECT(kinescope_solve(solver, workspace, &settings, &of) == KINESCOPE_STATUS_NOTHING_TO_DO);
    EXPECT(same(&pose, &before));
    settings.solver.weight = 1;

    /* A solve, and the same solve in steps. */
    EXPECT(kinescope_solve(solver, workspace, &settings, &of) == KINESCOPE_STATUS_DONE);
    EXPECT(fabsf(pose.positions[5][2] - 0.45f) < 0.01f && pose.rotations[5][4] == 7);
    KinescopeTransform locals[BONES];
    EXPECT(kinescope_locals(solver, workspace, locals, BONES) == BONES);
    Pose stepped = standing();
    of = view(&stepped);
    KinescopeStep step;
    EXPECT(kinescope_step(workspace, &step) == KINESCOPE_STATUS_BAD_WORKSPACE);
    EXPECT(kinescope_begin(solver, workspace, &settings, &of) == KINESCOPE_STATUS_DONE);
    int steps = 0;
    KinescopeVec3 nodes[KINESCOPE_NODES];
    while (kinescope_step(workspace, &step) == KINESCOPE_STATUS_DONE) {
        EXPECT(kinescope_nodes(workspace, nodes) == KINESCOPE_STATUS_DONE);
        steps += 1;
    }
    EXPECT(steps == 35 && step.iteration == -1 && step.stage == KINESCOPE_STAGE_BEND);
    EXPECT(strcmp(kinescope_name_of("stage", step.stage), "bend") == 0);
    EXPECT(kinescope_name_of("stage", 11) == NULL && kinescope_name_of("node", 3) != NULL);
    EXPECT(kinescope_end(solver, workspace, &of) == KINESCOPE_STATUS_DONE);
    EXPECT(same(&pose, &stepped));
    EXPECT(kinescope_end(solver, workspace, &of) == KINESCOPE_STATUS_BAD_WORKSPACE);

    /* A node moved between two steps changes the result; a node that is not finite never reaches the bones. */
    stepped = standing();
    EXPECT(kinescope_begin(solver, workspace, &settings, &of) == KINESCOPE_STATUS_DONE);
    EXPECT(kinescope_set_node(workspace, 13, nodes[0]) == KINESCOPE_STATUS_BAD_ARGUMENT);
    EXPECT(kinescope_set_node(workspace, KINESCOPE_NODE_BODY, (KinescopeVec3){ NAN, 0, 0 })
        == KINESCOPE_STATUS_BAD_ARGUMENT);
    EXPECT(kinescope_nodes(workspace, NULL) == KINESCOPE_STATUS_BAD_ARGUMENT);
    before = stepped;
    KinescopePose few = of;
    few.count = 3;
    EXPECT_BECAUSE(kinescope_end(solver, workspace, &few) == KINESCOPE_STATUS_BAD_POSE, "has 3 bones");
    EXPECT(same(&stepped, &before));
    KinescopePose none = of;
    none.rotations = NULL;
    EXPECT_BECAUSE(kinescope_end(solver, workspace, &none) == KINESCOPE_STATUS_BAD_ARGUMENT, "are NULL");
    EXPECT(kinescope_end(NULL, workspace, &of) == KINESCOPE_STATUS_BAD_ARGUMENT);
    EXPECT(kinescope_end(solver, workspace, NULL) == KINESCOPE_STATUS_BAD_ARGUMENT);
    EXPECT(kinescope_step(workspace, &step) == KINESCOPE_STATUS_DONE);
    EXPECT(kinescope_end(solver, workspace, &of) == KINESCOPE_STATUS_DONE);

    /* A solve that is refused for its settings ends a stepped solve in progress, and the last result is gone. */
    stepped = standing();
    EXPECT(kinescope_begin(solver, workspace, &settings, &of) == KINESCOPE_STATUS_DONE);
    settings.chains[KINESCOPE_LIMB_RIGHT_LEG].push_smoothing = 9;
    EXPECT(kinescope_begin(solver, workspace, &settings, &of) == KINESCOPE_STATUS_BAD_SETTINGS);
    EXPECT(kinescope_step(workspace, &step) == KINESCOPE_STATUS_BAD_WORKSPACE);
    settings.chains[KINESCOPE_LIMB_RIGHT_LEG].push_smoothing = KINESCOPE_SMOOTHING_CUBIC;
    EXPECT(kinescope_solve(solver, workspace, &settings, &of) == KINESCOPE_STATUS_DONE);
    EXPECT(kinescope_locals(solver, workspace, locals, BONES) == BONES);
    EXPECT(kinescope_solve(solver, workspace, NULL, &of) == KINESCOPE_STATUS_BAD_ARGUMENT);
    EXPECT(kinescope_locals(solver, workspace, locals, BONES) == 0);
    stepped = standing();

    /* Many characters, one with an invalid pose and one without a solver. */
    KinescopeMany *many = NULL;
    EXPECT(kinescope_many_new(&many) == KINESCOPE_STATUS_DONE);
    enum { MANY = 100 };
    Pose *poses = malloc(sizeof(Pose) * MANY);
    KinescopeTask *tasks = malloc(sizeof(KinescopeTask) * MANY);
    for (int i = 0; i < MANY; ++i) {
        poses[i] = standing();
        tasks[i] = (KinescopeTask){ solver, &settings, view(&poses[i]), KINESCOPE_STATUS_DEFECT };
    }
    poses[7].positions[0][0] = NAN;
    tasks[8].solver = NULL;
    EXPECT(kinescope_solve_many(many, tasks, MANY) == KINESCOPE_STATUS_DONE);
    EXPECT(tasks[7].status == KINESCOPE_STATUS_BAD_POSE && tasks[8].status == KINESCOPE_STATUS_BAD_ARGUMENT);
    EXPECT(tasks[99].status == KINESCOPE_STATUS_DONE);
    for (int i = 0; i < BONES; ++i) {
        EXPECT(fabsf(poses[99].positions[i][1] - pose.positions[i][1]) < 1e-5f);
    }
    EXPECT(kinescope_solve_many(many, NULL, 0) == KINESCOPE_STATUS_DONE);
    kinescope_many_free(many);
    free(tasks);
    free(poses);

    /* Ground 10 cm above the feet of a character that stands away from the origin and is turned. */
    KinescopeGrounder *grounder = NULL;
    EXPECT(kinescope_grounder_new(solver, 5, &grounder) == KINESCOPE_STATUS_BAD_ARGUMENT);
    EXPECT(kinescope_grounder_new(solver, KINESCOPE_GROUNDING_FOOT_IK, &grounder) == KINESCOPE_STATUS_DONE);
    float height = 0.1f;
    KinescopeGround ground = { &height, level, NULL };
    const KinescopeTransform root = { { 20, 0, -5 }, { 0, 0.6f, 0, 0.8f } };
    KinescopeSettings own, driven;
    kinescope_settings_default(&own);
    stepped = standing();
    memset(stepped.rotations[4], 0, sizeof stepped.rotations[4]);
    EXPECT_BECAUSE(kinescope_ground(grounder, &ground, root, &of, NULL, 1 / 60.0f, &own, &driven)
            == KINESCOPE_STATUS_BAD_POSE, "pose[4]");
    stepped = standing();
    EXPECT(kinescope_ground(grounder, &ground, root, &of, NULL, 1 / 60.0f, &own, &driven) == KINESCOPE_STATUS_DONE);
    EXPECT(kinescope_solve(solver, workspace, &driven, &of) == KINESCOPE_STATUS_DONE);
    EXPECT(fabsf(stepped.positions[11][1] - (reference[11][1] + 0.1f)) < 0.01f);
    EXPECT(fabsf(stepped.positions[11][0] - reference[11][0]) < 0.01f);
    ground.ray = nonsense;
    EXPECT(kinescope_ground(grounder, &ground, root, &of, NULL, 1 / 60.0f, &own, &driven) == KINESCOPE_STATUS_DONE);
    ground.ray = NULL;
    EXPECT(kinescope_ground(grounder, &ground, root, &of, NULL, 1 / 60.0f, &own, &driven) == KINESCOPE_STATUS_DONE);
    const char *preset = "{\"format\":\"kinescope-preset\",\"version\":1,\"grounding\":{\"method\":\"predictive\"}}";
    EXPECT(kinescope_grounder_preset(grounder, preset) == KINESCOPE_STATUS_DONE);
    ground.ray = level;
    stepped = standing();
    EXPECT(kinescope_ground(grounder, &ground, root, &of, NULL, NAN, &own, &driven) == KINESCOPE_STATUS_DONE);
    EXPECT(kinescope_solve(solver, workspace, &driven, &of) == KINESCOPE_STATUS_DONE);
    kinescope_grounder_free(grounder);

    /* A name that is used twice, paths that cannot be written, invalid addresses, and frames with an unknown character, too few bones or
     * an invalid time. */
    KinescopeGame *game = NULL;
    KinescopeRecorder *recorder = NULL;
    KinescopeSender *sender = NULL;
    EXPECT(kinescope_game_new("a test", &game) == KINESCOPE_STATUS_DONE);
    EXPECT(kinescope_game_add(game, "player", solver, NULL) == KINESCOPE_STATUS_DONE);
    EXPECT_BECAUSE(kinescope_game_add(game, "player", solver, NULL) == KINESCOPE_STATUS_BAD_ARGUMENT, "earlier");
    EXPECT(kinescope_recorder_new(game, "/nowhere/at all", &recorder) == KINESCOPE_STATUS_SYSTEM);
    EXPECT(kinescope_sender_new(game, "no address", &sender) == KINESCOPE_STATUS_BAD_ARGUMENT);
    EXPECT(kinescope_sender_new(game, "127.0.0.1:1", &sender) == KINESCOPE_STATUS_DONE);
    KinescopeFrame frame = { 3, -1, 0, &settings, view(&stepped), { NULL, NULL, 0, 0, 0 }, NULL, 0, NULL, 0 };
    EXPECT_BECAUSE(kinescope_sender_send(sender, &frame) == KINESCOPE_STATUS_BAD_ARGUMENT, "character: is 3");
    frame.character = 0;
    frame.animated.count = 4;
    EXPECT(kinescope_sender_send(sender, &frame) == KINESCOPE_STATUS_BAD_POSE);
    frame.animated.count = BONES;
    frame.time = NAN;
    EXPECT(kinescope_sender_send(sender, &frame) == KINESCOPE_STATUS_BAD_ARGUMENT);
    frame.time = 1;
    /* Frames that could not be read back are neither recorded nor sent: NaN, positions too far away, invalid rotations. */
    EXPECT(kinescope_recorder_new(game, argv[1], &recorder) == KINESCOPE_STATUS_DONE);
    const float kept[2] = { stepped.positions[4][1], stepped.positions[5][0] };
    stepped.positions[4][1] = NAN;
    EXPECT_BECAUSE(kinescope_recorder_frame(recorder, &frame) == KINESCOPE_STATUS_BAD_POSE, "animated[4]");
    EXPECT_BECAUSE(kinescope_sender_send(sender, &frame) == KINESCOPE_STATUS_BAD_POSE, "animated[4]");
    stepped.positions[4][1] = kept[0];
    stepped.positions[5][0] = 1e30f;
    EXPECT_BECAUSE(kinescope_recorder_frame(recorder, &frame) == KINESCOPE_STATUS_BAD_POSE, "animated[5]");
    stepped.positions[5][0] = kept[1];
    Pose invalid = stepped;
    invalid.rotations[6][0] = invalid.rotations[6][1] = invalid.rotations[6][2] = invalid.rotations[6][3] = 0;
    frame.result = view(&invalid);
    EXPECT_BECAUSE(kinescope_recorder_frame(recorder, &frame) == KINESCOPE_STATUS_BAD_POSE, "result[6]");
    EXPECT_BECAUSE(kinescope_recorder_frame(recorder, &frame) == KINESCOPE_STATUS_BAD_POSE, "\"right upper arm\"");
    frame.result.count = 0;
    static KinescopeStepNodes pushed = { { 0, KINESCOPE_STAGE_PUSH }, { { 0, 0, 0 } } };
    pushed.nodes[0].y = INFINITY;
    frame.steps = &pushed;
    frame.step_count = 1;
    EXPECT_BECAUSE(kinescope_recorder_frame(recorder, &frame) == KINESCOPE_STATUS_BAD_ARGUMENT, "steps[0].nodes.body");
    frame.step_count = 0;
    const int32_t bones[2] = { 3, BONES };
    const KinescopeTransform places[2] = { { { 0, 1, 0 }, { 0, 0, 0, 1 } }, { { 0, 1, 0 }, { 0, 0, 0, 1 } } };
    KinescopeWrite write = { 99, bones, places, 1 };
    frame.writes = &write;
    frame.write_count = 1;
    EXPECT_BECAUSE(kinescope_recorder_frame(recorder, &frame) == KINESCOPE_STATUS_BAD_ARGUMENT, "part: is 99");
    write.part = KINESCOPE_PART_LEFT_ARM;
    write.count = 2;
    EXPECT_BECAUSE(kinescope_recorder_frame(recorder, &frame) == KINESCOPE_STATUS_BAD_ARGUMENT, "writes[0].bones.15");
    write.transforms = NULL;
    EXPECT_BECAUSE(kinescope_recorder_frame(recorder, &frame) == KINESCOPE_STATUS_BAD_ARGUMENT, "writes.transforms");
    write.transforms = places;
    write.count = 1;
    EXPECT(kinescope_recorder_frame(recorder, &frame) == KINESCOPE_STATUS_DONE);
    /* A character joins and leaves, in the recording and in the link. */
    uint32_t joined = 99;
    EXPECT_BECAUSE(kinescope_recorder_join(recorder, "player", solver, NULL) == KINESCOPE_STATUS_BAD_ARGUMENT, "player");
    EXPECT(kinescope_recorder_join(recorder, "guest", solver, &joined) == KINESCOPE_STATUS_DONE && joined == 1);
    KinescopeFrame of_guest = frame;
    of_guest.character = joined;
    of_guest.write_count = 0;
    EXPECT(kinescope_recorder_frame(recorder, &of_guest) == KINESCOPE_STATUS_DONE);
    EXPECT(kinescope_recorder_leave(recorder, joined) == KINESCOPE_STATUS_DONE);
    EXPECT_BECAUSE(kinescope_recorder_leave(recorder, joined) == KINESCOPE_STATUS_BAD_ARGUMENT, "character: is 1");
    EXPECT_BECAUSE(kinescope_recorder_frame(recorder, &of_guest) == KINESCOPE_STATUS_BAD_ARGUMENT, "character: is 1");
    EXPECT(kinescope_sender_join(sender, "guest", solver, &of_guest.character) == KINESCOPE_STATUS_DONE);
    EXPECT(kinescope_sender_send(sender, &of_guest) >= 0);
    EXPECT(kinescope_sender_leave(sender, of_guest.character) == KINESCOPE_STATUS_DONE);
    EXPECT(kinescope_sender_send(sender, &of_guest) == KINESCOPE_STATUS_BAD_ARGUMENT);
    char refusal[64];
    EXPECT(kinescope_sender_refused(sender, refusal, sizeof refusal, &needed) == KINESCOPE_STATUS_NOTHING_TO_DO && needed == 0);
    EXPECT(kinescope_recorder_free(recorder) == KINESCOPE_STATUS_DONE);
    EXPECT(kinescope_sender_send(sender, &frame) >= 0);
    EXPECT(kinescope_sender_is_connected(sender) == 0 && kinescope_sender_sent(sender) == 0);
    kinescope_sender_free(sender);
    kinescope_game_free(game);

    kinescope_workspace_free(workspace);
    kinescope_solver_free(solver);
    kinescope_solver_free(NULL);
    kinescope_many_free(NULL);
    EXPECT(kinescope_recorder_free(NULL) == KINESCOPE_STATUS_NOTHING_TO_DO);
    puts("all checks passed");
    return 0;
}
