/* Analyses of a recording (break conditions, pops, slides, measures), why an effector is off its target, parameters by their paths,
 * drawing, and model files. */
#include "person.h"

#include <math.h>

enum { FRAMES = 40 };

static const float dt = 0.02f;

/* Replaces the target of a hand in a stack's parameters. */
static void aim(KinescopeStack *stack, KinescopeVec3 place, float weight)
{
    KinescopeSettings settings;
    DONE(kinescope_stack_get_settings(stack, &settings));
    KinescopeEffectorSettings *hand = &settings.effectors[KINESCOPE_EFFECTOR_LEFT_HAND];
    hand->has_position = 1;
    hand->position = place;
    hand->position_weight = weight;
    DONE(kinescope_stack_set_settings(stack, &settings));
}

/* Solves a frame of a character whose root has moved by `forward`. The feet are planted as `planted` says. */
static void solve(KinescopeStack *stack, Bone *bones, float forward, float planted)
{
    KinescopeGroundFrame frame;
    const KinescopePose pose = pose_of(bones);
    DONE(kinescope_ground_frame_default(&frame));
    frame.dt = dt;
    frame.root.position = (KinescopeVec3){ 0, 0, forward };
    frame.planted[0] = frame.planted[1] = planted;
    stand(bones);
    DONE(kinescope_stack_solve(stack, NULL, &frame, 0, &pose));
}

static KinescopeVec3 circle(float frame)
{
    return (KinescopeVec3){ 0.35f, 1.3f + 0.08f * sinf(0.2f * frame), 0.4f + 0.08f * cosf(0.2f * frame) };
}

static float measure_of(const KinescopeTape *tape, uint32_t measure)
{
    float value = NAN;
    DONE(kinescope_tape_measure(tape, measure, &value));
    return value;
}

/* A hand follows a circle; in frame 20 its target jumps, and comes back in frame 21. */
static KinescopeTape *record(KinescopeStack *stack, float jump)
{
    KinescopeTape *tape = NULL;
    KinescopeBreaks breaks;
    KinescopeBreakHit hit;
    Bone bones[BONES];
    char text[256];
    size_t needed = 9;
    DONE(kinescope_tape_new(stack, &tape));
    DONE(kinescope_breaks_default(&breaks));
    EXPECT(breaks.jerk_degrees == 10 && breaks.is_on[KINESCOPE_CONDITION_JERK] == 0);
    EXPECT_BECAUSE(kinescope_tape_check(tape, &breaks, &hit) == KINESCOPE_STATUS_BAD_WORKSPACE, "kinescope_tape_record");
    breaks.is_on[KINESCOPE_CONDITION_JERK] = 1;
    int jerks = 0;
    for (int i = 0; i < FRAMES; ++i) {
        KinescopeVec3 at = circle((float)i);
        at.x += i == 20 ? jump : 0;
        aim(stack, at, 1);
        solve(stack, bones, 0.01f * (float)i, 1);
        DONE(kinescope_tape_record(tape, stack));
        const KinescopeStatus status = kinescope_tape_check(tape, &breaks, &hit);
        if (status == KINESCOPE_STATUS_NOTHING_TO_DO) {
            EXPECT(kinescope_tape_hit_text(tape, text, sizeof text, &needed) == KINESCOPE_STATUS_NOTHING_TO_DO && needed == 0);
            continue;
        }
        EXPECT(status == KINESCOPE_STATUS_DONE && hit.condition == KINESCOPE_CONDITION_JERK && i >= 20 && i <= 22);
        EXPECT(hit.layer == 0 && hit.step < kinescope_stack_layer_steps(stack, 0));
        DONE(kinescope_tape_hit_text(tape, text, sizeof text, NULL));
        EXPECT(strstr(text, "jerks") != NULL);
        DONE(kinescope_stack_layer_point(stack, hit.layer, (size_t)hit.point, text, sizeof text, NULL));
        jerks += 1;
    }
    EXPECT((jerks > 0) == (jump != 0));
    breaks.jerk_degrees = -1;
    EXPECT_BECAUSE(kinescope_tape_check(tape, &breaks, &hit) == KINESCOPE_STATUS_BAD_SETTINGS, "breaks.jerk_degrees: is -1");
    return tape;
}

