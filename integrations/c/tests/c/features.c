/* Modifiers, batches, chains, axes, grounding, retargeting, the stack, blending, height fields and models: each gives the result that the header promises. */
#include "person.h"

#include <math.h>

static float distance(const float *a, KinescopeVec3 b)
{
    return sqrtf((a[0] - b.x) * (a[0] - b.x) + (a[1] - b.y) * (a[1] - b.y) + (a[2] - b.z) * (a[2] - b.z));
}

static float apart(const Bone *a, const Bone *b)
{
    float most = 0;
    for (int i = 0; i < BONES; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            most = fmaxf(most, fabsf(a[i].position[axis] - b[i].position[axis]));
        }
        for (int part = 0; part < 4; ++part) {
            most = fmaxf(most, fabsf(a[i].rotation[part] - b[i].rotation[part]));
        }
    }
    return most;
}

static const KinescopeMoment moment = { { { 0, 0, 0 }, { 0, 0, 0, 1 } }, 1 / 60.0f, 0 };

/* The direction of the eyes: the character faces +Z, and the head's rotation in the reference is the identity. */
static KinescopeVec3 eyes(const Bone *head)
{
    const float *q = head->rotation;
    return (KinescopeVec3){ 2 * (q[0] * q[2] + q[3] * q[1]), 2 * (q[1] * q[2] - q[3] * q[0]), 1 - 2 * (q[0] * q[0] + q[1] * q[1]) };
}

