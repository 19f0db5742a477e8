/* The caller's allocator, and the stack that the functions need. Prints the allocations and the stack of each measured function. */
#define _XOPEN_SOURCE 700
#include "person.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

static atomic_long blocks, allocations, most;

/* A header before each block keeps its size, so that a wrong size on freeing is noticed. */
static void *allocate(void *user, size_t size, size_t alignment)
{
    EXPECT(user == &blocks && size > 0);
    const size_t room = alignment < 2 * sizeof(size_t) ? 2 * sizeof(size_t) : alignment;
    void *block = NULL;
    if (posix_memalign(&block, room, room + size) != 0) {
        return NULL;
    }
    size_t *memory = (size_t *)((char *)block + room);
    memory[-1] = size;
    memory[-2] = room;
    const long now = atomic_fetch_add(&blocks, 1) + 1;
    atomic_fetch_add(&allocations, 1);
    if (now > most) {
        most = now;
    }
    return memory;
}

static void release(void *user, void *memory, size_t size, size_t alignment)
{
    const size_t *own = memory;
    if (user != &blocks || own[-1] != size || own[-2] < alignment) {
        abort();
    }
    atomic_fetch_sub(&blocks, 1);
    free((char *)memory - own[-2]);
}

static KinescopeSolver *solver;
static KinescopeWorkspace *workspace;
static KinescopeGrounder *grounder;
static KinescopeModifiers *modifiers;
static KinescopeMany *many;
static KinescopeChain *chain;
static KinescopeStack *stack;
static KinescopeSettings settings, driven;
static KinescopeChainIkSettings chain_settings;
static Bone bones[BONES];
static KinescopePose pose;
static const KinescopeMoment moment = { { { 0, 0, 0 }, { 0, 0, 0, 1 } }, 1 / 60.0f, 0 };

static int32_t level(void *user, KinescopeVec3 from, KinescopeVec3 direction, float distance, KinescopeHit *hit)
{
    (void)user;
    const float way = -from.y / direction.y;
    if (!(way >= 0 && way <= distance)) {
        return 0;
    }
    *hit = (KinescopeHit){ { from.x, 0, from.z }, { 0, 1, 0 }, way };
    return 1;
}
static const KinescopeGround ground = { NULL, level, NULL };

static void of_new(void)
{
    kinescope_solver_free(new_person());
}

static void of_solve(void)
{
    DONE(kinescope_solve(solver, workspace, &settings, &pose));
}

static void of_solve_modified(void)
{
    DONE(kinescope_solve_modified(solver, workspace, &settings, modifiers, &moment, &pose));
}

static void of_ground(void)
{
    DONE(kinescope_ground(grounder, &ground, moment.root, &pose, NULL, 1 / 60.0f, &settings, &driven));
}

static void of_steps(void)
{
    DONE(kinescope_begin(solver, workspace, &settings, &pose));
    while (kinescope_step(workspace, NULL) == KINESCOPE_STATUS_DONE) {
    }
    DONE(kinescope_end(solver, workspace, &pose));
}

static void of_chain(void)
{
    const KinescopeGoal goal = { 0, { 0.4f, 1.3f, 0.3f }, 1 };
    DONE(kinescope_chain_solve_pose(chain, &chain_settings, &goal, 1, &pose, NULL));
}

static void of_solve_many(void)
{
    static Bone crowd[40][BONES];
    KinescopeTask tasks[40];
    for (int i = 0; i < 40; ++i) {
        stand(crowd[i]);
        tasks[i] = (KinescopeTask){ solver, &settings, pose_of(crowd[i]), 0 };
    }
    DONE(kinescope_solve_many(many, tasks, 40));
}

static void of_stack(void)
{
    KinescopeGroundFrame frame;
    DONE(kinescope_ground_frame_default(&frame));
    frame.dt = 1 / 60.0f;
    DONE(kinescope_stack_solve(stack, &ground, &frame, 0, &pose));
}

enum { STACK = 8 << 20 };

static void *run(void *call)
{
    (*(void (**)(void))call)();
    return NULL;
}

