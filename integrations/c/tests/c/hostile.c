/* The frame around the hostile calls, which tests/c/hostile.rs generates from the header. */
#include "person.h"

#include <math.h>

#define OBJECTS 32
#define SLOTS 16
#define SLOT_SIZE 65536

static union {
    double alignment;
    unsigned char bytes[SLOT_SIZE];
} slots[SLOTS];
static int next_slot;
static unsigned char bytes[SLOT_SIZE];
static char text_buffer[SLOT_SIZE];
static Bone bones[SLOTS][BONES];
static int next_pose;

static const char *begun;
static int functions, calls, failed;
static KinescopeSolver *person;
static KinescopeGame *the_game;

static KinescopePose new_pose(size_t count)
{
    Bone *own = bones[next_pose++ % SLOTS];
    stand(own);
    const KinescopePose pose = { own[0].position, own[0].rotation, sizeof(Bone), sizeof(Bone), count };
    return pose;
}

static void *slot(void)
{
    void *own = slots[next_slot++ % SLOTS].bytes;
    memset(own, 0, SLOT_SIZE);
    return own;
}

static void *pose_with(size_t count)
{
    void *own = slot();
    *(KinescopePose *)own = new_pose(count);
    return own;
}

static void *not_a_number(size_t size)
{
    void *own = slot();
    memset(own, 0xff, size);
    return own;
}

static const char *const preset =
    "{\"format\":\"kinescope-preset\",\"version\":1,\"grounding\":{\"method\":\"predictive\"},\"modifiers\":[{\"recoil\":{}}]}";

/* The person as a glTF file. */
static char gltf[8192];

static void write_gltf(void)
{
    size_t length = 0;
#define WRITE(...) length += (size_t)snprintf(gltf + length, sizeof gltf - length, __VA_ARGS__)
    WRITE("{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[");
    for (int i = 0; i < BONES; ++i) {
        const float *own = places[i], zero[3] = { 0, 0, 0 }, *above = parents[i] < 0 ? zero : places[parents[i]];
        WRITE("%s{\"name\":\"%s\",\"translation\":[%f,%f,%f]", i == 0 ? "" : ",", names[i], (double)(own[0] - above[0]),
              (double)(own[1] - above[1]), (double)(own[2] - above[2]));
        const char *before = ",\"children\":[", *after = "";
        for (int child = i + 1; child < BONES; ++child) {
            if (parents[child] == i) {
                WRITE("%s%d", before, child);
                before = ",";
                after = "]";
            }
        }
        WRITE("%s}", after);
    }
    WRITE("]}");
    EXPECT(length < sizeof gltf);
}

static char capsule_text[1 << 18];

static const char *text_of(const char *name)
{
    if (strstr(begun, "chain_new_of_file") != NULL) {
        return "{\"format\":\"kinescope-chain\",\"version\":1,\"bones\":[1,1],\"target\":[0,1,0.5]}";
    }
    if (strstr(begun, "capsule_new_of_json") != NULL) {
        return capsule_text;
    }
    if (strcmp(name, "json") == 0 || strcmp(name, "preset") == 0) {
        return preset;
    }
    if (strcmp(name, "measure") == 0) {
        return "worst_gap";
    }
    if (strcmp(name, "parameter") == 0) {
        return "chains.left_arm.pull";
    }
    if (strcmp(name, "name") == 0) {
        static char unique[32];
        snprintf(unique, sizeof unique, "character %d", calls);
        return unique;
    }
    if (strstr(begun, "reader_new") != NULL) {
        return "hostile reading.jsonl";
    }
    return strcmp(name, "path") == 0 ? "hostile calls.jsonl" : strcmp(name, "address") == 0 ? "127.0.0.1:1"
        : strcmp(name, "role") == 0 ? "left_hand" : strcmp(name, "kind") == 0 ? "stage" : "text";
}

/* Writes a recording of two equal frames with stages, parts and results, for readers. */
static void write_recording(void)
{
    KinescopeRecorder *recorder = NULL;
    static KinescopeStepNodes step;
    static const int32_t bone = 3;
    static const KinescopeTransform transform = { { 0, 1, 0 }, { 0, 0, 0, 1 } };
    const KinescopeWrite write = { KINESCOPE_PART_LEFT_ARM, &bone, &transform, 1 };
    const KinescopePose pose = new_pose(BONES);
    const KinescopeFrame frame = { 0, -1, 0, NULL, pose, pose, &step, 1, &write, 1 };
    DONE(kinescope_recorder_new(the_game, "hostile reading.jsonl", &recorder));
    DONE(kinescope_recorder_frame(recorder, &frame));
    DONE(kinescope_recorder_frame(recorder, &frame));
    DONE(kinescope_recorder_free(recorder));
}