static void modifiers(KinescopeSolver *solver, KinescopeWorkspace *workspace)
{
    KinescopeModifiers *own = NULL;
    DONE(kinescope_modifiers_new(solver, &own));
    size_t look = 9, recoil = 9;
    DONE(kinescope_modifiers_add(own, KINESCOPE_MODIFIER_KIND_LOOK_AT, &look));
    DONE(kinescope_modifiers_add(own, KINESCOPE_MODIFIER_KIND_RECOIL, &recoil));
    EXPECT(look == 0 && recoil == 1 && kinescope_modifiers_count(own) == 2);
    EXPECT(kinescope_modifiers_kind(own, 1) == KINESCOPE_MODIFIER_KIND_RECOIL && kinescope_modifiers_kind(own, 2) == -1);
    EXPECT_BECAUSE(kinescope_modifiers_add(own, 99, NULL) == KINESCOPE_STATUS_BAD_ARGUMENT, "kind: is 99");

    KinescopeLookAt settings;
    DONE(kinescope_modifiers_get_look_at(own, look, &settings));
    EXPECT(settings.weight == 1 && settings.aims == KINESCOPE_AIMS_EYES && settings.has_target == 0);
    EXPECT_BECAUSE(kinescope_modifiers_get_look_at(own, recoil, &settings) == KINESCOPE_STATUS_BAD_ARGUMENT, "is of the kind recoil");
    settings.weight = 2;
    EXPECT_BECAUSE(kinescope_modifiers_set_look_at(own, look, &settings) == KINESCOPE_STATUS_BAD_SETTINGS, "look_at.weight");
    settings.weight = 1;
    settings.aims = 7;
    EXPECT_BECAUSE(kinescope_modifiers_set_look_at(own, look, &settings) == KINESCOPE_STATUS_BAD_SETTINGS, "aims: is 7");
    settings.aims = KINESCOPE_AIMS_EYES;
    settings.has_target = 1;
    settings.target = (KinescopeVec3){ 1, 1.6f, 2 };
    DONE(kinescope_modifiers_set_look_at(own, look, &settings));

    KinescopeSettings parameters;
    DONE(kinescope_settings_default(&parameters));
    Bone bones[BONES], plain[BONES];
    stand(bones);
    stand(plain);
    const KinescopePose pose = pose_of(bones);
    const KinescopePose plain_pose = pose_of(plain);
    DONE(kinescope_solve_modified(solver, workspace, &parameters, own, &moment, &pose));
    /* The eyes point at the target. */
    const KinescopeVec3 way = eyes(&bones[HEAD]);
    const float *head = bones[HEAD].position;
    const KinescopeVec3 wanted = { 1 - head[0], 1.6f - head[1], 2 - head[2] };
    const float length = sqrtf(wanted.x * wanted.x + wanted.y * wanted.y + wanted.z * wanted.z);
    EXPECT((way.x * wanted.x + way.y * wanted.y + way.z * wanted.z) / length > 0.9999f);

    /* Both parts of a solve with modifiers give the same result as the whole. */
    DONE(kinescope_modifiers_reset(own));
    KinescopeSettings driven = parameters;
    DONE(kinescope_modifiers_before(solver, workspace, &parameters, own, &moment, &plain_pose, &driven));
    DONE(kinescope_solve_after(solver, workspace, &driven, own, &moment, &plain_pose));
    EXPECT(apart(bones, plain) == 0);

    /* A shot throws the right hand back, and a second list of the same settings follows. */
    EXPECT(kinescope_modifiers_trigger(own, look) == KINESCOPE_STATUS_NOTHING_TO_DO);
    DONE(kinescope_modifiers_trigger(own, recoil));
    stand(bones);
    for (int frame = 0; frame < 3; ++frame) {
        stand(bones);
        DONE(kinescope_solve_modified(solver, workspace, &parameters, own, &moment, &pose));
    }
    EXPECT(bones[RIGHT_HAND].position[2] < plain[RIGHT_HAND].position[2] - 0.02f);
    const KinescopeVec3 chest = { 0, 1.3f, 0.1f }, back = { 0, 0, -1 };
    EXPECT(kinescope_modifiers_strike(own, moment.root, chest, back, 0.1f) == KINESCOPE_STATUS_NOTHING_TO_DO);
    DONE(kinescope_modifiers_add(own, KINESCOPE_MODIFIER_KIND_HIT_REACTION, NULL));
    DONE(kinescope_modifiers_strike(own, moment.root, chest, back, 0.1f));

    /* Written as text and read back. */
    static char text[65536];
    size_t needed = 0;
    EXPECT(kinescope_modifiers_to_preset(own, NULL, 0, &needed) == KINESCOPE_STATUS_NOTHING_TO_DO);
    EXPECT(needed < sizeof text);
    DONE(kinescope_modifiers_to_preset(own, text, sizeof text, NULL));
    KinescopeModifiers *copy = NULL;
    DONE(kinescope_modifiers_new(solver, &copy));
    DONE(kinescope_modifiers_from_preset(copy, text));
    EXPECT(kinescope_modifiers_count(copy) == 3);
    DONE(kinescope_modifiers_get_look_at(copy, 0, &settings));
    EXPECT(settings.target.z == 2);
    EXPECT_BECAUSE(kinescope_modifiers_from_preset(copy, "{}") == KINESCOPE_STATUS_BAD_FILE, "format");
    DONE(kinescope_modifiers_remove(copy, 1));
    EXPECT(kinescope_modifiers_kind(copy, 1) == KINESCOPE_MODIFIER_KIND_HIT_REACTION);

    /* Attached targets: the left hand holds a point below the head. */
    DONE(kinescope_modifiers_remove(copy, 1));
    DONE(kinescope_modifiers_remove(copy, 0));
    KinescopeAttachment attachment = { HEAD, 0, { 0.1f, -0.3f, 0.3f }, 0, { 0, 0, 0, 1 } };
    DONE(kinescope_modifiers_attach_effector(copy, KINESCOPE_EFFECTOR_LEFT_HAND, &attachment));
    parameters.effectors[KINESCOPE_EFFECTOR_LEFT_HAND].position_weight = 1;
    stand(bones);
    DONE(kinescope_solve_modified(solver, workspace, &parameters, copy, &moment, &pose));
    EXPECT(distance(bones[LEFT_HAND].position, (KinescopeVec3){ 0.1f, 1.3f, 0.3f }) < 0.005f);
    attachment.bone = BONES;
    EXPECT_BECAUSE(kinescope_modifiers_attach_effector(copy, KINESCOPE_EFFECTOR_LEFT_HAND, &attachment)
            == KINESCOPE_STATUS_BAD_ARGUMENT, "bone: is 18");
    attachment.bone = -1;
    attachment.effector = KINESCOPE_EFFECTOR_LEFT_HAND;
    EXPECT_BECAUSE(kinescope_modifiers_attach_effector(copy, KINESCOPE_EFFECTOR_LEFT_HAND, &attachment)
            == KINESCOPE_STATUS_BAD_SETTINGS, "left_hand");
    DONE(kinescope_modifiers_attach_effector(copy, KINESCOPE_EFFECTOR_LEFT_HAND, NULL));

    /* Keys move the right hand; the head effector takes settings for each bone. */
    size_t keyed = 0;
    DONE(kinescope_modifiers_add(copy, KINESCOPE_MODIFIER_KIND_KEYED, &keyed));
    const KinescopeKey keys[2] = {
        { 0, { -0.3f, 1.2f, 0.3f }, { 0, 0, 0, 1 }, 1, 0 }, { 1, { -0.3f, 1.4f, 0.3f }, { 0, 0, 0, 1 }, 1, 0 },
    };
    DONE(kinescope_modifiers_set_keys(copy, keyed, KINESCOPE_EFFECTOR_RIGHT_HAND, keys, 2));
    DONE(kinescope_settings_default(&parameters));
    KinescopeMoment later = moment;
    later.time = 1;
    stand(bones);
    DONE(kinescope_solve_modified(solver, workspace, &parameters, copy, &later, &pose));
    EXPECT(distance(bones[RIGHT_HAND].position, keys[1].position) < 0.005f);
    DONE(kinescope_modifiers_add(copy, KINESCOPE_MODIFIER_KIND_HEAD, NULL));
    const KinescopeHeadBone head_bones[2] = { { 0.5f, 0.2f }, { 0.7f, 0.1f } };
    DONE(kinescope_modifiers_set_head_bones(copy, 1, head_bones, 2));
    EXPECT_BECAUSE(kinescope_modifiers_set_head_bones(copy, 0, head_bones, 2) == KINESCOPE_STATUS_BAD_ARGUMENT, "expected head");

    /* A batch, with modifiers and without, agrees with single solves; a shared list is refused. */
    enum { MANY = 8 };
    Bone crowd[MANY][BONES], alone[BONES];
    KinescopeModifiers *lists[MANY] = { NULL };
    KinescopeModifiedTask tasks[MANY];
    KinescopeMany *many = NULL;
    DONE(kinescope_many_new(&many));
    DONE(kinescope_modifiers_get_look_at(own, look, &settings));
    for (int i = 0; i < MANY; ++i) {
        stand(crowd[i]);
        if (i < MANY - 1) {
            DONE(kinescope_modifiers_new(solver, &lists[i]));
            DONE(kinescope_modifiers_add(lists[i], KINESCOPE_MODIFIER_KIND_LOOK_AT, NULL));
            DONE(kinescope_modifiers_set_look_at(lists[i], 0, &settings));
        }
        tasks[i] = (KinescopeModifiedTask){
            { solver, &parameters, pose_of(crowd[i]), KINESCOPE_STATUS_DEFECT }, lists[i], moment,
        };
    }
    tasks[3].modifiers = lists[2];
    DONE(kinescope_solve_many_modified(many, tasks, MANY, KINESCOPE_BONES_ALL));
    EXPECT(tasks[2].task.status == KINESCOPE_STATUS_BAD_ARGUMENT && tasks[3].task.status == KINESCOPE_STATUS_BAD_ARGUMENT);
    EXPECT(tasks[0].task.status == KINESCOPE_STATUS_DONE && tasks[7].task.status == KINESCOPE_STATUS_DONE);
    KinescopeModifiers *single = NULL;
    DONE(kinescope_modifiers_new(solver, &single));
    DONE(kinescope_modifiers_add(single, KINESCOPE_MODIFIER_KIND_LOOK_AT, NULL));
    DONE(kinescope_modifiers_set_look_at(single, 0, &settings));
    stand(alone);
    const KinescopePose alone_pose = pose_of(alone);
    DONE(kinescope_solve_modified(solver, workspace, &parameters, single, &moment, &alone_pose));
    EXPECT(apart(alone, crowd[0]) < 1e-5f && apart(alone, crowd[7]) > 0.01f);
    /* Key bones only: a bone without a role stays, here the toes, even if the body moves. */
    parameters.effectors[KINESCOPE_EFFECTOR_BODY].position_offset.x = 0.1f;
    parameters.effectors[KINESCOPE_EFFECTOR_RIGHT_FOOT].position_offset.x = 0.1f;
    for (int i = 0; i < MANY; ++i) {
        stand(crowd[i]);
        tasks[i].modifiers = NULL;
    }
    DONE(kinescope_solve_many_modified(many, tasks, MANY, KINESCOPE_BONES_KEY));
    EXPECT(crowd[0][BONES - 1].position[0] == places[BONES - 1][0]);
    EXPECT(crowd[0][RIGHT_FOOT].position[0] > places[RIGHT_FOOT][0] + 0.05f);
    EXPECT_BECAUSE(kinescope_solve_many_modified(many, tasks, MANY, 2) == KINESCOPE_STATUS_BAD_SETTINGS, "bones: is 2");
    for (int i = 0; i < MANY; ++i) {
        kinescope_modifiers_free(lists[i]);
    }
    kinescope_modifiers_free(single);
    kinescope_many_free(many);
    kinescope_modifiers_free(copy);
    kinescope_modifiers_free(own);
}

