/* Analyses of a solve: attribution, bug capsules and their replay, sweeps, sensitivities, variants and the reachable volume. */
#include "person.h"

#include <math.h>

static const KinescopeVec3 target = { 0.2f, 1.2f, 0.75f };

static KinescopeSettings settings_with(KinescopeVec3 place)
{
    KinescopeSettings settings;
    DONE(kinescope_settings_default(&settings));
    KinescopeEffectorSettings *hand = &settings.effectors[KINESCOPE_EFFECTOR_LEFT_HAND];
    hand->has_position = 1;
    hand->position = place;
    hand->position_weight = 1;
    return settings;
}

/* Solves a frame of a character that stands elsewhere and looks to its left. */
static void solve(KinescopeStack *stack, Bone *bones)
{
    KinescopeGroundFrame frame;
    const KinescopePose pose = pose_of(bones);
    DONE(kinescope_ground_frame_default(&frame));
    frame.root = (KinescopeTransform){ { 5, 0, 2 }, { 0, sqrtf(0.5f), 0, sqrtf(0.5f) } };
    stand(bones);
    DONE(kinescope_stack_solve(stack, NULL, &frame, 0, &pose));
}

static float apart(KinescopeVec3 a, const float *b)
{
    return sqrtf((a.x - b[0]) * (a.x - b[0]) + (a.y - b[1]) * (a.y - b[1]) + (a.z - b[2]) * (a.z - b[2]));
}

static float measure(const KinescopeStack *stack, const char *key)
{
    char own[128];
    for (size_t i = 0; i < kinescope_stack_measures(stack); ++i) {
        DONE(kinescope_stack_measure_key(stack, i, own, sizeof own, NULL));
        if (strcmp(own, key) == 0) {
            return kinescope_stack_measure(stack, i);
        }
    }
    return NAN;
}

static void attribution(const KinescopeStack *stack, const Bone *solved)
{
    KinescopeAttribution *table = NULL;
    KinescopeAttributionRow row;
    KinescopeVec3 from, to, sum = { 0, 0, 0 };
    char text[256];
    size_t needed = 9;
    DONE(kinescope_attribution_new(stack, LEFT_HAND, KINESCOPE_GROUPING_CAUSE, &table));
    DONE(kinescope_attribution_total(table, &from, &to));
    EXPECT(apart(from, places[LEFT_HAND]) < 1e-5f && apart(to, solved[LEFT_HAND].position) < 1e-5f);
    double along = 0, largest = 1e9;
    const size_t rows = kinescope_attribution_rows(table);
    EXPECT(rows > 1);
    for (size_t i = 0; i < rows; ++i) {
        DONE(kinescope_attribution_row(table, i, &row));
        DONE(kinescope_attribution_label(table, i, text, sizeof text, NULL));
        EXPECT(strlen(text) > 2 && row.count > 0 && fabs(row.along) <= largest);
        EXPECT(row.layer < kinescope_stack_layers(stack) && row.step < kinescope_stack_layer_steps(stack, row.layer));
        EXPECT(row.event < (int32_t)kinescope_stack_layer_events(stack, row.layer, row.step));
        largest = fabs(row.along);
        along += row.along;
        sum.x += row.sum.x;
        sum.y += row.sum.y;
        sum.z += row.sum.z;
    }
    /* The rows add up to the way of the hand, in length and in model space. */
    EXPECT(fabs(along - (double)apart(from, &to.x)) < 1e-5);
    const float end[3] = { from.x + sum.x, from.y + sum.y, from.z + sum.z };
    EXPECT(apart(to, end) < 1e-5f);
    EXPECT(kinescope_attribution_row(table, rows, &row) == KINESCOPE_STATUS_NOTHING_TO_DO);
    EXPECT(kinescope_attribution_label(table, rows, text, sizeof text, &needed) == KINESCOPE_STATUS_NOTHING_TO_DO && needed == 0);
    kinescope_attribution_free(table);

    /* The node of the left hand, by stages. */
    size_t point = 0;
    do {
        DONE(kinescope_stack_layer_point(stack, 0, point, text, sizeof text, NULL));
    } while (strcmp(text, "left_hand") != 0 && ++point < 100);
    DONE(kinescope_attribution_new_of_point(stack, 0, point, KINESCOPE_GROUPING_STAGE, &table));
    EXPECT(kinescope_attribution_rows(table) > 0);
    kinescope_attribution_free(table);
    EXPECT_BECAUSE(kinescope_attribution_new_of_point(stack, 0, 1000, 0, &table) == KINESCOPE_STATUS_BAD_ARGUMENT, "point: is 1000");
    EXPECT_BECAUSE(kinescope_attribution_new(stack, BONES, 0, &table) == KINESCOPE_STATUS_BAD_ARGUMENT, "bone: is 18");
    EXPECT_BECAUSE(kinescope_attribution_new(stack, 0, 4, &table) == KINESCOPE_STATUS_BAD_SETTINGS, "grouping");
}