static void *live(const char *type);

/* Returns a capsule of a stack that was solved. */
static KinescopeCapsule *new_capsule(void)
{
    KinescopeStack *stack = NULL;
    KinescopeCapsule *capsule = NULL;
    KinescopeGroundFrame frame;
    const KinescopePose pose = new_pose(BONES);
    DONE(kinescope_stack_new(person, &stack));
    DONE(kinescope_ground_frame_default(&frame));
    DONE(kinescope_stack_solve(stack, NULL, &frame, 0, &pose));
    DONE(kinescope_capsule_new(stack, "hostile calls", 0, &capsule));
    DONE(kinescope_capsule_to_json(capsule, capsule_text, sizeof capsule_text, NULL));
    kinescope_stack_free(stack);
    return capsule;
}

/* Returns a tape with four frames of a stack, as many as pops need. */
static KinescopeTape *new_tape(void)
{
    KinescopeStack *stack = NULL;
    KinescopeTape *tape = NULL;
    KinescopeGroundFrame frame;
    DONE(kinescope_stack_new(person, &stack));
    DONE(kinescope_tape_new(stack, &tape));
    DONE(kinescope_ground_frame_default(&frame));
    frame.dt = 0.02f;
    for (int i = 0; i < 4; ++i) {
        const KinescopePose pose = new_pose(BONES);
        frame.root.position.x = 0.01f * (float)(i * i);
        DONE(kinescope_stack_solve(stack, NULL, &frame, 0, &pose));
        DONE(kinescope_tape_record(tape, stack));
    }
    kinescope_stack_free(stack);
    return tape;
}