static void chains(KinescopeSolver *solver)
{
    const float lengths[] = { 0.4f, 0.35f, 0.1f };
    KinescopeChain *chain = NULL;
    DONE(kinescope_chain_new_of_lengths(lengths, 3, &chain));
    EXPECT(kinescope_chain_joints(chain) == 4);
    const KinescopeLimit hinge = { KINESCOPE_LIMIT_KIND_HINGE, { 1, 0, 0 }, 0, 2.5f, 0 };
    DONE(kinescope_chain_set_limit(chain, 1, &hinge));
    EXPECT_BECAUSE(kinescope_chain_set_limit(chain, 3, &hinge) == KINESCOPE_STATUS_BAD_ARGUMENT, "has 3 bones");
    KinescopeChainIkSettings settings;
    DONE(kinescope_chain_settings_default(&settings));
    settings.tolerance = 1e-3f;
    settings.max_iterations = 50;
    const KinescopeGoal goal = { 0, { 0.1f, 0.4f, 0.3f }, 1 };
    const uint32_t solvers[] = { KINESCOPE_CHAIN_SOLVER_CCD, KINESCOPE_CHAIN_SOLVER_FABRIK };
    for (int i = 0; i < 2; ++i) {
        settings.solver = solvers[i];
        KinescopeOutcome outcome;
        DONE(kinescope_chain_reset(chain));
        DONE(kinescope_chain_solve(chain, &settings, &goal, 1, &outcome));
        EXPECT(outcome.is_reached == 1 && outcome.stopped_by == KINESCOPE_STOPPED_BY_TOLERANCE && outcome.error <= 1e-3f);
        KinescopeVec3 joints[4];
        EXPECT(kinescope_chain_positions(chain, joints, 4) == 4);
        EXPECT(distance(&joints[3].x, goal.position) <= 1e-3f);
        /* The same solve in steps. */
        DONE(kinescope_chain_reset(chain));
        DONE(kinescope_chain_begin(chain, &settings, &goal, 1));
        const char *stage = NULL;
        int steps = 0;
        while (kinescope_chain_step(chain, &stage, &outcome) == KINESCOPE_STATUS_DONE) {
            steps += 1;
        }
        KinescopeVec3 stepped[4];
        EXPECT(steps > 1 && stage != NULL && kinescope_chain_positions(chain, stepped, 4) == 4);
        EXPECT(memcmp(joints, stepped, sizeof joints) == 0);
    }
    settings.solver = KINESCOPE_CHAIN_SOLVER_TWO_BONE;
    EXPECT_BECAUSE(kinescope_chain_solve(chain, &settings, &goal, 1, NULL) == KINESCOPE_STATUS_BAD_SETTINGS, "2 bones");
    EXPECT(kinescope_chain_rotations(chain, NULL, 0) == 3);
    kinescope_chain_free(chain);

    /* Two bones, with a bend goal. */
    DONE(kinescope_chain_new_of_lengths(lengths, 2, &chain));
    settings.has_bend_goal = 1;
    settings.bend_goal = (KinescopeVec3){ 0, 0, 5 };
    const KinescopeGoal near = { 2, { 0, 0.5f, 0 }, 1 };
    DONE(kinescope_chain_solve(chain, &settings, &near, 1, NULL));
    KinescopeVec3 joints[3];
    EXPECT(kinescope_chain_positions(chain, joints, 3) == 3 && joints[1].z > 0.1f);
    kinescope_chain_free(chain);

    /* A chain with branches, and an arm of the character; the rest of the body stays. */
    const KinescopeVec3 points[] = { { 0, 0, 0 }, { 0, 1, 0 }, { -1, 2, 0 }, { 1, 2, 0 } };
    const uint32_t from[] = { 0, 1, 1 };
    DONE(kinescope_chain_new_of_positions(points, from, 4, &chain));
    DONE(kinescope_chain_settings_default(&settings));
    const KinescopeGoal goals[] = { { 2, { -0.8f, 1.8f, 0.3f }, 1 }, { 3, { 0.8f, 1.8f, 0.3f }, 1 } };
    KinescopeOutcome outcome;
    DONE(kinescope_chain_solve(chain, &settings, goals, 2, &outcome));
    EXPECT(outcome.error < 0.01f);
    kinescope_chain_free(chain);
    DONE(kinescope_chain_new_of_bones(solver, 5, LEFT_HAND, &chain));
    settings.solver = KINESCOPE_CHAIN_SOLVER_TWO_BONE;
    Bone bones[BONES];
    stand(bones);
    const KinescopePose pose = pose_of(bones);
    const KinescopeGoal reach = { 0, { 0.4f, 1.3f, 0.3f }, 1 };
    DONE(kinescope_chain_solve_pose(chain, &settings, &reach, 1, &pose, NULL));
    EXPECT(distance(bones[LEFT_HAND].position, reach.position) < 1e-4f);
    EXPECT(bones[CHEST].position[1] == places[CHEST][1]);
    kinescope_chain_free(chain);
    EXPECT_BECAUSE(kinescope_chain_new_of_bones(solver, LEFT_HAND, 5, &chain) == KINESCOPE_STATUS_BAD_RIG, "not a descendant");
    EXPECT(chain == NULL);
    const char *file = "{\"format\":\"kinescope-chain\",\"version\":1,\"bones\":[1,1],\"target\":[0,1,0.5],\"solver\":\"two_bone\"}";
    DONE(kinescope_chain_new_of_file(file, &settings, &chain));
    EXPECT(settings.solver == KINESCOPE_CHAIN_SOLVER_TWO_BONE && kinescope_chain_joints(chain) == 3);
    kinescope_chain_free(chain);
}