static void pops(KinescopeTape *tape)
{
    KinescopePop pop;
    char text[256];
    size_t count = 0;
    DONE(kinescope_tape_find_pops(tape, &count));
    EXPECT(count > 2);
    float largest = INFINITY;
    for (size_t i = 0; i < count; ++i) {
        DONE(kinescope_tape_pop(tape, i, &pop));
        DONE(kinescope_tape_pop_joint(tape, i, text, sizeof text, NULL));
        EXPECT(pop.degrees > 0 && pop.degrees <= largest && strstr(text, "full body, ") == text);
        const KinescopeStatus named = kinescope_tape_pop_step(tape, i, text, sizeof text, NULL);
        EXPECT(named == (pop.step >= 0 ? KINESCOPE_STATUS_DONE : KINESCOPE_STATUS_NOTHING_TO_DO));
        largest = pop.degrees;
    }
    /* The largest one is in the left arm, where its target jumps. */
    DONE(kinescope_tape_pop(tape, 0, &pop));
    DONE(kinescope_tape_pop_joint(tape, 0, text, sizeof text, NULL));
    EXPECT(strstr(text, "left") != NULL && (pop.frame == 19 || pop.frame == 20));
    EXPECT(fabsf(measure_of(tape, KINESCOPE_MOTION_MEASURE_JERK) * 180 / 3.14159265f - pop.degrees) < 1e-3f);
    EXPECT(kinescope_tape_pop(tape, count, &pop) == KINESCOPE_STATUS_NOTHING_TO_DO);
}

/* The character moves forward on planted feet, which slide with it by 1 cm per frame. */
static void slides(KinescopeStack *stack, const KinescopeTape *standing)
{
    KinescopeTape *tape = NULL;
    KinescopeSlide found[8];
    KinescopeBreaks breaks;
    KinescopeBreakHit hit;
    Bone bones[BONES];
    char text[256];
    size_t count = 0;
    DONE(kinescope_tape_slides(standing, found, 8, &count));
    /* Feet that are planted from the start have not landed. */
    EXPECT(count == 2 && !found[0].has_landed && found[0].first == 0 && found[0].last == FRAMES - 1);
    EXPECT(measure_of(standing, KINESCOPE_MOTION_MEASURE_FOOT_SLIDE) == 0);

    DONE(kinescope_tape_new(stack, &tape));
    DONE(kinescope_breaks_default(&breaks));
    breaks.is_on[KINESCOPE_CONDITION_FOOT_SLIDE] = 1;
    breaks.slide_metres = 0.055f;
    for (int i = 0; i < 20; ++i) {
        solve(stack, bones, 0.01f * (float)i, i >= 5 && i < 15 ? 1.0f : 0.0f);
        DONE(kinescope_tape_record(tape, stack));
        const int is_hit = kinescope_tape_check(tape, &breaks, &hit) == KINESCOPE_STATUS_DONE;
        /* It lands in frame 5, and has slid by 6 cm in frame 11. */
        EXPECT(is_hit == (i >= 11 && i < 15));
        if (i == 11) {
            DONE(kinescope_tape_hit_text(tape, text, sizeof text, NULL));
            EXPECT(strstr(text, "foot slides: 60 mm since it landed") != NULL && hit.condition == KINESCOPE_CONDITION_FOOT_SLIDE);
        }
    }
    EXPECT(kinescope_tape_slides(tape, found, 1, &count) == KINESCOPE_STATUS_NOTHING_TO_DO && count == 2);
    DONE(kinescope_tape_slides(tape, found, 8, &count));
    for (size_t i = 0; i < count; ++i) {
        EXPECT(found[i].has_landed && found[i].first == 5 && found[i].last == 14 && found[i].side == i);
        EXPECT(fabsf(found[i].animated - 0.09f) < 1e-4f && fabsf(found[i].solved - 0.09f) < 1e-3f);
    }
    EXPECT(fabsf(measure_of(tape, KINESCOPE_MOTION_MEASURE_FOOT_SLIDE) - 0.09f) < 1e-3f);
    kinescope_tape_free(tape);
}