/* Returns a new object, or NULL for an unknown type. */
static void *make(const char *type)
{
    void *own = NULL;
    if (strcmp(type, "KinescopeSolver") == 0) {
        own = new_person();
    } else if (strcmp(type, "KinescopeWorkspace") == 0) {
        DONE(kinescope_workspace_new(person, (KinescopeWorkspace **)&own));
    } else if (strcmp(type, "KinescopeGrounder") == 0) {
        DONE(kinescope_grounder_new(person, KINESCOPE_GROUNDING_PREDICTIVE, (KinescopeGrounder **)&own));
    } else if (strcmp(type, "KinescopeMany") == 0) {
        DONE(kinescope_many_new((KinescopeMany **)&own));
    } else if (strcmp(type, "KinescopeModifiers") == 0) {
        DONE(kinescope_modifiers_new(person, (KinescopeModifiers **)&own));
    } else if (strcmp(type, "KinescopeChain") == 0) {
        DONE(kinescope_chain_new_of_bones(person, 5, 7, (KinescopeChain **)&own));
    } else if (strcmp(type, "KinescopeRetargeter") == 0) {
        DONE(kinescope_retargeter_new(person, person, (KinescopeRetargeter **)&own));
    } else if (strcmp(type, "KinescopeStack") == 0) {
        DONE(kinescope_stack_new(person, (KinescopeStack **)&own));
    } else if (strcmp(type, "KinescopeModel") == 0) {
        DONE(kinescope_model_new("person.gltf", (const uint8_t *)gltf, strlen(gltf), (KinescopeModel **)&own));
    } else if (strcmp(type, "KinescopeTerrain") == 0) {
        static const float heights[4];
        DONE(kinescope_terrain_new(heights, 2, 2, 1, 0, 0, (KinescopeTerrain **)&own));
    } else if (strcmp(type, "KinescopeCrossfade") == 0) {
        static const float durations[2] = { 1, 0.5f };
        DONE(kinescope_crossfade_new(durations, 2, (KinescopeCrossfade **)&own));
    } else if (strcmp(type, "KinescopeGame") == 0) {
        DONE(kinescope_game_new("hostile calls", (KinescopeGame **)&own));
        DONE(kinescope_game_add((KinescopeGame *)own, "player", person, NULL));
    } else if (strcmp(type, "KinescopeRecorder") == 0) {
        DONE(kinescope_recorder_new(the_game, "hostile calls.jsonl", (KinescopeRecorder **)&own));
    } else if (strcmp(type, "KinescopeReader") == 0) {
        DONE(kinescope_reader_new("hostile reading.jsonl", (KinescopeReader **)&own));
        KinescopeLine line;
        DONE(kinescope_reader_next((KinescopeReader *)own, &line));
    } else if (strcmp(type, "KinescopeLeastSquares") == 0) {
        DONE(kinescope_least_squares_new(person, (KinescopeLeastSquares **)&own));
    } else if (strcmp(type, "KinescopePositionBased") == 0) {
        DONE(kinescope_position_based_new(person, (KinescopePositionBased **)&own));
    } else if (strcmp(type, "KinescopeCrowd") == 0) {
        DONE(kinescope_crowd_new((KinescopeModel *)live("KinescopeModel"), person, NULL, 0, NULL, 2, (KinescopeCrowd **)&own));
    } else if (strcmp(type, "KinescopeCapsule") == 0) {
        own = new_capsule();
    } else if (strcmp(type, "KinescopeAttribution") == 0) {
        DONE(kinescope_attribution_new((KinescopeStack *)live("KinescopeStack"), 0, 0, (KinescopeAttribution **)&own));
    } else if (strcmp(type, "KinescopeSweep") == 0) {
        const KinescopeAxis axis = { "chains.left_arm.pull", 0, 1, 2 };
        DONE(kinescope_sweep_new((KinescopeCapsule *)live("KinescopeCapsule"), NULL, &axis, NULL, "worst_gap", NULL, (KinescopeSweep **)&own));
    } else if (strcmp(type, "KinescopeSensitivities") == 0) {
        DONE(kinescope_sensitivities_new((KinescopeCapsule *)live("KinescopeCapsule"), NULL, "worst_gap", NULL, (KinescopeSensitivities **)&own));
    } else if (strcmp(type, "KinescopeReach") == 0) {
        KinescopeSettings settings;
        const KinescopePose pose = new_pose(BONES);
        DONE(kinescope_settings_default(&settings));
        DONE(kinescope_reach_new(person, &settings, &pose, 0, 4, NULL, (KinescopeReach **)&own));
    } else if (strcmp(type, "KinescopeTape") == 0) {
        own = new_tape();
    } else if (strcmp(type, "KinescopeFile") == 0) {
        const KinescopePose pose = new_pose(BONES);
        DONE(kinescope_solver_write_bvh(person, &pose, 1, 0.1f, 0, (KinescopeFile **)&own));
    } else if (strcmp(type, "KinescopeSender") == 0) {
        DONE(kinescope_sender_new(the_game, "127.0.0.1:1", (KinescopeSender **)&own));
    }
    EXPECT(own != NULL);
    return own;
}

static void destroy(const char *type, void *own)
{
    if (strcmp(type, "KinescopeSolver") == 0) kinescope_solver_free((KinescopeSolver *)own);
    else if (strcmp(type, "KinescopeWorkspace") == 0) kinescope_workspace_free((KinescopeWorkspace *)own);
    else if (strcmp(type, "KinescopeGrounder") == 0) kinescope_grounder_free((KinescopeGrounder *)own);
    else if (strcmp(type, "KinescopeMany") == 0) kinescope_many_free((KinescopeMany *)own);
    else if (strcmp(type, "KinescopeModifiers") == 0) kinescope_modifiers_free((KinescopeModifiers *)own);
    else if (strcmp(type, "KinescopeChain") == 0) kinescope_chain_free((KinescopeChain *)own);
    else if (strcmp(type, "KinescopeRetargeter") == 0) kinescope_retargeter_free((KinescopeRetargeter *)own);
    else if (strcmp(type, "KinescopeStack") == 0) kinescope_stack_free((KinescopeStack *)own);
    else if (strcmp(type, "KinescopeModel") == 0) kinescope_model_free((KinescopeModel *)own);
    else if (strcmp(type, "KinescopeTerrain") == 0) kinescope_terrain_free((KinescopeTerrain *)own);
    else if (strcmp(type, "KinescopeCrossfade") == 0) kinescope_crossfade_free((KinescopeCrossfade *)own);
    else if (strcmp(type, "KinescopeGame") == 0) kinescope_game_free((KinescopeGame *)own);
    else if (strcmp(type, "KinescopeRecorder") == 0) kinescope_recorder_free((KinescopeRecorder *)own);
    else if (strcmp(type, "KinescopeReader") == 0) kinescope_reader_free((KinescopeReader *)own);
    else if (strcmp(type, "KinescopeLeastSquares") == 0) kinescope_least_squares_free((KinescopeLeastSquares *)own);
    else if (strcmp(type, "KinescopePositionBased") == 0) kinescope_position_based_free((KinescopePositionBased *)own);
    else if (strcmp(type, "KinescopeCrowd") == 0) kinescope_crowd_free((KinescopeCrowd *)own);
    else if (strcmp(type, "KinescopeCapsule") == 0) kinescope_capsule_free((KinescopeCapsule *)own);
    else if (strcmp(type, "KinescopeAttribution") == 0) kinescope_attribution_free((KinescopeAttribution *)own);
    else if (strcmp(type, "KinescopeSweep") == 0) kinescope_sweep_free((KinescopeSweep *)own);
    else if (strcmp(type, "KinescopeSensitivities") == 0) kinescope_sensitivities_free((KinescopeSensitivities *)own);
    else if (strcmp(type, "KinescopeReach") == 0) kinescope_reach_free((KinescopeReach *)own);
    else if (strcmp(type, "KinescopeTape") == 0) kinescope_tape_free((KinescopeTape *)own);
    else if (strcmp(type, "KinescopeFile") == 0) kinescope_file_free((KinescopeFile *)own);
    else if (strcmp(type, "KinescopeSender") == 0) kinescope_sender_free((KinescopeSender *)own);
}