/* Calls a function on a thread whose stack is filled with a pattern. The need is the part that no longer has it. */
static void measure(const char *name, void (*call)(void))
{
    call();
    stand(bones);
    const long before = allocations;
    call();
    const long allocated = allocations - before;
    stand(bones);
    unsigned char *memory = NULL;
    EXPECT(posix_memalign((void **)&memory, 4096, STACK) == 0);
    memset(memory, 0xa5, STACK);
    pthread_attr_t attributes;
    pthread_t thread;
    EXPECT(pthread_attr_init(&attributes) == 0 && pthread_attr_setstack(&attributes, memory, STACK) == 0);
    EXPECT(pthread_create(&thread, &attributes, run, &call) == 0 && pthread_join(thread, NULL) == 0);
    size_t untouched = 0;
    while (untouched < STACK && memory[untouched] == 0xa5) {
        ++untouched;
    }
    printf("%s: %ld allocations, %zu KB\n", name, allocated, (STACK - untouched + 1023) / 1024);
    pthread_attr_destroy(&attributes);
    free(memory);
}

/* A thread that cannot start, because the process may not have more memory, is an error of the system, not of the address. */
static void refuse_threads(void)
{
    KinescopeGame *game = NULL;
    KinescopeSender *sender = NULL;
    DONE(kinescope_game_new("a game without threads", &game));
    EXPECT(kinescope_sender_new(game, "no address", &sender) == KINESCOPE_STATUS_BAD_ARGUMENT);
    struct rlimit before, least;
    EXPECT(getrlimit(RLIMIT_AS, &before) == 0);
    least = before;
    /* Room for the queue of a sender, but not for the stack of its thread, which has 2 MB. */
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    EXPECT(file != NULL && fscanf(file, "%lu", &pages) == 1);
    fclose(file);
    least.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + (3 << 19);
    EXPECT(setrlimit(RLIMIT_AS, &least) == 0);
    const KinescopeStatus status = kinescope_sender_new(game, "127.0.0.1:1", &sender);
    EXPECT(setrlimit(RLIMIT_AS, &before) == 0);
    EXPECT(status == KINESCOPE_STATUS_SYSTEM && sender == NULL);
    kinescope_game_free(game);
}

int main(void)
{
    KinescopeAllocator own = { &blocks, allocate, NULL };
    EXPECT(kinescope_set_allocator(NULL) == KINESCOPE_STATUS_BAD_ARGUMENT);
    EXPECT(kinescope_set_allocator(&own) == KINESCOPE_STATUS_BAD_ARGUMENT);
    own.free = release;
    DONE(kinescope_set_allocator(&own));
    EXPECT(kinescope_set_allocator(&own) == KINESCOPE_STATUS_NOTHING_TO_DO);

    solver = new_person();
    DONE(kinescope_workspace_new(solver, &workspace));
    DONE(kinescope_grounder_new(solver, KINESCOPE_GROUNDING_PREDICTIVE, &grounder));
    DONE(kinescope_modifiers_new(solver, &modifiers));
    for (uint32_t kind = KINESCOPE_MODIFIER_KIND_RECOIL; kind <= KINESCOPE_MODIFIER_KIND_ARM_BENDING; ++kind) {
        DONE(kinescope_modifiers_add(modifiers, kind, NULL));
    }
    DONE(kinescope_many_new(&many));
    DONE(kinescope_chain_new_of_bones(solver, 5, LEFT_HAND, &chain));
    DONE(kinescope_stack_new(solver, &stack));
    DONE(kinescope_stack_from_preset(stack, "{\"format\":\"kinescope-preset\",\"version\":1,\"grounding\":{\"method\":\"predictive\"},"
                                            "\"modifiers\":[{\"recoil\":{}},{\"head\":{}}]}"));
    DONE(kinescope_settings_default(&settings));
    DONE(kinescope_chain_settings_default(&chain_settings));
    stand(bones);
    pose = pose_of(bones);

    measure("kinescope_solver_new", of_new);
    measure("kinescope_solve", of_solve);
    measure("kinescope_solve_modified", of_solve_modified);
    measure("kinescope_ground", of_ground);
    measure("kinescope_begin to kinescope_end", of_steps);
    measure("kinescope_chain_solve_pose", of_chain);
    measure("kinescope_solve_many", of_solve_many);
    measure("kinescope_stack_solve", of_stack);

    refuse_threads();

    const long kept = blocks;
    kinescope_stack_free(stack);
    kinescope_chain_free(chain);
    kinescope_many_free(many);
    kinescope_modifiers_free(modifiers);
    kinescope_grounder_free(grounder);
    kinescope_workspace_free(workspace);
    kinescope_solver_free(solver);
    EXPECT(blocks < kept && most > 100);
    printf("%ld blocks remain\n", (long)blocks);
    return 0;
}