/* Ground that carries the feet is no slide. */
static void carried(KinescopeStack *stack)
{
    KinescopeTape *tape = NULL;
    KinescopeGroundFrame frame;
    Bone bones[BONES];
    const KinescopePose pose = pose_of(bones);
    DONE(kinescope_tape_new(stack, &tape));
    DONE(kinescope_ground_frame_default(&frame));
    frame.dt = dt;
    for (int i = 0; i < 20; ++i) {
        frame.root.position.x = 0.02f * (float)i;
        frame.carried[0].x = frame.carried[1].x = 0.02f;
        frame.planted[0] = frame.planted[1] = i < 5 ? 0.0f : 1.0f;
        stand(bones);
        DONE(kinescope_stack_solve(stack, NULL, &frame, 0, &pose));
        DONE(kinescope_tape_record(tape, stack));
    }
    EXPECT(measure_of(tape, KINESCOPE_MOTION_MEASURE_FOOT_SLIDE) < 1e-3f);
    kinescope_tape_free(tape);
}

typedef struct Reports {
    int count, most;
} Reports;

static int32_t report(void *user, float done)
{
    Reports *own = user;
    own->count += 1;
    return done <= 1 && own->count < own->most;
}

static void recording(KinescopeStack *stack, KinescopeTape *tape)
{
    static float values[FRAMES];
    Bone bones[BONES];
    const KinescopePose pose = pose_of(bones);
    uint64_t first = 9, last = 9;
    size_t count = 0;
    EXPECT(kinescope_tape_frames(tape) == FRAMES && kinescope_tape_bytes(tape) > 1000);
    DONE(kinescope_tape_range(tape, &first, &last));
    EXPECT(first == 0 && last == FRAMES - 1 && fabs(kinescope_tape_time(tape, 10) - 0.2) < 1e-6);
    EXPECT(isnan(kinescope_tape_time(tape, FRAMES)));
    EXPECT(kinescope_tape_values(tape, "left_hand_gap", values, FRAMES - 1, &count) == KINESCOPE_STATUS_NOTHING_TO_DO && count == FRAMES);
    DONE(kinescope_tape_values(tape, "left_hand_gap", values, FRAMES, NULL));
    /* The target of frame 20 is out of reach. */
    EXPECT(values[19] < 0.02f && values[20] > 0.1f && values[21] < 0.02f);
    DONE(kinescope_tape_values(tape, "tail_gap", values, FRAMES, NULL));
    EXPECT(isnan(values[0]));

    /* A frame that is replayed explains why the hand misses. */
    KinescopeStack *again = NULL;
    DONE(kinescope_tape_replay(tape, 20, NULL, &again));
    KinescopeWhy why;
    DONE(kinescope_stack_why(again, KINESCOPE_EFFECTOR_LEFT_HAND, &why));
    EXPECT(why.reason == KINESCOPE_REASON_TOO_FAR && why.miss == KINESCOPE_MISS_SHORT && why.gap > 0.1f);
    kinescope_stack_free(again);
    EXPECT_BECAUSE(kinescope_tape_replay(tape, FRAMES, NULL, &again) == KINESCOPE_STATUS_BAD_ARGUMENT, "frames 0 to 39");

    /* All frames are solved again: with the recorded settings, and without the target. */
    KinescopeTape *same = NULL, *still = NULL;
    Reports reports = { 0, 1000 };
    const KinescopeProgress progress = { &reports, report };
    DONE(kinescope_tape_solve_again(tape, NULL, NULL, &progress, &same));
    EXPECT(reports.count == FRAMES && kinescope_tape_frames(same) == FRAMES);
    EXPECT(measure_of(same, KINESCOPE_MOTION_MEASURE_JERK) == measure_of(tape, KINESCOPE_MOTION_MEASURE_JERK));
    DONE(kinescope_tape_solve_again(tape, NULL, "{\"format\":\"kinescope-preset\",\"version\":1}", NULL, &still));
    EXPECT(measure_of(still, KINESCOPE_MOTION_MEASURE_JERK) < 1e-3f);
    kinescope_tape_free(still);
    kinescope_tape_free(same);
    reports = (Reports){ 0, 3 };
    EXPECT(kinescope_tape_solve_again(tape, NULL, NULL, &progress, &same) == KINESCOPE_STATUS_CANCELLED && same == NULL && reports.count == 3);

    /* The jerk grows with the weight of the target, which is found as a parameter that affects it. */
    const KinescopeAxis weight = { "effectors.left_hand.position_weight", 0, 1, 3 };
    KinescopeSweep *sweep = NULL;
    KinescopeSensitivities *strong = NULL;
    float jerks[3];
    DONE(kinescope_sweep_new_of_tape(tape, NULL, &weight, NULL, KINESCOPE_MOTION_MEASURE_JERK, NULL, &sweep));
    DONE(kinescope_sweep_values(sweep, jerks, 3, NULL));
    EXPECT(jerks[0] < 1e-3f && jerks[1] > jerks[0] && jerks[2] == measure_of(tape, KINESCOPE_MOTION_MEASURE_JERK));
    kinescope_sweep_free(sweep);
    reports = (Reports){ 0, 1 };
    EXPECT(kinescope_sensitivities_new_of_tape(tape, NULL, KINESCOPE_MOTION_MEASURE_JERK, &progress, &strong) == KINESCOPE_STATUS_CANCELLED);
    EXPECT_BECAUSE(kinescope_sweep_new_of_tape(tape, NULL, &weight, NULL, 3, NULL, &sweep) == KINESCOPE_STATUS_BAD_SETTINGS, "measure: is 3");

    /* A frame without a time step replaces the newest one; a stack that has not solved is refused. */
    KinescopeGroundFrame frame;
    DONE(kinescope_ground_frame_default(&frame));
    frame.dt = 0;
    stand(bones);
    DONE(kinescope_stack_solve(stack, NULL, &frame, 0, &pose));
    DONE(kinescope_tape_record(tape, stack));
    EXPECT(kinescope_tape_frames(tape) == FRAMES);
    DONE(kinescope_stack_reset(stack));
    EXPECT(kinescope_tape_record(tape, stack) == KINESCOPE_STATUS_BAD_WORKSPACE);
    DONE(kinescope_tape_set_budget(tape, 0));
    EXPECT(kinescope_tape_frames(tape) == FRAMES);
    DONE(kinescope_tape_clear(tape));
    EXPECT(kinescope_tape_frames(tape) == 0 && kinescope_tape_range(tape, &first, &last) == KINESCOPE_STATUS_NOTHING_TO_DO);
    EXPECT(kinescope_sweep_new_of_tape(tape, NULL, &weight, NULL, KINESCOPE_MOTION_MEASURE_JERK, NULL, &sweep) == KINESCOPE_STATUS_BAD_ARGUMENT);
}