typedef struct Known {
    const char *type;
    void *live;
    void *freed;
} Known;
static Known known[OBJECTS];

static Known *find(const char *type)
{
    for (int i = 0; i < OBJECTS; ++i) {
        if (known[i].type == NULL) {
            known[i].type = type;
            known[i].freed = make(type);
            destroy(type, known[i].freed);
            known[i].live = make(type);
        }
        if (strcmp(known[i].type, type) == 0) {
            return &known[i];
        }
    }
    abort();
}

/* Prepares what a call with valid arguments needs. */
static void prepare(void)
{
    const KinescopePose pose = new_pose(BONES);
    KinescopeSettings settings;
    DONE(kinescope_settings_default(&settings));
    KinescopeWorkspace *workspace = (KinescopeWorkspace *)find("KinescopeWorkspace")->live;
    DONE(kinescope_begin(person, workspace, &settings, &pose));
    KinescopeModifiers *modifiers = (KinescopeModifiers *)find("KinescopeModifiers")->live;
    while (kinescope_modifiers_count(modifiers) > 0) {
        DONE(kinescope_modifiers_remove(modifiers, 0));
    }
    /* A modifier of the kind that the function needs, at index 0. */
    static const char *const kinds[] = {
        "recoil", "two_handed_grip", "hit_reaction", "inertia", "breathing", "look_at", "reach_for", "keyed", "head",
        "four_bones", "arm_bending",
    };
    uint32_t kind = KINESCOPE_MODIFIER_KIND_LOOK_AT;
    for (uint32_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        if (strstr(begun, kinds[i]) != NULL) {
            kind = i;
        }
    }
    kind = strstr(begun, "set_keys") != NULL ? (uint32_t)KINESCOPE_MODIFIER_KIND_KEYED : kind;
    DONE(kinescope_modifiers_add(modifiers, kind, NULL));
    const KinescopeGround ground = { NULL, NULL, NULL };
    const KinescopeTransform origin = { { 0, 0, 0 }, { 0, 0, 0, 1 } };
    KinescopeSettings driven;
    KinescopeGrounder *grounder = (KinescopeGrounder *)find("KinescopeGrounder")->live;
    DONE(kinescope_ground(grounder, &ground, origin, &pose, NULL, 0.01f, &settings, &driven));
    KinescopeChain *chain = (KinescopeChain *)find("KinescopeChain")->live;
    const KinescopeGoal goal = { 0, { 0.3f, 1.3f, 0.3f }, 1 };
    KinescopeChainIkSettings chain_settings;
    DONE(kinescope_chain_settings_default(&chain_settings));
    DONE(kinescope_chain_begin(chain, &chain_settings, &goal, 1));
    KinescopeStack *stack = (KinescopeStack *)find("KinescopeStack")->live;
    DONE(kinescope_stack_from_preset(stack, preset));
    if (strstr(begun, "stack_") != NULL || strstr(begun, "attribution") != NULL || strstr(begun, "capsule") != NULL
        || strstr(begun, "tape_record") != NULL) {
        /* A solve whose layers can be stepped and analysed. */
        KinescopeGroundFrame frame;
        DONE(kinescope_ground_frame_default(&frame));
        DONE(kinescope_stack_solve(stack, NULL, &frame, 0, &pose));
    }
    if (strstr(begun, "tape") != NULL) {
        /* A new tape, because kinescope_tape_clear drops the frames. */
        Known *tape = find("KinescopeTape");
        destroy(tape->type, tape->live);
        tape->live = make(tape->type);
    }
    if (strstr(begun, "reader") != NULL) {
        /* A new reader, which is at the first frame. */
        Known *reader = find("KinescopeReader");
        destroy(reader->type, reader->live);
        reader->live = make(reader->type);
    }
}

