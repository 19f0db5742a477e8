/* The frame around the hostile calls, which tests/c/hostile.rs generates from the header. */
#include "person.h"

#include <math.h>

#define OBJECTS 16
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

static const char *text_of(const char *name)
{
    if (strstr(begun, "chain_new_of_file") != NULL) {
        return "{\"format\":\"kinescope-chain\",\"version\":1,\"bones\":[1,1],\"target\":[0,1,0.5]}";
    }
    if (strcmp(name, "json") == 0) {
        return preset;
    }
    if (strcmp(name, "name") == 0) {
        static char unique[32];
        snprintf(unique, sizeof unique, "character %d", calls);
        return unique;
    }
    return strcmp(name, "path") == 0 ? "hostile calls.jsonl" : strcmp(name, "address") == 0 ? "127.0.0.1:1"
        : strcmp(name, "role") == 0 ? "left_hand" : strcmp(name, "kind") == 0 ? "stage" : "text";
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
    } else if (strcmp(type, "KinescopeGame") == 0) {
        DONE(kinescope_game_new("hostile calls", (KinescopeGame **)&own));
        DONE(kinescope_game_add((KinescopeGame *)own, "player", person, NULL));
    } else if (strcmp(type, "KinescopeRecorder") == 0) {
        DONE(kinescope_recorder_new(the_game, "hostile calls.jsonl", (KinescopeRecorder **)&own));
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
    else if (strcmp(type, "KinescopeGame") == 0) kinescope_game_free((KinescopeGame *)own);
    else if (strcmp(type, "KinescopeRecorder") == 0) kinescope_recorder_free((KinescopeRecorder *)own);
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

/* The library still solves, with a finite result. */
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
    person = new_person();
    DONE(kinescope_game_new("hostile calls", &the_game));
    DONE(kinescope_game_add(the_game, "player", person, NULL));
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
