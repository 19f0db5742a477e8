/* The least-squares body and the position-based body reach a target, and the layers of a stack are stepped event by event. */
#include "person.h"

#include <math.h>

static const KinescopeVec3 target = { 0.35f, 1.3f, 0.4f };

static float missed(const Bone *bones)
{
    const float *hand = bones[LEFT_HAND].position;
    return sqrtf((hand[0] - target.x) * (hand[0] - target.x) + (hand[1] - target.y) * (hand[1] - target.y)
                 + (hand[2] - target.z) * (hand[2] - target.z));
}

/* The angle between upper arm and forearm of the left arm, radians. */
static float bend(const Bone *bones)
{
    float upper[3], lower[3], dot = 0, lengths[2] = { 0, 0 };
    for (int axis = 0; axis < 3; ++axis) {
        upper[axis] = bones[LEFT_HAND - 1].position[axis] - bones[LEFT_HAND - 2].position[axis];
        lower[axis] = bones[LEFT_HAND].position[axis] - bones[LEFT_HAND - 1].position[axis];
        dot += upper[axis] * lower[axis];
        lengths[0] += upper[axis] * upper[axis];
        lengths[1] += lower[axis] * lower[axis];
    }
    return acosf(fminf(dot / sqrtf(lengths[0] * lengths[1]), 1));
}

static KinescopeSettings targets(void)
{
    KinescopeSettings settings;
    DONE(kinescope_settings_default(&settings));
    KinescopeEffectorSettings *hand = &settings.effectors[KINESCOPE_EFFECTOR_LEFT_HAND];
    hand->has_position = 1;
    hand->position = target;
    hand->position_weight = 1;
    return settings;
}

static void bodies(KinescopeSolver *solver)
{
    KinescopeLeastSquares *squares = NULL;
    KinescopePositionBased *based = NULL;
    KinescopeLeastSquaresSettings squares_settings;
    KinescopePositionBasedSettings based_settings;
    KinescopeSettings settings = targets();
    KinescopeBodyOutcome outcome;
    Bone bones[BONES], standing[BONES];
    const KinescopePose pose = pose_of(bones);
    stand(standing);
    DONE(kinescope_least_squares_new(solver, &squares));
    DONE(kinescope_least_squares_settings_default(&squares_settings));
    EXPECT(squares_settings.iterations == 256 && squares_settings.warm_start == 1);
    for (int frame = 0; frame < 5; ++frame) {
        stand(bones);
        DONE(kinescope_least_squares_solve(squares, &squares_settings, &settings, &pose, &outcome));
    }
    EXPECT(missed(bones) < 0.01f && outcome.iterations > 0 && fabsf(outcome.distance - missed(bones)) < 1e-3f);
    /* Limits from clips in which the character only stands: the elbow keeps its angle. */
    const KinescopePose clip[2] = { pose_of(standing), pose_of(standing) };
    KinescopeSettings held = settings;
    held.effectors[KINESCOPE_EFFECTOR_BODY].position_weight = 1;
    squares_settings.clip_limits = 1;
    squares_settings.clip_margin = 0;
    float turned[2];
    for (int with_clips = 0; with_clips < 2; ++with_clips) {
        DONE(kinescope_least_squares_set_clip_poses(squares, clip, with_clips ? 2 : 0));
        DONE(kinescope_least_squares_reset(squares));
        stand(bones);
        DONE(kinescope_least_squares_solve(squares, &squares_settings, &held, &pose, &outcome));
        turned[with_clips] = fabsf(bend(bones) - bend(standing));
    }
    EXPECT(turned[0] > 0.15f && turned[1] < 0.06f);
    squares_settings.clip_limits = 0;
    DONE(kinescope_least_squares_reset(squares));
    squares_settings.damping = -1;
    stand(bones);
    EXPECT_BECAUSE(kinescope_least_squares_solve(squares, &squares_settings, &settings, &pose, NULL) == KINESCOPE_STATUS_BAD_SETTINGS,
                   "damping");
    EXPECT(memcmp(bones, standing, sizeof bones) == 0);

    DONE(kinescope_position_based_new(solver, &based));
    DONE(kinescope_position_based_set_clip_poses(based, clip, 2));
    DONE(kinescope_position_based_settings_default(&based_settings));
    DONE(kinescope_position_based_solve(based, &based_settings, &settings, &pose, &outcome));
    EXPECT(missed(bones) < 0.01f && outcome.iterations > 0 && outcome.distance < 0.01f);
    /* With one sub-step the hand misses its target by more than 1 mm. */
    stand(bones);
    based_settings.substeps = 1;
    DONE(kinescope_position_based_solve(based, &based_settings, &settings, &pose, NULL));
    EXPECT(missed(bones) > 0.001f);
    /* Without a target the pose stays. */
    stand(bones);
    DONE(kinescope_settings_default(&settings));
    DONE(kinescope_position_based_solve(based, &based_settings, &settings, &pose, &outcome));
    EXPECT(memcmp(bones, standing, sizeof bones) == 0 && outcome.distance == 0);
    bones[3].position[1] = NAN;
    EXPECT_BECAUSE(kinescope_position_based_solve(based, &based_settings, &settings, &pose, NULL) == KINESCOPE_STATUS_BAD_POSE, "neck");
    kinescope_position_based_free(based);
    kinescope_least_squares_free(squares);
}