/* Why a hand is off its target, and the parameter that helps. */
static void explanations(KinescopeSolver *solver)
{
    KinescopeStack *stack = NULL;
    KinescopeWhy why;
    Bone bones[BONES];
    char path[256];
    float value = 9, gap = 9;
    size_t needed = 9;
    DONE(kinescope_stack_new(solver, &stack));
    EXPECT(kinescope_stack_why(stack, KINESCOPE_EFFECTOR_LEFT_HAND, &why) == KINESCOPE_STATUS_BAD_WORKSPACE);
    aim(stack, (KinescopeVec3){ 0.35f, 1.3f, 0.4f }, 0.5f);
    solve(stack, bones, 0, 1);
    DONE(kinescope_stack_why(stack, KINESCOPE_EFFECTOR_LEFT_HAND, &why));
    EXPECT(why.reason == KINESCOPE_REASON_WEIGHT && why.weight == 0.5f && why.gap > 0.01f && why.limit == 0);
    EXPECT(kinescope_stack_why(stack, KINESCOPE_EFFECTOR_RIGHT_HAND, &why) == KINESCOPE_STATUS_NOTHING_TO_DO);
    EXPECT_BECAUSE(kinescope_stack_why(stack, KINESCOPE_EFFECTORS, &why) == KINESCOPE_STATUS_BAD_SETTINGS, "effector");
    /* A target too far for the arm: the limb's reach, pull or pin lets the body follow. */
    aim(stack, (KinescopeVec3){ 0.3f, 1.3f, 1.0f }, 1);
    KinescopeSettings settings;
    DONE(kinescope_stack_get_settings(stack, &settings));
    settings.chains[KINESCOPE_LIMB_LEFT_ARM].pull = 0;
    DONE(kinescope_stack_set_settings(stack, &settings));
    solve(stack, bones, 0, 1);
    DONE(kinescope_stack_why(stack, KINESCOPE_EFFECTOR_LEFT_HAND, &why));
    EXPECT(why.reason == KINESCOPE_REASON_TOO_FAR && why.distance > why.limit && why.limit > 0.4f && why.limit < 0.6f);
    DONE(kinescope_stack_cure(stack, KINESCOPE_EFFECTOR_LEFT_HAND, &value, &gap, path, sizeof path, NULL));
    EXPECT(gap < 0.9f * why.gap && strchr(path, '.') != NULL);
    EXPECT(kinescope_stack_cure(stack, KINESCOPE_EFFECTOR_RIGHT_HAND, &value, &gap, path, sizeof path, &needed) == KINESCOPE_STATUS_NOTHING_TO_DO);
    EXPECT(needed == 0);
    kinescope_stack_free(stack);
}