static void draw_nothing(void *user, const KinescopeDrawnLine *line)
{
    (void)user;
    EXPECT(isfinite(line->from.x));
}

static void *filled(const char *type, size_t size)
{
    void *own = slot();
    (void)size;
    if (strcmp(type, "KinescopePose") == 0) {
        *(KinescopePose *)own = new_pose(BONES);
    } else if (strcmp(type, "KinescopeSettings") == 0) {
        DONE(kinescope_settings_default((KinescopeSettings *)own));
    } else if (strcmp(type, "KinescopeGroundFrame") == 0) {
        DONE(kinescope_ground_frame_default((KinescopeGroundFrame *)own));
    } else if (strcmp(type, "KinescopeTransform") == 0 || strcmp(type, "KinescopeMoment") == 0) {
        ((KinescopeTransform *)own)->rotation.w = 1;
    } else if (strcmp(type, "KinescopeQuat") == 0) {
        ((KinescopeQuat *)own)->w = 1;
    } else if (strcmp(type, "KinescopeVec3") == 0) {
        KinescopeVec3 *all = (KinescopeVec3 *)own;
        all[0].y = all[1].y = 1;
        all[1].x = 1;
    } else if (strcmp(type, "float") == 0) {
        ((float *)own)[0] = ((float *)own)[1] = 1;
    } else if (strcmp(type, "KinescopeSpace") == 0) {
        DONE(kinescope_space_of(KINESCOPE_ENGINE_AXES_LEFT_HANDED_Y_UP, 1, (KinescopeSpace *)own));
    } else if (strcmp(type, "KinescopeSkeleton") == 0) {
        const KinescopeSkeleton skeleton = { BONES, names, parents, new_pose(BONES) };
        *(KinescopeSkeleton *)own = skeleton;
    } else if (strcmp(type, "KinescopeBiped") == 0) {
        static const int32_t spine[] = { 1, 2 };
        const KinescopeBiped biped = {
            0, spine, 2, 4, -1, { { -1, { 5, 6, 7 } }, { -1, { 8, 9, 10 } }, { -1, { 11, 12, 13 } }, { -1, { 14, 15, 16 } } },
        };
        *(KinescopeBiped *)own = biped;
    } else if (strcmp(type, "KinescopeFrame") == 0) {
        ((KinescopeFrame *)own)->frame = -1;
        ((KinescopeFrame *)own)->time = calls;
        ((KinescopeFrame *)own)->animated = new_pose(BONES);
    } else if (strcmp(type, "KinescopeChainIkSettings") == 0) {
        DONE(kinescope_chain_settings_default((KinescopeChainIkSettings *)own));
    } else if (strcmp(type, "KinescopeGoal") == 0) {
        const KinescopeGoal goal = { 0, { 0.3f, 1.3f, 0.3f }, 1 };
        *(KinescopeGoal *)own = goal;
    } else if (strcmp(type, "KinescopeDrawing") == 0) {
        ((KinescopeDrawing *)own)->line = draw_nothing;
    } else if (strcmp(type, "KinescopeBreaks") == 0) {
        DONE(kinescope_breaks_default((KinescopeBreaks *)own));
    } else if (strcmp(type, "KinescopeWay") == 0) {
        static const float points[] = { 0, 0, 0, 2, 2, 2 };
        const KinescopeWay way = { points, 3, 1 };
        *(KinescopeWay *)own = way;
    } else if (strcmp(type, "KinescopeAxis") == 0) {
        const KinescopeAxis axis = { "chains.left_arm.pull", 0, 1, 2 };
        *(KinescopeAxis *)own = axis;
    } else if (strcmp(type, "KinescopeDetailRule") == 0) {
        const KinescopeDetailRule rule = { -1, -1, 10, KINESCOPE_QUALITY_FASTEST, 1, 2 };
        *(KinescopeDetailRule *)own = rule;
    } else if (strcmp(type, "KinescopeLeastSquaresSettings") == 0) {
        DONE(kinescope_least_squares_settings_default((KinescopeLeastSquaresSettings *)own));
    } else if (strcmp(type, "KinescopePositionBasedSettings") == 0) {
        DONE(kinescope_position_based_settings_default((KinescopePositionBasedSettings *)own));
    } else if (strcmp(type, "KinescopeKey") == 0) {
        ((KinescopeKey *)own)->rotation.w = 1;
    } else if (strstr(begun, "grounder_set_predictive") != NULL) {
        (void)kinescope_grounder_get_predictive((KinescopeGrounder *)find("KinescopeGrounder")->live, (KinescopePredictiveSettings *)own);
    } else if (strcmp(type, "KinescopeHitReaction") == 0) {
        (void)kinescope_modifiers_get_hit_reaction((KinescopeModifiers *)find("KinescopeModifiers")->live, 0, (KinescopeHitReaction *)own);
    } else if (strcmp(type, "KinescopeInertia") == 0) {
        (void)kinescope_modifiers_get_inertia((KinescopeModifiers *)find("KinescopeModifiers")->live, 0, (KinescopeInertia *)own);
    }
    return own;
}