static void axes(void)
{
    /* Unreal, in centimetres: x forward, y right, z up. */
    KinescopeSpace unreal;
    DONE(kinescope_space_of(KINESCOPE_ENGINE_AXES_LEFT_HANDED_Z_UP, 0.01f, &unreal));
    EXPECT(unreal.up.z == 1 && unreal.forward.x == 1 && unreal.left.y == -1);
    KinescopeVec3 ahead = { 100, 0, 170 };
    DONE(kinescope_space_positions_in(&unreal, &ahead, 1));
    EXPECT(fabsf(ahead.z - 1) < 1e-6f && fabsf(ahead.y - 1.7f) < 1e-6f && ahead.x == 0);
    DONE(kinescope_space_positions_out(&unreal, &ahead, 1));
    EXPECT(fabsf(ahead.x - 100) < 1e-3f);
    KinescopeVec3 left = { 0, -1, 0 };
    DONE(kinescope_space_directions_in(&unreal, &left, 1));
    EXPECT(left.x == 1);
    Bone bones[BONES], before[BONES];
    stand(bones);
    stand(before);
    const KinescopePose pose = pose_of(bones);
    DONE(kinescope_space_pose_out(&unreal, &pose));
    EXPECT(fabsf(bones[HEAD].position[2] - 160) < 1e-3f && fabsf(bones[LEFT_HAND].position[1] + 68) < 1e-3f);
    DONE(kinescope_space_pose_in(&unreal, &pose));
    EXPECT(apart(bones, before) < 1e-6f);
    KinescopeTransform turned = { { 0, 0, 0 }, { 0, 0, 0.6f, 0.8f } };
    DONE(kinescope_space_transforms_in(&unreal, &turned, 1));
    EXPECT(fabsf(turned.rotation.y + 0.6f) < 1e-6f && turned.rotation.w == 0.8f);
    DONE(kinescope_space_transforms_out(&unreal, &turned, 1));
    EXPECT(fabsf(turned.rotation.z - 0.6f) < 1e-6f);
    KinescopeSettings settings;
    DONE(kinescope_settings_default(&settings));
    settings.effectors[0].has_position = 1;
    settings.effectors[0].position = (KinescopeVec3){ 100, 0, 0 };
    DONE(kinescope_space_settings_in(&unreal, &settings));
    EXPECT(fabsf(settings.effectors[0].position.z - 1) < 1e-6f);
    DONE(kinescope_space_settings_out(&unreal, &settings));
    EXPECT(fabsf(settings.effectors[0].position.x - 100) < 1e-3f);
    unreal.left = unreal.up;
    EXPECT_BECAUSE(kinescope_space_positions_in(&unreal, &ahead, 1) == KINESCOPE_STATUS_BAD_ARGUMENT, "three different axes");
    EXPECT_BECAUSE(kinescope_space_of(0, 0, &unreal) == KINESCOPE_STATUS_BAD_ARGUMENT, "unit: is 0");
}

/* Level ground that counts its casts. */
typedef struct Counted {
    float height;
    int rays, spheres, capsules;
} Counted;

static int32_t drop(Counted *own, KinescopeVec3 from, KinescopeVec3 direction, float distance, float radius, KinescopeHit *hit)
{
    const float way = (own->height + radius - from.y) / direction.y;
    if (!(way >= 0 && way <= distance)) {
        return 0;
    }
    *hit = (KinescopeHit){ { from.x + direction.x * way, own->height, from.z + direction.z * way }, { 0, 1, 0 }, way };
    return 1;
}

static int32_t ray(void *user, KinescopeVec3 from, KinescopeVec3 direction, float distance, KinescopeHit *hit)
{
    Counted *own = user;
    own->rays += 1;
    return drop(own, from, direction, distance, 0, hit);
}

static int32_t any(void *user, const KinescopeCast *cast, KinescopeHit *hit)
{
    Counted *own = user;
    own->rays += cast->shape == KINESCOPE_SHAPE_RAY;
    own->spheres += cast->shape == KINESCOPE_SHAPE_SPHERE;
    own->capsules += cast->shape == KINESCOPE_SHAPE_CAPSULE;
    EXPECT(cast->layers == 255 || cast->layers == 2);
    return drop(own, cast->from, cast->direction, cast->distance, cast->radius, hit);
}

static int32_t spheres_only(void *user, const KinescopeCast *cast, KinescopeHit *hit)
{
    return cast->shape == KINESCOPE_SHAPE_SPHERE ? any(user, cast, hit) : -1;
}

/* Prints the largest numbers of rays, spheres and capsules that a frame casts for a character that moves forward. */
static void count_casts(KinescopeSolver *solver, const char *name, uint32_t grounding, uint32_t quality, int kind, int footprints)
{
    KinescopeGrounder *grounder = NULL;
    DONE(kinescope_grounder_new(solver, grounding, &grounder));
    KinescopePredictiveSettings settings;
    if (grounding == KINESCOPE_GROUNDING_PREDICTIVE) {
        DONE(kinescope_grounder_get_predictive(grounder, &settings));
        settings.quality = quality;
        DONE(kinescope_grounder_set_predictive(grounder, &settings));
    }
    Counted counted = { 0, 0, 0, 0 }, most = counted;
    const KinescopeGround ground = { &counted, kind == 1 ? NULL : ray, kind == 0 ? NULL : kind == 1 ? any : spheres_only };
    KinescopeGroundFrame frame;
    DONE(kinescope_ground_frame_default(&frame));
    frame.dt = 1 / 60.0f;
    Bone bones[BONES];
    stand(bones);
    const KinescopePose pose = pose_of(bones);
    KinescopeSettings own, driven;
    DONE(kinescope_settings_default(&own));
    for (int i = 0; i < 30; ++i) {
        frame.root.position.z = (float)i * 0.02f;
        frame.has_footprint[0] = footprints && i > 0;
        frame.footprint[0].foot = (KinescopeTransform){ { 0.1f, 0.09f, 1 }, { 0, 0, 0, 1 } };
        frame.footprint[0].time = 0.4f;
        frame.planted[0] = frame.has_footprint[0] ? 0.0f : 1.0f;
        counted.rays = counted.spheres = counted.capsules = 0;
        DONE(kinescope_ground_frame(grounder, &ground, &frame, &pose, &own, &driven));
        most.rays = most.rays > counted.rays ? most.rays : counted.rays;
        most.spheres = most.spheres > counted.spheres ? most.spheres : counted.spheres;
        most.capsules = most.capsules > counted.capsules ? most.capsules : counted.capsules;
    }
    printf("| %s | %d | %d | %d |\n", name, most.rays, most.spheres, most.capsules);
    kinescope_grounder_free(grounder);
}