static KinescopeCapsule *capsules(KinescopeStack *stack, const Bone *solved)
{
    KinescopeCapsule *first = NULL, *capsule = NULL;
    KinescopeStack *replayed = NULL;
    KinescopeCapsuleChange change;
    static char json[1 << 18], text[256];
    Bone bones[BONES];
    const KinescopePose pose = pose_of(bones);
    size_t needed = 0, changed = 9;
    DONE(kinescope_capsule_new(stack, "the hand falls short", 0.5f, &first));
    DONE(kinescope_capsule_add(first, stack, 0.75f));
    EXPECT(kinescope_capsule_to_json(first, NULL, 0, &needed) == KINESCOPE_STATUS_NOTHING_TO_DO && needed < sizeof json);
    DONE(kinescope_capsule_to_json(first, json, sizeof json, NULL));
    kinescope_capsule_free(first);
    DONE(kinescope_capsule_new_of_json(json, &capsule));
    DONE(kinescope_capsule_name(capsule, text, sizeof text, NULL));
    EXPECT(strcmp(text, "the hand falls short") == 0 && kinescope_capsule_bones(capsule) == BONES);
    EXPECT(kinescope_capsule_frames(capsule) == 2 && kinescope_capsule_time(capsule, 1) == 0.75f && isnan(kinescope_capsule_time(capsule, 2)));
    DONE(kinescope_capsule_animated(capsule, 1, &pose));
    for (int i = 0; i < BONES; ++i) {
        const KinescopeVec3 at = { bones[i].position[0], bones[i].position[1], bones[i].position[2] };
        EXPECT(apart(at, places[i]) < 1e-5f);
    }
    /* A frame that is replayed has the same result, and can be analysed like any other. */
    DONE(kinescope_capsule_replay(capsule, 1, NULL, &replayed));
    DONE(kinescope_stack_pose(replayed, &pose));
    EXPECT(memcmp(bones, solved, sizeof bones) == 0);
    EXPECT(measure(replayed, "left_hand_gap") == measure(stack, "left_hand_gap"));
    kinescope_stack_free(replayed);
    EXPECT_BECAUSE(kinescope_capsule_replay(capsule, 2, NULL, &replayed) == KINESCOPE_STATUS_BAD_ARGUMENT, "has 2 frames");
    DONE(kinescope_capsule_check(capsule, NULL, &changed));
    EXPECT(changed == 0 && kinescope_capsule_change(capsule, 0, &change) == KINESCOPE_STATUS_NOTHING_TO_DO);

    /* With one iteration in the file instead of four, both frames differ. */
    char *pull = strstr(json, "\"iterations\": 4");
    EXPECT(pull != NULL);
    pull[strlen("\"iterations\": ")] = '1';
    KinescopeCapsule *other = NULL;
    DONE(kinescope_capsule_new_of_json(json, &other));
    DONE(kinescope_capsule_check(other, NULL, &changed));
    EXPECT(changed == 2);
    DONE(kinescope_capsule_change(other, 1, &change));
    EXPECT(change.frame == 1 && change.distance > 1e-3f && change.distance < 1);
    DONE(kinescope_capsule_change_point(other, 1, text, sizeof text, NULL));
    EXPECT(strstr(text, "full body, ") == text && strlen(text) > strlen("full body, "));
    kinescope_capsule_free(other);
    EXPECT_BECAUSE(kinescope_capsule_new_of_json("{}", &other) == KINESCOPE_STATUS_BAD_FILE, "format");
    return capsule;
}

/* Progress that grows, and is cancelled after a number of reports. */
typedef struct Reports {
    int count, most;
    float last;
} Reports;

static int32_t report(void *user, float done)
{
    Reports *own = user;
    EXPECT(done >= own->last && done <= 1);
    own->last = done;
    own->count += 1;
    return own->count < own->most;
}