/* Parameters of all layers, by their paths. */
static void parameters(KinescopeSolver *solver)
{
    KinescopeStack *stack = NULL;
    char path[256];
    float value = 9, from, to;
    size_t needed = 9;
    DONE(kinescope_stack_new(solver, &stack));
    const size_t bare = kinescope_stack_parameters(stack);
    DONE(kinescope_stack_from_preset(stack, "{\"format\":\"kinescope-preset\",\"version\":1,\"modifiers\":[{\"recoil\":{}}]}"));
    const size_t count = kinescope_stack_parameters(stack);
    EXPECT(bare > 50 && count > bare);
    int is_found = 0;
    for (size_t i = 0; i < count; ++i) {
        DONE(kinescope_stack_parameter(stack, i, path, sizeof path, NULL));
        DONE(kinescope_stack_get_parameter(stack, path, &value));
        DONE(kinescope_parameter_range(path, &from, &to));
        EXPECT(value >= from && value <= to);
        DONE(kinescope_stack_set_parameter(stack, path, to));
        DONE(kinescope_stack_get_parameter(stack, path, &value));
        EXPECT(value == to);
        is_found |= strcmp(path, "chains.left_arm.pull") == 0;
    }
    EXPECT(is_found && strstr(path, "modifiers[0].recoil.") == path);
    EXPECT(kinescope_stack_parameter(stack, count, path, sizeof path, &needed) == KINESCOPE_STATUS_NOTHING_TO_DO && needed == 0);
    EXPECT_BECAUSE(kinescope_stack_set_parameter(stack, "chains.left_arm.pull", 1.5f) == KINESCOPE_STATUS_BAD_SETTINGS, "chains.left_arm.pull: is 1.5; it must be from 0 to 1");
    EXPECT_BECAUSE(kinescope_stack_set_parameter(stack, "chains.left_arm.pull", NAN) == KINESCOPE_STATUS_BAD_SETTINGS, "is NaN");
    EXPECT_BECAUSE(kinescope_stack_get_parameter(stack, "modifiers[1].recoil.weight", &value) == KINESCOPE_STATUS_BAD_ARGUMENT, "modifiers[1].recoil.weight");
    EXPECT_BECAUSE(kinescope_stack_get_parameter(stack, "chains.tail.pull", &value) == KINESCOPE_STATUS_BAD_ARGUMENT, "chains.tail.pull");
    kinescope_stack_free(stack);
}