static void *live(const char *type)
{
    return find(type)->live;
}

static void *freed(const char *type)
{
    return find(type)->freed;
}

static void *other(const char *type)
{
    return find(strcmp(type, "KinescopeMany") == 0 ? "KinescopeChain" : "KinescopeMany")->live;
}

/* The object that a call makes; it is freed after the call. */
static void *made;
static const char *made_type;

static void *new_object(const char *type)
{
    made = NULL;
    made_type = type;
    return &made;
}

enum { ANY, REFUSED };

static void begin_call(const char *name)
{
    begun = name;
    prepare();
}
#define begin() begin_call(__func__)

/* Ends a call: the library must still solve, with a finite result. */
static void end(const char *what)
{
    const KinescopePose pose = new_pose(BONES);
    KinescopeSettings settings;
    KinescopeWorkspace *workspace = NULL;
    calls += 1;
    if (made != NULL) {
        destroy(made_type, made);
        made = NULL;
    }
    if (kinescope_settings_default(&settings) != KINESCOPE_STATUS_DONE
        || kinescope_workspace_new(person, &workspace) != KINESCOPE_STATUS_DONE
        || kinescope_solve(person, workspace, &settings, &pose) != KINESCOPE_STATUS_DONE || !isfinite(pose.positions[0])) {
        fprintf(stderr, "%s: later calls fail: %s\n", what, kinescope_last_error());
        exit(1);
    }
    kinescope_workspace_free(workspace);
}

static void check(KinescopeStatus status, const char *what, int must)
{
    if (status == KINESCOPE_STATUS_DEFECT || (must == REFUSED && status >= 0)) {
        fprintf(stderr, "%s: returns %d: %s\n", what, (int)status, kinescope_last_error());
        exit(1);
    }
    if (strstr(what, "valid arguments") != NULL && status < 0) {
        fprintf(stderr, "%s: returns %d: %s\n", what, (int)status, kinescope_last_error());
        failed += 1;
    }
    if (must == REFUSED && kinescope_last_error()[0] == 0 && strstr(what, "set_allocator") == NULL) {
        fprintf(stderr, "%s: has no reason\n", what);
        exit(1);
    }
    end(what);
}

/* The generated calls. */

int main(void)
{
    write_gltf();
    person = new_person();
    DONE(kinescope_game_new("hostile calls", &the_game));
    /* A refused call adds no character, so its name stays free. */
    uint32_t index[2];
    EXPECT_BECAUSE(kinescope_game_add(the_game, "player", person, (uint32_t *)((char *)index + 1)) == KINESCOPE_STATUS_BAD_ARGUMENT, "index");
    DONE(kinescope_game_add(the_game, "player", person, NULL));
    write_recording();
    all();
    functions = COUNT;
    for (int i = 0; i < OBJECTS && known[i].type != NULL; ++i) {
        destroy(known[i].type, known[i].live);
        /* Freed again: refused. */
        destroy(known[i].type, known[i].live);
    }
    kinescope_game_free(the_game);
    kinescope_solver_free(person);
    printf("%d functions, %d calls, %d valid calls failed\n", functions, calls, failed);
    return 0;
}