static void sweeps(const KinescopeStack *stack, const KinescopeCapsule *capsule)
{
    KinescopeSweep *sweep = NULL;
    KinescopeSensitivities *strong = NULL;
    KinescopeSensitivity effect;
    float from = 9, to = 9, values[12], x, y, least;
    char text[256];
    size_t needed = 0;
    DONE(kinescope_parameter_range("effectors.left_hand.position_weight", &from, &to));
    EXPECT(from == 0 && to == 1);
    EXPECT_BECAUSE(kinescope_parameter_range("effectors.tail", &from, &to) == KINESCOPE_STATUS_BAD_ARGUMENT, "effectors.tail");
    const KinescopeAxis weight = { "effectors.left_hand.position_weight", 0.25f, 1, 4 };
    const KinescopeAxis pull = { "chains.left_arm.pull", 0, 1, 3 };
    DONE(kinescope_sweep_new(capsule, NULL, &weight, &pull, "left_hand_gap", NULL, &sweep));
    EXPECT(kinescope_sweep_values(sweep, values, 11, &needed) == KINESCOPE_STATUS_NOTHING_TO_DO && needed == 12);
    DONE(kinescope_sweep_values(sweep, values, 12, NULL));
    /* More weight comes closer; the last value is that of the frame. */
    for (int i = 0; i < 12; ++i) {
        EXPECT(i % 4 == 0 || values[i] < values[i - 1]);
    }
    EXPECT(fabsf(values[11] - measure(stack, "left_hand_gap")) < 1e-5f);
    DONE(kinescope_sweep_least(sweep, &x, &y, &least));
    EXPECT(x == 1 && y >= 0 && y <= 1 && least <= values[11]);
    kinescope_sweep_free(sweep);
    Reports reports = { 0, 1000, 0 };
    const KinescopeProgress progress = { &reports, report }, none = { NULL, NULL };
    DONE(kinescope_sweep_new(capsule, NULL, &weight, &pull, "left_hand_gap", &progress, &sweep));
    EXPECT(reports.count > 0);
    kinescope_sweep_free(sweep);
    DONE(kinescope_sweep_new(capsule, NULL, &weight, &pull, "left_hand_gap", &none, &sweep));
    kinescope_sweep_free(sweep);
    /* Cancelled work has no result. */
    reports = (Reports){ 0, 1, 0 };
    EXPECT_BECAUSE(kinescope_sweep_new(capsule, NULL, &weight, NULL, "left_hand_gap", &progress, &sweep) == KINESCOPE_STATUS_CANCELLED, "progress: returned 0");
    EXPECT(sweep == NULL && reports.count == 1);
    reports = (Reports){ 0, 1, 0 };
    EXPECT(kinescope_sensitivities_new(capsule, NULL, "left_hand_gap", &progress, &strong) == KINESCOPE_STATUS_CANCELLED && strong == NULL);
    EXPECT_BECAUSE(kinescope_sweep_new(capsule, NULL, &weight, NULL, "tail_gap", NULL, &sweep) == KINESCOPE_STATUS_BAD_ARGUMENT, "left_hand_gap");
    const KinescopeAxis one = { "chains.left_arm.pull", 0, 1, 1 };
    EXPECT_BECAUSE(kinescope_sweep_new(capsule, NULL, &one, NULL, "left_hand_gap", NULL, &sweep) == KINESCOPE_STATUS_BAD_ARGUMENT, "x.count: is 1");

    DONE(kinescope_sensitivities_new(capsule, NULL, "left_hand_gap", NULL, &strong));
    const size_t count = kinescope_sensitivities_count(strong);
    EXPECT(count > 1);
    int is_weight_found = 0;
    for (size_t i = 0; i < count; ++i) {
        DONE(kinescope_sensitivities_get(strong, i, &effect));
        DONE(kinescope_sensitivities_parameter(strong, i, text, sizeof text, NULL));
        if (strcmp(text, "effectors.left_hand.position_weight") == 0) {
            /* At its largest value it can only decrease, which adds to the gap. */
            EXPECT(effect.value == 1 && effect.down > 0 && effect.up == 0);
            is_weight_found = 1;
        }
    }
    EXPECT(is_weight_found && kinescope_sensitivities_get(strong, count, &effect) == KINESCOPE_STATUS_NOTHING_TO_DO);
    kinescope_sensitivities_free(strong);
}