typedef struct Lines {
    int count, faint, targets;
    KinescopeVec3 target;
} Lines;

static void line(void *user, const KinescopeDrawnLine *own)
{
    Lines *lines = user;
    EXPECT(own->subject <= KINESCOPE_SUBJECT_PELVIS_OFFSET && isfinite(own->from.x) && isfinite(own->to.z));
    lines->count += 1;
    lines->faint += own->is_faint != 0;
    if (own->subject == KINESCOPE_SUBJECT_TARGET) {
        EXPECT(own->index == KINESCOPE_EFFECTOR_LEFT_HAND && own->value == 1);
        lines->target = (KinescopeVec3){ 0.5f * (own->from.x + own->to.x), 0.5f * (own->from.y + own->to.y), 0.5f * (own->from.z + own->to.z) };
        lines->targets += 1;
    }
}

/* A layer is drawn as lines, in world space. */
static void drawing(KinescopeSolver *solver)
{
    KinescopeStack *stack = NULL;
    Bone bones[BONES];
    Lines lines = { 0, 0, 0, { 0, 0, 0 } };
    const KinescopeDrawing drawing = { &lines, line }, none = { NULL, NULL };
    DONE(kinescope_stack_new(solver, &stack));
    EXPECT(kinescope_stack_layer_draw(stack, 0, 0, -1, &drawing) == KINESCOPE_STATUS_NOTHING_TO_DO && lines.count == 0);
    aim(stack, (KinescopeVec3){ 0.35f, 1.3f, 0.4f }, 1);
    solve(stack, bones, 2, 1);
    for (size_t step = 0; step < kinescope_stack_layer_steps(stack, 0); ++step) {
        lines.count = lines.targets = 0;
        DONE(kinescope_stack_layer_draw(stack, 0, step, -1, &drawing));
        /* The steps after the 35 of the nodes write the bones, without targets. */
        EXPECT(lines.count > 50 && (lines.targets > 0) == (step < 35));
    }
    /* The root is 2 m ahead. */
    EXPECT(fabsf(lines.target.x - 0.35f) < 0.05f && fabsf(lines.target.y - 1.3f) < 0.05f && fabsf(lines.target.z - 2.4f) < 0.05f);
    EXPECT_BECAUSE(kinescope_stack_layer_draw(stack, 0, 0, -1, &none) == KINESCOPE_STATUS_BAD_ARGUMENT, "drawing.line: is NULL");
    EXPECT(kinescope_stack_layer_draw(stack, 0, 1000, -1, &drawing) == KINESCOPE_STATUS_NOTHING_TO_DO);
    kinescope_stack_free(stack);
}

static uint8_t *bytes_of(const KinescopeFile *file, size_t *count)
{
    EXPECT(kinescope_file_bytes(file, NULL, 0, count) == KINESCOPE_STATUS_NOTHING_TO_DO && *count > 100);
    uint8_t *bytes = malloc(*count);
    DONE(kinescope_file_bytes(file, bytes, *count, NULL));
    return bytes;
}