static void grounding(KinescopeSolver *solver)
{
    count_casts(solver, "foot IK", KINESCOPE_GROUNDING_FOOT_IK, 0, 0, 0);
    count_casts(solver, "predictive, fastest", KINESCOPE_GROUNDING_PREDICTIVE, KINESCOPE_QUALITY_FASTEST, 0, 0);
    count_casts(solver, "predictive, simple", KINESCOPE_GROUNDING_PREDICTIVE, KINESCOPE_QUALITY_SIMPLE, 0, 0);
    count_casts(solver, "predictive, best, with `cast`", KINESCOPE_GROUNDING_PREDICTIVE, KINESCOPE_QUALITY_BEST, 1, 0);
    count_casts(solver, "predictive, best, `cast` of spheres only", KINESCOPE_GROUNDING_PREDICTIVE, KINESCOPE_QUALITY_BEST, 2, 0);
    count_casts(solver, "predictive, best, with `ray` only", KINESCOPE_GROUNDING_PREDICTIVE, KINESCOPE_QUALITY_BEST, 0, 0);
    count_casts(solver, "predictive, best, with `cast`, one footprint", KINESCOPE_GROUNDING_PREDICTIVE, KINESCOPE_QUALITY_BEST, 1, 1);

    /* The foot lock: a foot that slides as animated stays where it landed. */
    KinescopeGrounder *grounder = NULL;
    DONE(kinescope_grounder_new(solver, KINESCOPE_GROUNDING_FOOT_IK, &grounder));
    KinescopeGroundOutput output;
    EXPECT(kinescope_grounder_output(grounder, &output) == KINESCOPE_STATUS_NOTHING_TO_DO);
    KinescopeLockSettings lock;
    DONE(kinescope_grounder_get_lock(grounder, &lock));
    EXPECT(lock.on == 0 && lock.weight == 1);
    lock.on = 1;
    DONE(kinescope_grounder_set_lock(grounder, &lock));
    lock.weight = -1;
    EXPECT_BECAUSE(kinescope_grounder_set_lock(grounder, &lock) == KINESCOPE_STATUS_BAD_SETTINGS, "weight: is -1");
    Counted counted = { 0, 0, 0, 0 };
    const KinescopeGround ground = { &counted, ray, NULL };
    KinescopeGroundFrame frame;
    DONE(kinescope_ground_frame_default(&frame));
    frame.dt = 1 / 60.0f;
    frame.layers[0] = frame.layers[1] = 2;
    KinescopeSettings own, driven;
    DONE(kinescope_settings_default(&own));
    KinescopeVec3 first = { 0, 0, 0 };
    Bone bones[BONES];
    const KinescopePose pose = pose_of(bones);
    for (int i = 0; i < 20; ++i) {
        stand(bones);
        for (int bone = LEFT_FOOT - 2; bone <= LEFT_FOOT; ++bone) {
            bones[bone].position[2] += 0.002f * (float)i;
        }
        DONE(kinescope_ground_frame(grounder, &ground, &frame, &pose, &own, &driven));
        const KinescopeVec3 at = driven.effectors[KINESCOPE_EFFECTOR_LEFT_FOOT].position;
        first = i == 1 ? at : first;
        EXPECT(i == 0 || fabsf(at.z - first.z) < 1e-4f);
    }
    DONE(kinescope_grounder_output(grounder, &output));
    EXPECT(output.legs[0].held.z < -0.03f && output.legs[0].is_grounded == 1 && output.planted[0] == 1);
    /* The limbs alone follow the same goals. */
    DONE(kinescope_grounder_drive_limbs(grounder, &own, &pose));
    EXPECT(fabsf(bones[LEFT_FOOT].position[2] - first.z) < 1e-3f);
    DONE(kinescope_grounder_reset(grounder));
    EXPECT(kinescope_grounder_drive_limbs(grounder, &own, &pose) == KINESCOPE_STATUS_BAD_WORKSPACE);
    KinescopeSpeedSettings speed;
    EXPECT(kinescope_grounder_get_speed(grounder, &speed) == KINESCOPE_STATUS_NOTHING_TO_DO);
    speed = (KinescopeSpeedSettings){ 0.3f, 1, 0.05f };
    DONE(kinescope_grounder_set_speed(grounder, &speed));
    DONE(kinescope_grounder_get_speed(grounder, &speed));
    DONE(kinescope_grounder_set_speed(grounder, NULL));
    kinescope_grounder_free(grounder);
}

/* Rules of grounding apply to the clips that play. */
static void rules_of_grounding(KinescopeSolver *solver)
{
    KinescopeStack *own = NULL;
    DONE(kinescope_stack_new(solver, &own));
    DONE(kinescope_stack_from_preset(own, "{\"format\":\"kinescope-preset\",\"version\":1,\"grounding\":{\"method\":\"predictive\","
                                          "\"rules\":[{\"clip\":\"climb\",\"from_speed\":0.5,\"weight\":0}]}}"));
    KinescopeGroundFrame frame;
    DONE(kinescope_ground_frame_default(&frame));
    frame.dt = 1 / 60.0f;
    Counted counted = { 0.1f, 0, 0, 0 };
    const KinescopeGround ground = { &counted, NULL, any };
    const KinescopePlayedClip clips[] = { { "climb", 0.6f, 1 }, { "walk", 1.4f, 0.25f } };
    const KinescopePlayedClip slow = { "climb", 0.4f, 1 };
    /* No clip, a clip that is too slow for the rule, the clip of the rule, and a blend of it. */
    const KinescopePlayedClip *const given[] = { NULL, &slow, clips, clips };
    const size_t counts[] = { 0, 1, 1, 2 };
    const float expected[] = { 0.1f, 0.1f, 0, 0.02f };
    for (int i = 0; i < 4; ++i) {
        Bone bones[BONES];
        const KinescopePose pose = pose_of(bones);
        DONE(kinescope_stack_set_clips(own, given[i], counts[i]));
        for (int frames = 0; frames < 120; ++frames) {
            stand(bones);
            DONE(kinescope_stack_solve(own, &ground, &frame, 0, &pose));
        }
        EXPECT(fabsf(bones[LEFT_FOOT].position[1] - places[LEFT_FOOT][1] - expected[i]) < 0.01f);
    }
    const KinescopePlayedClip wrong[] = { { "climb", 0.6f, -1 }, { NULL, 0.6f, 1 } };
    EXPECT_BECAUSE(kinescope_stack_set_clips(own, wrong, 1) == KINESCOPE_STATUS_BAD_ARGUMENT, "clips[0]: has the speed 0.6");
    EXPECT_BECAUSE(kinescope_stack_set_clips(own, wrong + 1, 1) == KINESCOPE_STATUS_BAD_ARGUMENT, "clips[0].name: is NULL");
    kinescope_stack_free(own);
}