static void variants_and_reach(const KinescopeSolver *solver)
{
    enum { VARIANTS = 50 };
    static KinescopeSettings settings[VARIANTS];
    static float gaps[VARIANTS][KINESCOPE_EFFECTORS];
    Bone bones[BONES], before[BONES];
    const KinescopePose pose = pose_of(bones);
    stand(bones);
    stand(before);
    /* A target that moves away from the shoulder is reached at first, and missed by more and more then. */
    for (int i = 0; i < VARIANTS; ++i) {
        settings[i] = settings_with((KinescopeVec3){ 0.4f + 0.03f * (float)i, 1.4f, 0.2f });
    }
    DONE(kinescope_solve_variants(solver, settings, VARIANTS, &pose, gaps[0]));
    EXPECT(memcmp(bones, before, sizeof bones) == 0);
    const int hand = KINESCOPE_EFFECTOR_LEFT_HAND;
    EXPECT(gaps[0][hand] < 0.02f && gaps[VARIANTS - 1][hand] > 0.5f && gaps[0][KINESCOPE_EFFECTOR_RIGHT_HAND] == 0);
    settings[3].chains[0].push_smoothing = 9;
    EXPECT_BECAUSE(kinescope_solve_variants(solver, settings, VARIANTS, &pose, gaps[0]) == KINESCOPE_STATUS_BAD_SETTINGS, "settings[3]");

    KinescopeReach *reach = NULL;
    static KinescopeSurfacePoint points[4096];
    static uint32_t indices[3 * 8192];
    size_t count = 0, corners = 0;
    Reports reports = { 0, 1, 0 };
    const KinescopeProgress progress = { &reports, report };
    EXPECT(kinescope_reach_new(solver, &settings[0], &pose, KINESCOPE_LIMB_LEFT_ARM, 16, &progress, &reach) == KINESCOPE_STATUS_CANCELLED);
    EXPECT(reach == NULL && reports.count == 1);
    reports = (Reports){ 0, 1000, 0 };
    DONE(kinescope_reach_new(solver, &settings[0], &pose, KINESCOPE_LIMB_LEFT_ARM, 16, &progress, &reach));
    DONE(kinescope_reach_points(reach, points, 4096, &count));
    DONE(kinescope_reach_indices(reach, indices, 3 * 8192, &corners));
    EXPECT(reports.count > 0 && reports.last < 1);
    /* An arm of 0.5 m reaches less than a ball with a radius of 1 m, and more than one with a radius of 0.3 m. */
    const float volume = kinescope_reach_volume(reach);
    EXPECT(volume > 0.11f && volume < 4.2f && count > 20 && corners % 3 == 0 && corners > 20);
    for (size_t i = 0; i < corners; ++i) {
        EXPECT(indices[i] < count);
    }
    for (size_t i = 0; i < count; ++i) {
        const KinescopeVec3 n = points[i].normal;
        EXPECT(fabsf(n.x * n.x + n.y * n.y + n.z * n.z - 1) < 1e-3f);
    }
    EXPECT(kinescope_reach_gap(reach, (KinescopeVec3){ 0.4f, 1.4f, 0.2f }) < 0.05f);
    EXPECT(isinf(kinescope_reach_gap(reach, (KinescopeVec3){ 9, 9, 9 })));
    kinescope_reach_free(reach);
    settings[0].solver.weight = 0;
    EXPECT_BECAUSE(kinescope_reach_new(solver, &settings[0], &pose, 0, 16, NULL, &reach) == KINESCOPE_STATUS_BAD_SETTINGS, "master weight");
    EXPECT_BECAUSE(kinescope_reach_new(solver, &settings[0], &pose, 0, 97, NULL, &reach) == KINESCOPE_STATUS_BAD_ARGUMENT, "count: is 97");
}

int main(void)
{
    KinescopeSolver *solver = new_person();
    KinescopeStack *stack = NULL;
    KinescopeAttribution *table = NULL;
    KinescopeCapsule *capsule = NULL;
    Bone solved[BONES];
    const KinescopePose pose = pose_of(solved);
    DONE(kinescope_stack_new(solver, &stack));
    EXPECT(kinescope_stack_pose(stack, &pose) == KINESCOPE_STATUS_NOTHING_TO_DO && kinescope_stack_measures(stack) == 0);
    EXPECT_BECAUSE(kinescope_attribution_new(stack, 0, 0, &table) == KINESCOPE_STATUS_BAD_WORKSPACE, "must come first");
    EXPECT_BECAUSE(kinescope_capsule_new(stack, "", 0, &capsule) == KINESCOPE_STATUS_BAD_WORKSPACE, "must come first");
    KinescopeSettings settings = settings_with(target);
    DONE(kinescope_stack_set_settings(stack, &settings));
    solve(stack, solved);
    EXPECT(fabsf(measure(stack, "left_hand_gap") - apart(target, solved[LEFT_HAND].position)) < 1e-5f);
    attribution(stack, solved);
    capsule = capsules(stack, solved);
    sweeps(stack, capsule);
    kinescope_capsule_free(capsule);
    variants_and_reach(solver);
    kinescope_stack_free(stack);
    kinescope_solver_free(solver);
    return 0;
}