static void layers(KinescopeSolver *solver)
{
    KinescopeStack *stack = NULL;
    KinescopeGroundFrame frame;
    const KinescopeSettings settings = targets();
    Bone solved[BONES], bones[BONES];
    const KinescopePose output = pose_of(solved), pose = pose_of(bones);
    static char text[4096];
    size_t needed = 9;
    DONE(kinescope_stack_new(solver, &stack));
    DONE(kinescope_stack_from_preset(stack, "{\"format\":\"kinescope-preset\",\"version\":1,"
                                            "\"stack\":{\"position_based\":{\"on\":true}}}"));
    DONE(kinescope_stack_set_settings(stack, &settings));
    /* Without the setting, poses of clips change nothing. */
    stand(bones);
    DONE(kinescope_stack_set_clip_poses(stack, &pose, 1));
    EXPECT(kinescope_stack_layers(stack) == 0);
    DONE(kinescope_ground_frame_default(&frame));
    /* The character stands elsewhere; the poses of its layers are in model space. */
    frame.root.position = (KinescopeVec3){ 5, 0, 2 };
    stand(solved);
    DONE(kinescope_stack_solve(stack, NULL, &frame, 0, &output));
    const size_t count = kinescope_stack_layers(stack);
    EXPECT(count >= 1 && count < 10);
    size_t events = 0, formulas = 0;
    for (size_t layer = 0; layer < count; ++layer) {
        DONE(kinescope_stack_layer_name(stack, layer, text, sizeof text, &needed));
        EXPECT(strlen(text) + 1 == needed && needed > 3);
        const size_t steps = kinescope_stack_layer_steps(stack, layer);
        EXPECT(steps > 0);
        for (size_t step = 0; step < steps; ++step) {
            DONE(kinescope_stack_layer_step(stack, layer, step, text, sizeof text, NULL));
            EXPECT(strstr(text, ": ") != NULL);
            for (uint32_t event = 0; event < kinescope_stack_layer_events(stack, layer, step); ++event) {
                DONE(kinescope_stack_layer_event(stack, layer, step, event, text, sizeof text, NULL));
                EXPECT(strlen(text) > 5);
                DONE(kinescope_stack_layer_pose(stack, layer, step, (int32_t)event, &pose));
                EXPECT(isfinite(bones[LEFT_HAND].position[0]));
                events += 1;
                if (kinescope_stack_layer_formula(stack, layer, step, event, text, sizeof text, &needed) == KINESCOPE_STATUS_DONE) {
                    EXPECT(strchr(text, '\n') != NULL);
                    formulas += 1;
                }
            }
        }
    }
    EXPECT(events > 10 && formulas > 5);
    /* The pose after the last step is the solved one. After the first step of the first layer the hand is farther from its target. */
    DONE(kinescope_stack_layer_pose(stack, count - 1, kinescope_stack_layer_steps(stack, count - 1) - 1, -1, &pose));
    for (int bone = 0; bone < BONES; ++bone) {
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT(fabsf(bones[bone].position[axis] - solved[bone].position[axis]) < 1e-5f);
        }
    }
    EXPECT(missed(bones) < 0.01f);
    DONE(kinescope_stack_layer_pose(stack, 0, 0, -1, &pose));
    EXPECT(missed(bones) > missed(solved));
    /* Layers, steps and events that do not exist. */
    EXPECT(kinescope_stack_layer_name(stack, count, text, sizeof text, &needed) == KINESCOPE_STATUS_NOTHING_TO_DO && needed == 0);
    EXPECT(kinescope_stack_layer_pose(stack, 0, 9999, -1, &pose) == KINESCOPE_STATUS_NOTHING_TO_DO);
    EXPECT(kinescope_stack_layer_pose(stack, 0, 0, 9999, &pose) == KINESCOPE_STATUS_NOTHING_TO_DO);
    DONE(kinescope_stack_reset(stack));
    EXPECT(kinescope_stack_layers(stack) == 0);
    kinescope_stack_free(stack);
}

int main(void)
{
    KinescopeSolver *solver = new_person();
    bodies(solver);
    layers(solver);
    kinescope_solver_free(solver);
    return 0;
}