static void stack(KinescopeSolver *solver, KinescopeWorkspace *workspace)
{
    KinescopeStack *own = NULL;
    DONE(kinescope_stack_new(solver, &own));
    KinescopeSettings settings;
    DONE(kinescope_settings_default(&settings));
    KinescopeEffectorSettings *hand = &settings.effectors[KINESCOPE_EFFECTOR_LEFT_HAND];
    hand->has_position = 1;
    hand->position = (KinescopeVec3){ 0.5f, 1.3f, 0.45f };
    hand->position_weight = 1;
    DONE(kinescope_stack_set_settings(own, &settings));
    KinescopeGroundFrame frame;
    DONE(kinescope_ground_frame_default(&frame));
    frame.dt = 1 / 60.0f;
    /* Away from the origin and turned: the result in model space is that of a solve alone. */
    frame.root = (KinescopeTransform){ { 2, 0, -1 }, { 0, 0.6f, 0, 0.8f } };
    Bone bones[BONES], alone[BONES];
    stand(bones);
    stand(alone);
    const KinescopePose pose = pose_of(bones), alone_pose = pose_of(alone);
    DONE(kinescope_stack_solve(own, NULL, &frame, 0, &pose));
    DONE(kinescope_solve(solver, workspace, &settings, &alone_pose));
    EXPECT(apart(bones, alone) < 1e-5f);
    const char *preset = "{\"format\":\"kinescope-preset\",\"version\":1,\"grounding\":{\"method\":\"predictive\",\"lock\":{\"on\":true}},"
                         "\"modifiers\":[{\"recoil\":{}},{\"hit_reaction\":{}}],\"stack\":{\"retarget\":{\"on\":true}}}";
    DONE(kinescope_stack_from_preset(own, preset));
    EXPECT_BECAUSE(kinescope_stack_from_preset(own, "{\"format\":\"kinescope-preset\",\"version\":1,\"modifiers\":[{\"recoil\":{\"kick\":9}}]}")
            == KINESCOPE_STATUS_BAD_FILE, "modifiers[0].recoil.kick");
    DONE(kinescope_stack_trigger(own, 0));
    EXPECT(kinescope_stack_trigger(own, 1) == KINESCOPE_STATUS_NOTHING_TO_DO);
    EXPECT_BECAUSE(kinescope_stack_trigger(own, 2) == KINESCOPE_STATUS_BAD_ARGUMENT, "there are 2");
    DONE(kinescope_stack_strike(own, frame.root, frame.root.position, (KinescopeVec3){ 0, 0, 1 }, 0.1f));
    Counted counted = { 0.1f, 0, 0, 0 };
    const KinescopeGround ground = { &counted, NULL, any };
    KinescopeGroundOutput output;
    EXPECT(kinescope_stack_output(own, &output) == KINESCOPE_STATUS_NOTHING_TO_DO);
    for (int i = 0; i < 120; ++i) {
        stand(bones);
        DONE(kinescope_stack_solve(own, &ground, &frame, 0, &pose));
    }
    EXPECT(fabsf(bones[LEFT_FOOT].position[1] - places[LEFT_FOOT][1] - 0.1f) < 0.01f);
    DONE(kinescope_stack_output(own, &output));
    EXPECT(output.legs[0].is_grounded == 1);
    static char text[65536];
    DONE(kinescope_stack_to_preset(own, text, sizeof text, NULL));
    EXPECT(strstr(text, "\"recoil\"") != NULL && strstr(text, "\"predictive\"") != NULL);
    DONE(kinescope_stack_get_settings(own, &settings));

    /* Retargeting to a character of other bones: names, order, no toes, legs of half the length. */
    enum { OTHER = 16 };
    static const char *const other_names[OTHER] = {
        "hips", "spine1", "spine2", "head", "LeftArm", "LeftForeArm", "LeftHand", "RightArm", "RightForeArm", "RightHand",
        "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot",
    };
    static const int32_t other_parents[OTHER] = { -1, 0, 1, 2, 2, 4, 5, 2, 7, 8, 0, 10, 11, 0, 13, 14 };
    static const int of[OTHER] = { 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
    Bone other[OTHER];
    for (int i = 0; i < OTHER; ++i) {
        other[i] = (Bone){ { places[of[i]][0] / 2, places[of[i]][1] / 2, places[of[i]][2] / 2 }, { 0, 0, 0, 1 } };
    }
    const KinescopePose other_pose = { other[0].position, other[0].rotation, sizeof(Bone), sizeof(Bone), OTHER };
    const KinescopeSkeleton skeleton = { OTHER, other_names, other_parents, other_pose };
    KinescopeSolver *source = NULL;
    KinescopeRetargeter *retargeter = NULL;
    DONE(kinescope_solver_new(&skeleton, NULL, &source));
    DONE(kinescope_retargeter_new(source, solver, &retargeter));
    EXPECT(fabsf(kinescope_retargeter_scale(retargeter) - 2) < 1e-3f);
    /* The source turns its left upper arm by a quarter of a turn about z and walks half a metre. */
    for (int i = 0; i < OTHER; ++i) {
        other[i].position[2] += 0.25f;
    }
    other[4].rotation[2] = -0.70710678f;
    other[4].rotation[3] = 0.70710678f;
    stand(bones);
    DONE(kinescope_retarget(retargeter, &other_pose, 1, &pose));
    EXPECT(fabsf(bones[PELVIS].position[2] - places[PELVIS][2] - 0.5f) < 1e-3f);
    EXPECT(bones[6].position[1] < bones[5].position[1] - 0.2f);
    KinescopePose few = pose;
    few.count = 3;
    EXPECT_BECAUSE(kinescope_retarget(retargeter, &other_pose, 1, &few) == KINESCOPE_STATUS_BAD_POSE, "target: has 3 bones");
    DONE(kinescope_stack_set_source(own, retargeter, &other_pose, 1));
    stand(bones);
    DONE(kinescope_stack_solve(own, &ground, &frame, 0, &pose));
    /* The source's pose is retargeted; without it, the pose is the animated one again. */
    EXPECT(fabsf(bones[PELVIS].position[2] - places[PELVIS][2] - 0.5f) < 1e-2f);
    EXPECT(bones[6].position[1] < bones[5].position[1] - 0.2f);
    DONE(kinescope_stack_set_source(own, NULL, NULL, 1));
    DONE(kinescope_stack_reset(own));
    stand(bones);
    DONE(kinescope_stack_solve(own, &ground, &frame, 0, &pose));
    EXPECT(fabsf(bones[PELVIS].position[2] - places[PELVIS][2]) < 1e-2f);
    DONE(kinescope_stack_reset(own));
    kinescope_retargeter_free(retargeter);
    kinescope_solver_free(source);
    kinescope_stack_free(own);
}

/* Poses are blended in local space, so that limbs keep their lengths. */
static void blending(KinescopeSolver *solver)
{
    Bone bones[BONES], other[BONES], lean[BONES];
    stand(bones);
    stand(other);
    stand(lean);
    const KinescopePose pose = pose_of(bones), to = pose_of(other), leaning = pose_of(lean);
    /* The left upper arm turns by a quarter of a turn about z, and forearm and hand with it. */
    for (int bone = 5; bone <= LEFT_HAND; ++bone) {
        const float x = places[bone][0] - places[5][0], y = places[bone][1] - places[5][1];
        other[bone] = (Bone){ { places[5][0] + y, places[5][1] - x, places[bone][2] }, { 0, 0, -0.70710678f, 0.70710678f } };
    }
    DONE(kinescope_pose_blend(solver, &to, 0.5f, NULL, 0, &pose));
    EXPECT(fabsf(bones[5].rotation[2] + 0.38268343f) < 1e-3f);
    const float *hand = bones[LEFT_HAND].position, *shoulder = bones[5].position;
    const KinescopeVec3 there = { shoulder[0], shoulder[1], shoulder[2] }, here = { places[5][0], places[5][1], places[5][2] };
    EXPECT(fabsf(distance(hand, there) - distance(places[LEFT_HAND], here)) < 1e-4f);
    stand(bones);
    DONE(kinescope_pose_blend(solver, &to, 0, NULL, 0, &pose));
    EXPECT(memcmp(bones[LEFT_HAND].position, places[LEFT_HAND], sizeof places[0]) == 0);
    DONE(kinescope_pose_blend(solver, &to, 1, NULL, 0, &pose));
    EXPECT(apart(bones, other) < 1e-5f);

    /* A mask of the right arm keeps the left one as it is. */
    float mask[BONES];
    stand(bones);
    DONE(kinescope_pose_mask(solver, 8, 0, mask, BONES));
    EXPECT(mask[8] == 1 && mask[RIGHT_HAND] == 1 && mask[CHEST] == 0 && mask[LEFT_HAND] == 0);
    DONE(kinescope_pose_blend(solver, &to, 1, mask, BONES, &pose));
    EXPECT(apart(bones, lean) < 1e-5f);
    DONE(kinescope_pose_mask(solver, 1, 3, mask, BONES));
    EXPECT(mask[0] == 0 && mask[1] == 0.25f && mask[2] == 0.5f && mask[LEFT_HAND] == 1);
    EXPECT_BECAUSE(kinescope_pose_blend(solver, &to, 1, mask, 3, &pose) == KINESCOPE_STATUS_BAD_ARGUMENT, "mask: has 3 weights");
    EXPECT_BECAUSE(kinescope_pose_mask(solver, 99, 0, mask, BONES) == KINESCOPE_STATUS_BAD_ARGUMENT, "bone: is 99");

    /* A lean is added to another pose, and subtracted again. */
    const float turn[4] = { 0.0871557f, 0, 0, 0.9961947f };
    for (int bone = 1; bone < BONES; ++bone) {
        if (bone <= RIGHT_HAND) {
            const float y = places[bone][1] - places[1][1], z = places[bone][2] - places[1][2];
            const float cosine = 0.98480775f, sine = 0.17364818f;
            const Bone leant = { { places[bone][0], places[1][1] + cosine * y - sine * z, places[1][2] + sine * y + cosine * z },
                { turn[0], turn[1], turn[2], turn[3] } };
            lean[bone] = leant;
        }
    }
    Bone upright[BONES];
    stand(upright);
    const KinescopePose base = pose_of(upright);
    memcpy(bones, other, sizeof bones);
    DONE(kinescope_pose_add(solver, &base, &leaning, 1, NULL, 0, &pose));
    EXPECT(bones[HEAD].position[2] > places[HEAD][2] + 0.05f && fabsf(bones[HEAD].position[2] - lean[HEAD].position[2]) < 1e-4f);
    EXPECT(apart(bones, other) > 0.05f);
    DONE(kinescope_pose_add(solver, &base, &leaning, -1, NULL, 0, &pose));
    EXPECT(apart(bones, other) < 1e-5f);
    EXPECT_BECAUSE(kinescope_pose_add(solver, &base, &leaning, NAN, NULL, 0, &pose) == KINESCOPE_STATUS_BAD_ARGUMENT, "weight");
}

static void crossfade(void)
{
    const float durations[2] = { 1, 0.5f };
    KinescopeCrossfade *own = NULL;
    KinescopeShownClip shown[4];
    DONE(kinescope_crossfade_new(durations, 2, &own));
    EXPECT(kinescope_crossfade_shown(own, shown, 4) == 0);
    DONE(kinescope_crossfade_to(own, 0, 0, 0));
    EXPECT(kinescope_crossfade_to(own, 0, 1, 0) == KINESCOPE_STATUS_NOTHING_TO_DO);
    DONE(kinescope_crossfade_step(own, 1.25f, 1));
    EXPECT(kinescope_crossfade_shown(own, shown, 4) == 1 && shown[0].clip == 0 && shown[0].time == 0.25f && shown[0].weight == 1);
    /* The run begins in the phase of the walk. */
    DONE(kinescope_crossfade_to(own, 1, 0.5f, 1));
    EXPECT(kinescope_crossfade_shown(own, NULL, 0) == 2);
    DONE(kinescope_crossfade_step(own, 0.125f, 1));
    EXPECT(kinescope_crossfade_shown(own, shown, 4) == 2 && shown[1].clip == 1 && shown[1].time == 0.25f && shown[1].weight == 0.25f);
    DONE(kinescope_crossfade_step(own, 0.5f, 1));
    EXPECT(kinescope_crossfade_shown(own, shown, 4) == 1 && shown[0].clip == 1);
    EXPECT_BECAUSE(kinescope_crossfade_to(own, 2, 1, 0) == KINESCOPE_STATUS_BAD_ARGUMENT, "there are 2 clips");
    EXPECT_BECAUSE(kinescope_crossfade_step(own, -1, 1) == KINESCOPE_STATUS_BAD_ARGUMENT, "dt");
    kinescope_crossfade_free(own);
    const float wrong = -1;
    EXPECT_BECAUSE(kinescope_crossfade_new(&wrong, 1, &own) == KINESCOPE_STATUS_BAD_ARGUMENT, "durations[0]: is -1");
}

/* A height field: heights, casts, and feet on it. */
static void terrain(KinescopeSolver *solver)
{
    /* A slope of 0.1 along z, 4 m wide and 8 m long. */
    float heights[9 * 5];
    for (int i = 0; i < 9 * 5; ++i) {
        heights[i] = 0.1f * (float)(i / 5 - 4);
    }
    KinescopeTerrain *own = NULL;
    DONE(kinescope_terrain_new(heights, 5, 9, 1, -2, -4, &own));
    float height = 9;
    DONE(kinescope_terrain_height(own, 0.5f, 1.5f, &height));
    EXPECT(fabsf(height - 0.15f) < 1e-5f);
    EXPECT(kinescope_terrain_height(own, 3, 0, &height) == KINESCOPE_STATUS_NOTHING_TO_DO);
    KinescopeGround ground;
    DONE(kinescope_terrain_ground(own, &ground));
    KinescopeCast cast = { KINESCOPE_SHAPE_RAY, 0xff, { 0, 2, 2 }, { 0, -1, 0 }, 3, 0, { 0, 0, 0 } };
    KinescopeHit hit;
    EXPECT(ground.cast(ground.user, &cast, &hit) == 1 && fabsf(hit.point.y - 0.2f) < 1e-5f && hit.normal.z < -0.09f);
    cast.shape = KINESCOPE_SHAPE_SPHERE;
    cast.radius = 0.5f;
    EXPECT(ground.cast(ground.user, &cast, &hit) == 1 && fabsf(hit.distance - (1.8f - 0.5f * sqrtf(1.01f))) < 1e-4f);
    cast.from.x = 9;
    EXPECT(ground.cast(ground.user, &cast, &hit) == 0);

    KinescopeGrounder *grounder = NULL;
    KinescopeSettings settings, driven;
    KinescopeGroundOutput output;
    Bone bones[BONES];
    stand(bones);
    const KinescopePose pose = pose_of(bones);
    DONE(kinescope_settings_default(&settings));
    DONE(kinescope_grounder_new(solver, KINESCOPE_GROUNDING_PREDICTIVE, &grounder));
    const KinescopeTransform root = { { 0, 0.2f, 2 }, { 0, 0, 0, 1 } };
    for (int frame = 0; frame < 60; ++frame) {
        stand(bones);
        DONE(kinescope_ground(grounder, &ground, root, &pose, NULL, 1 / 60.0f, &settings, &driven));
    }
    DONE(kinescope_grounder_output(grounder, &output));
    EXPECT(fabsf(output.legs[0].offset) < 0.03f && output.legs[0].rotation_offset.x < -0.03f);
    kinescope_grounder_free(grounder);
    kinescope_terrain_free(own);
    EXPECT(ground.cast(ground.user, &cast, &hit) == 0);
    EXPECT_BECAUSE(kinescope_terrain_new(heights, 1, 9, 1, 0, 0, &own) == KINESCOPE_STATUS_BAD_ARGUMENT, "columns: is 1");
    heights[3] = NAN;
    EXPECT_BECAUSE(kinescope_terrain_new(heights, 5, 9, 1, 0, 0, &own) == KINESCOPE_STATUS_BAD_SETTINGS, "heights[3]");
}

/* A model from a file: its character solves, and its clip is sampled. */
static void models(void)
{
    FILE *file = fopen(MODEL, "rb");
    EXPECT(file != NULL);
    static unsigned char bytes[4 << 20];
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    EXPECT(size > 1000 && size < sizeof bytes);
    KinescopeModel *model = NULL;
    KinescopeSolver *solver = NULL;
    KinescopeWorkspace *workspace = NULL;
    DONE(kinescope_model_new("biped.glb", bytes, size, &model));
    const size_t count = kinescope_model_bones(model);
    EXPECT(count > 15 && count <= 128 && kinescope_model_clips(model) > 0);
    EXPECT(kinescope_model_parent(model, 0) == -1 && kinescope_model_bone_name(model, count) == NULL);
    DONE(kinescope_model_solver(model, &solver));
    DONE(kinescope_workspace_new(solver, &workspace));
    const int32_t left = kinescope_solver_bone_of(solver, "left_hand");
    EXPECT(left > 0 && strlen(kinescope_model_bone_name(model, (size_t)left)) > 3);
    EXPECT(kinescope_model_parent(model, (size_t)left) == kinescope_solver_bone_of(solver, "left_forearm"));
    const float duration = kinescope_model_clip_duration(model, 0);
    EXPECT(duration > 0.1f && strlen(kinescope_model_clip_name(model, 0)) > 1 && kinescope_model_clip_name(model, 99) == NULL);

    static float positions[128][3], rotations[128][4];
    const KinescopePose pose = { positions[0], rotations[0], 0, 0, count };
    DONE(kinescope_model_sample(model, -1, 0, &pose));
    const float rest = positions[left][2];
    DONE(kinescope_model_sample(model, 0, 0.4f * duration, &pose));
    EXPECT(fabsf(positions[left][2] - rest) > 0.01f);
    KinescopeSettings settings;
    DONE(kinescope_settings_default(&settings));
    KinescopeEffectorSettings *hand = &settings.effectors[KINESCOPE_EFFECTOR_LEFT_HAND];
    hand->has_position = 1;
    hand->position_weight = 1;
    hand->position = (KinescopeVec3){ 0.3f, 1.2f, 0.35f };
    DONE(kinescope_solve(solver, workspace, &settings, &pose));
    EXPECT(distance(positions[left], hand->position) < 0.01f);
    EXPECT_BECAUSE(kinescope_model_sample(model, 99, 0, &pose) == KINESCOPE_STATUS_BAD_ARGUMENT, "clip: is 99");
    kinescope_workspace_free(workspace);
    kinescope_solver_free(solver);
    kinescope_model_free(model);
    EXPECT_BECAUSE(kinescope_model_new("broken.glb", bytes, 100, &model) == KINESCOPE_STATUS_BAD_FILE, "");
    EXPECT(model == NULL);
}

int main(void)
{
    EXPECT(kinescope_abi_matches());
    KinescopeSolver *solver = new_person();
    KinescopeWorkspace *workspace = NULL;
    DONE(kinescope_workspace_new(solver, &workspace));
    modifiers(solver, workspace);
    chains(solver);
    axes();
    grounding(solver);
    stack(solver, workspace);
    rules_of_grounding(solver);
    blending(solver);
    crossfade();
    terrain(solver);
    models();
    kinescope_workspace_free(workspace);
    kinescope_solver_free(solver);
    return 0;
}