static KinescopeModel *read_again(KinescopeFile *file, const char *name, uint8_t **bytes, size_t *count)
{
    KinescopeModel *model = NULL;
    *bytes = bytes_of(file, count);
    DONE(kinescope_model_new(name, *bytes, *count, &model));
    kinescope_file_free(file);
    return model;
}

static float apart(const Bone *a, const Bone *b, int bones)
{
    float most = 0;
    for (int i = 0; i < bones; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            most = fmaxf(most, fabsf(a[i].position[axis] - b[i].position[axis]));
        }
    }
    return most;
}

/* A clip of solved poses is written, read and sampled again. */
static void files(KinescopeSolver *solver)
{
    static Bone clip[FRAMES][BONES];
    static KinescopePose poses[FRAMES];
    static float times[FRAMES];
    Bone sampled[BONES];
    const KinescopePose pose = pose_of(sampled);
    KinescopeStack *stack = NULL;
    KinescopeFile *file = NULL;
    char notes[1024];
    size_t count = 0, unused;
    uint8_t *bytes = NULL, *others = NULL;
    DONE(kinescope_stack_new(solver, &stack));
    for (int i = 0; i < FRAMES; ++i) {
        aim(stack, circle((float)i), 1);
        solve(stack, clip[i], 0, 1);
        times[i] = dt * (float)i;
        poses[i] = pose_of(clip[i]);
    }
    kinescope_stack_free(stack);

    DONE(kinescope_solver_write_clip(solver, "wave", times, poses, FRAMES, &file));
    DONE(kinescope_file_notes(file, notes, sizeof notes, NULL));
    KinescopeModel *model = read_again(file, "wave.glb", &bytes, &count);
    EXPECT(kinescope_model_bones(model) == BONES && kinescope_model_clips(model) == 1);
    EXPECT(strcmp(kinescope_model_clip_name(model, 0), "wave") == 0);
    EXPECT(fabsf(kinescope_model_clip_duration(model, 0) - times[FRAMES - 1]) < 1e-5f);
    DONE(kinescope_model_sample(model, 0, times[7], &pose));
    EXPECT(apart(sampled, clip[7], BONES) < 1e-4f);

    /* The file gets a second clip, then a clip in place of the first one. */
    DONE(kinescope_model_write_clip(model, bytes, count, "still", times, poses + 3, 2, &file));
    KinescopeModel *two = read_again(file, "two.glb", &others, &unused);
    EXPECT(kinescope_model_clips(two) == 2 && strcmp(kinescope_model_clip_name(two, 1), "still") == 0);
    kinescope_model_free(two);
    free(others);
    DONE(kinescope_model_write_clip(model, bytes, count, "wave", times, poses + 3, 2, &file));
    two = read_again(file, "one.glb", &others, &unused);
    EXPECT(kinescope_model_clips(two) == 1 && fabsf(kinescope_model_clip_duration(two, 0) - dt) < 1e-5f);
    kinescope_model_free(two);
    free(others);

    /* A written pose becomes the rest pose of the file. */
    DONE(kinescope_model_write_pose(model, bytes, count, &poses[20], &file));
    two = read_again(file, "pose.glb", &others, &unused);
    DONE(kinescope_model_sample(two, -1, 0, &pose));
    EXPECT(apart(sampled, clip[20], BONES) < 1e-4f);
    kinescope_model_free(two);
    free(others);
    EXPECT_BECAUSE(kinescope_model_write_pose(model, bytes, 100, &poses[20], &file) == KINESCOPE_STATUS_BAD_FILE, "");

    /* BVH, in centimetres; read again, lengths are in metres. */
    for (int of_model = 0; of_model < 2; ++of_model) {
        DONE(of_model ? kinescope_model_write_bvh(model, poses, FRAMES, dt, 0, &file) : kinescope_solver_write_bvh(solver, poses, FRAMES, dt, 100, &file));
        DONE(kinescope_file_notes(file, notes, sizeof notes, NULL));
        EXPECT(strstr(notes, "centimetres") != NULL);
        two = read_again(file, "wave.bvh", &others, &unused);
        EXPECT(strstr((char *)others, "Frames: 40\nFrame Time: 0.02") != NULL && kinescope_model_clips(two) == 1);
        /* Ends of branches are bones of their own in BVH. */
        static Bone near[64], far[64];
        const KinescopePose first = { near[0].position, near[0].rotation, sizeof(Bone), sizeof(Bone), 64 };
        const KinescopePose second = { far[0].position, far[0].rotation, sizeof(Bone), sizeof(Bone), 64 };
        KinescopeModel *inches = NULL;
        DONE(kinescope_model_sample(two, 0, 0, &first));
        EXPECT(fabsf(near[PELVIS].position[1] - clip[0][PELVIS].position[1]) < 1e-3f);
        kinescope_model_free(two);
        /* The same file, with other units. */
        DONE(kinescope_model_new_in_unit("wave.bvh", others, unused, KINESCOPE_LENGTH_UNIT_INCHES, &inches));
        DONE(kinescope_model_sample(inches, 0, 0, &second));
        EXPECT(fabsf(far[PELVIS].position[1] / near[PELVIS].position[1] - 2.54f) < 1e-3f);
        kinescope_model_free(inches);
        EXPECT_BECAUSE(kinescope_model_new_in_unit("wave.bvh", others, unused, 5, &inches) == KINESCOPE_STATUS_BAD_SETTINGS, "unit: is 5");
        free(others);
    }
    size_t needed = 9;
    DONE(kinescope_model_notes(model, notes, sizeof notes, &needed));
    EXPECT(needed == strlen(notes) + 1);
    free(bytes);
    kinescope_model_free(model);

    const float same[2] = { 1, 1 };
    EXPECT_BECAUSE(kinescope_solver_write_clip(solver, "a", same, poses, 2, &file) == KINESCOPE_STATUS_BAD_ARGUMENT, "times[1]: is 1");
    EXPECT_BECAUSE(kinescope_solver_write_clip(solver, "a", times, poses, 0, &file) == KINESCOPE_STATUS_BAD_ARGUMENT, "count: is 0");
    EXPECT_BECAUSE(kinescope_solver_write_bvh(solver, poses, 1, 0, 0, &file) == KINESCOPE_STATUS_BAD_ARGUMENT, "frame_time: is 0");
    EXPECT_BECAUSE(kinescope_solver_write_bvh(solver, poses, 1, 1, NAN, &file) == KINESCOPE_STATUS_BAD_ARGUMENT, "centimetres: is NaN");
    clip[1][4].position[1] = NAN;
    EXPECT_BECAUSE(kinescope_solver_write_bvh(solver, poses, 2, 1, 0, &file) == KINESCOPE_STATUS_BAD_POSE, "poses[1]: ");
}

int main(void)
{
    KinescopeSolver *solver = new_person();
    KinescopeStack *stack = NULL;
    DONE(kinescope_stack_new(solver, &stack));
    KinescopeTape *smooth = record(stack, 0);
    KinescopeTape *tape = record(stack, 0.6f);
    EXPECT(measure_of(tape, KINESCOPE_MOTION_MEASURE_JERK) > 2 * measure_of(smooth, KINESCOPE_MOTION_MEASURE_JERK));
    EXPECT(measure_of(tape, KINESCOPE_MOTION_MEASURE_BEND_TURN) > 0);
    pops(tape);
    slides(stack, smooth);
    carried(stack);
    recording(stack, tape);
    explanations(solver);
    parameters(solver);
    drawing(solver);
    files(solver);
    kinescope_tape_free(smooth);
    kinescope_tape_free(tape);
    kinescope_stack_free(stack);
    kinescope_solver_free(solver);
    return 0;
}
