#ifndef KINESCOPE_H
#define KINESCOPE_H

/* Made by cbindgen from integrations/c/src: not to be edited. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How many nodes there are: `KinescopeNode`.
#define KINESCOPE_NODES 13

// How many effectors there are: `KinescopeEffector`.
#define KINESCOPE_EFFECTORS 9

// How many limbs there are: `KinescopeLimb`.
#define KINESCOPE_LIMBS 4

// What a call came to. 0 and above: it went well. Below 0 what the caller handed in to be filled or changed is as it was, and
// `kinescope_last_error` says why; a solve that was under way in a workspace is over.
//
// Of every function: a pointer that may be NULL says so. All others must point to what they are declared as, as many of it
// as is said, for as long as the call takes; an object from a `_new` until its `_free`. NULL where it may not be is
// KINESCOPE_STATUS_BAD_ARGUMENT. An object is used by one thread at a time, but for a KinescopeSolver, which nothing
// changes: threads share it. No function keeps a pointer of the caller's, and none throws or unwinds; a callback must
// not either.
//
// Everything is in model space (relative to the character), right-handed, +Y up; rotations are unit quaternions: one whose
// length is from 0.99 to 1.01 is normalized, any other is refused with the bone's name.
enum KinescopeStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It is done; of a solve: the pose is the solved one.
    KINESCOPE_STATUS_DONE = 0,
    // There was nothing to do: the master weight is 0, there is no further step, nothing new has come.
    KINESCOPE_STATUS_NOTHING_TO_DO = 1,
    // A pointer is NULL, an index too large, a text no UTF-8, an address none.
    KINESCOPE_STATUS_BAD_ARGUMENT = -1,
    // The bones make no biped.
    KINESCOPE_STATUS_BAD_RIG = -2,
    // The pose has too few bones (where frames are recorded, too many as well), or one that is not finite, is too far away or has
    // no rotation.
    KINESCOPE_STATUS_BAD_POSE = -3,
    // The settings cannot be solved with.
    KINESCOPE_STATUS_BAD_SETTINGS = -4,
    // The text does not read.
    KINESCOPE_STATUS_BAD_FILE = -5,
    // The workspace is another solver's, or nothing was read into it.
    KINESCOPE_STATUS_BAD_WORKSPACE = -6,
    // What the system says: a file that cannot be written, no thread.
    KINESCOPE_STATUS_SYSTEM = -7,
    // A defect of Kinescope's own. What was handed in may be used no further, but freed.
    KINESCOPE_STATUS_DEFECT = -8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum KinescopeStatus KinescopeStatus;
#else
typedef int32_t KinescopeStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The effectors (IK goals), in the order of KinescopeSettings.effectors.
enum KinescopeEffector
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    KINESCOPE_EFFECTOR_BODY,
    KINESCOPE_EFFECTOR_LEFT_SHOULDER,
    KINESCOPE_EFFECTOR_RIGHT_SHOULDER,
    KINESCOPE_EFFECTOR_LEFT_THIGH,
    KINESCOPE_EFFECTOR_RIGHT_THIGH,
    KINESCOPE_EFFECTOR_LEFT_HAND,
    KINESCOPE_EFFECTOR_RIGHT_HAND,
    KINESCOPE_EFFECTOR_LEFT_FOOT,
    KINESCOPE_EFFECTOR_RIGHT_FOOT,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum KinescopeEffector KinescopeEffector;
#else
typedef uint32_t KinescopeEffector;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How feet find the ground.
enum KinescopeGrounding
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // One ray down at each foot.
    KINESCOPE_GROUNDING_FOOT_IK,
    // Looks where each foot will be, by its velocity.
    KINESCOPE_GROUNDING_PREDICTIVE,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum KinescopeGrounding KinescopeGrounding;
#else
typedef uint32_t KinescopeGrounding;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The limbs, in the order of KinescopeSettings.chains.
enum KinescopeLimb
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    KINESCOPE_LIMB_LEFT_ARM,
    KINESCOPE_LIMB_RIGHT_ARM,
    KINESCOPE_LIMB_LEFT_LEG,
    KINESCOPE_LIMB_RIGHT_LEG,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum KinescopeLimb KinescopeLimb;
#else
typedef uint32_t KinescopeLimb;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The 13 points that are solved: the body's, and three of each limb.
enum KinescopeNode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    KINESCOPE_NODE_BODY,
    KINESCOPE_NODE_LEFT_UPPER_ARM,
    KINESCOPE_NODE_LEFT_FOREARM,
    KINESCOPE_NODE_LEFT_HAND,
    KINESCOPE_NODE_RIGHT_UPPER_ARM,
    KINESCOPE_NODE_RIGHT_FOREARM,
    KINESCOPE_NODE_RIGHT_HAND,
    KINESCOPE_NODE_LEFT_THIGH,
    KINESCOPE_NODE_LEFT_CALF,
    KINESCOPE_NODE_LEFT_FOOT,
    KINESCOPE_NODE_RIGHT_THIGH,
    KINESCOPE_NODE_RIGHT_CALF,
    KINESCOPE_NODE_RIGHT_FOOT,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum KinescopeNode KinescopeNode;
#else
typedef uint32_t KinescopeNode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How push and reach weaken a small force.
enum KinescopeSmoothing
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // As it is.
    KINESCOPE_SMOOTHING_NONE,
    // Squared; the default.
    KINESCOPE_SMOOTHING_EXPONENTIAL,
    // To the third power.
    KINESCOPE_SMOOTHING_CUBIC,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum KinescopeSmoothing KinescopeSmoothing;
#else
typedef uint32_t KinescopeSmoothing;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The stages of a solve, by the names of traces.
enum KinescopeStage
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    KINESCOPE_STAGE_READ,
    KINESCOPE_STAGE_END_EFFECTORS,
    KINESCOPE_STAGE_PUSH,
    KINESCOPE_STAGE_REACH,
    KINESCOPE_STAGE_BODY_EFFECTORS,
    KINESCOPE_STAGE_TRIGONOMETRIC,
    KINESCOPE_STAGE_STAGE1,
    KINESCOPE_STAGE_BODY_EFFECTORS_AGAIN,
    KINESCOPE_STAGE_STAGE2,
    KINESCOPE_STAGE_FINAL_EFFECTORS,
    KINESCOPE_STAGE_BEND,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum KinescopeStage KinescopeStage;
#else
typedef uint32_t KinescopeStage;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Who records, and which characters there are: a recorder and a sender are made from it.
typedef struct KinescopeGame KinescopeGame;

// Keeps a character's feet on the ground, frame by frame.
typedef struct KinescopeGrounder KinescopeGrounder;

// What many solves work in.
typedef struct KinescopeMany KinescopeMany;

// Writes a recording to a file.
typedef struct KinescopeRecorder KinescopeRecorder;

// Sends frames to a listening window.
typedef struct KinescopeSender KinescopeSender;

// The solver for one character. Threads may share it.
typedef struct KinescopeSolver KinescopeSolver;

// What a solve works in; one for each thread that solves.
typedef struct KinescopeWorkspace KinescopeWorkspace;

// Three numbers.
typedef struct KinescopeVec3 {
    float x;
    float y;
    float z;
} KinescopeVec3;

// Where a ray meets the ground; world space, metres.
typedef struct KinescopeHit {
    struct KinescopeVec3 point;
    // Unit, out of the ground.
    struct KinescopeVec3 normal;
    // From the ray's origin.
    float distance;
} KinescopeHit;

// The caller's ground: what a ray meets. World space, metres.
typedef struct KinescopeGround {
    // Handed to `ray`.
    void *user;
    // Casts a ray along a unit direction, so far at most. Returns 0 where it meets nothing, else fills in `hit`. It must not
    // throw.
    int32_t (*ray)(void *user,
                   struct KinescopeVec3 from,
                   struct KinescopeVec3 direction,
                   float distance,
                   struct KinescopeHit *hit);
} KinescopeGround;

// A rotation: a unit quaternion.
typedef struct KinescopeQuat {
    float x;
    float y;
    float z;
    float w;
} KinescopeQuat;

// A place and a rotation.
typedef struct KinescopeTransform {
    struct KinescopeVec3 position;
    struct KinescopeQuat rotation;
} KinescopeTransform;

// A pose where it lies: of bone i, its position is the three floats at `positions` + i · `position_stride` bytes, its
// rotation the four floats (x, y, z, w) at `rotations` + i · `rotation_stride` bytes. So it may be an array of structures, or
// two arrays. Model space.
typedef struct KinescopePose {
    // Of the first bone.
    float *positions;
    // Of the first bone.
    float *rotations;
    // Bytes from one bone's position to the next one's; 0 where positions follow each other without a gap.
    size_t position_stride;
    // Bytes from one bone's rotation to the next one's; 0 where rotations follow each other without a gap.
    size_t rotation_stride;
    // How many bones.
    size_t count;
} KinescopePose;

// Parameters of the whole solver.
typedef struct KinescopeSolverSettings {
    // Master weight of the whole solve, 0 to 1.
    float weight;
    // Rounds of the main loop, 0 to 16.
    uint32_t iterations;
    // Whether limbs and torso pull each other; 0 is no.
    uint32_t fabrik_pass;
    // How much the torso's two diagonals resist being shortened, 0 to 1.
    float spine_stiffness;
    // How much hands that reach too far move the body up and down, -1 to 1.
    float pull_body_vertical;
    // How much hands that reach too far move the body over the ground, -1 to 1.
    float pull_body_horizontal;
    // Rounds of the spine's own FABRIK when the pose is written, from 1.
    uint32_t spine_iterations;
    // How much of the shoulders' twist is spread along the spine, 0 to 1.
    float spine_twist_weight;
    // How much the head keeps the rotation it has in the animation, 0 to 1.
    float head_maintain_rotation;
} KinescopeSolverSettings;

// Parameters of one limb.
typedef struct KinescopeChainSettings {
    // How strongly this limb pulls the torso, against the other limbs, 0 to 1.
    float pull;
    // How strongly the limb, when compressed, pushes its shoulder or hip away, 0 to 1.
    float push;
    // How much of the push is passed on to the body, -1 to 1.
    float push_parent;
    // A KinescopeSmoothing.
    uint32_t push_smoothing;
    // How far a nearly straight limb draws its shoulder or hip after the target, 0 to 1.
    float reach;
    // A KinescopeSmoothing.
    uint32_t reach_smoothing;
    // Whether reach is the same in every unit of length; 0 is no.
    uint32_t scale_free_reach;
    // How much bend goal or bend direction count against the natural direction, 0 to 1.
    float bend_weight;
    // Whether there is a bend goal; 0 is no.
    uint32_t has_bend_goal;
    // A point that elbow or knee turns to (a pole vector).
    struct KinescopeVec3 bend_goal;
    // Whether there is a bend direction; 0 is no. A goal wins.
    uint32_t has_bend_direction;
    // A direction for elbow or knee to point in, of any length but 0.
    struct KinescopeVec3 bend_direction;
    // Sine iterations that smooth the bend limit, 0 to 2.
    uint32_t clamp_smoothing;
    // How much of the solved limb is written to its bones, 0 to 1.
    float mapping_weight;
    // How much hand or foot keeps the rotation it has in the animation, 0 to 1.
    float maintain_rotation;
} KinescopeChainSettings;

// Parameters of one effector. Hand or foot is pinned by a position weight without a position.
typedef struct KinescopeEffectorSettings {
    // Whether there is a target; 0 is no: then it is the effector's own bone in the animated pose.
    uint32_t has_position;
    // The target.
    struct KinescopeVec3 position;
    // Whether there is a target rotation; 0 is no.
    uint32_t has_rotation;
    // The target rotation.
    struct KinescopeQuat rotation;
    // How much the effector draws its node to the target, 0 to 1.
    float position_weight;
    // How much hand or foot takes the effector's rotation, 0 to 1.
    float rotation_weight;
    // Added to the animated position for one frame: kinescope_settings_clear_offsets after the solve.
    struct KinescopeVec3 position_offset;
    // How much hand or foot, without position weight, goes along with the torso, 0 to 1.
    float maintain_relative_position;
} KinescopeEffectorSettings;

// All parameters of one solve: kinescope_settings_default fills them in.
typedef struct KinescopeSettings {
    // Those of the whole solver.
    struct KinescopeSolverSettings solver;
    // How much the body node resists the limbs' pull, 0 to 1.
    float pin;
    // By KinescopeLimb.
    struct KinescopeChainSettings chains[KINESCOPE_LIMBS];
    // By KinescopeEffector.
    struct KinescopeEffectorSettings effectors[KINESCOPE_EFFECTORS];
} KinescopeSettings;

// One of many characters.
typedef struct KinescopeTask {
    // Its solver; characters may share one.
    const struct KinescopeSolver *solver;
    // What is asked of it.
    const struct KinescopeSettings *settings;
    // Its animated pose, which becomes the solved one.
    struct KinescopePose pose;
    // Gets what it came to, as of kinescope_solve: a KinescopeStatus.
    int32_t status;
} KinescopeTask;

// One step of a solve.
typedef struct KinescopeStep {
    // The round of the main loop, from 0; -1 outside of it.
    int32_t iteration;
    // A KinescopeStage.
    uint32_t stage;
} KinescopeStep;

// The nodes after a step.
typedef struct KinescopeStepNodes {
    struct KinescopeStep step;
    struct KinescopeVec3 nodes[KINESCOPE_NODES];
} KinescopeStepNodes;

// One frame of one character.
typedef struct KinescopeFrame {
    // Of kinescope_game_add.
    uint32_t character;
    // The game's own number; negative counts on.
    int64_t frame;
    // Seconds; never goes back within a character.
    double time;
    // What the solver was asked for; NULL for the defaults.
    const struct KinescopeSettings *settings;
    // The pose that was handed to the solver.
    struct KinescopePose animated;
    // What the game's own solver came to; a count of 0 where it is not told.
    struct KinescopePose result;
    // Stages with the nodes after them; may be NULL.
    const struct KinescopeStepNodes *steps;
    // How many.
    size_t step_count;
} KinescopeFrame;

// A character's bones, as arrays: parents come before their children.
typedef struct KinescopeSkeleton {
    // How many bones.
    size_t count;
    // A name each; NULL where bones have none. A biped that is not given is found by them, and by the bones' places.
    const char *const *names;
    // Each bone's parent, by index; -1 for a root.
    const int32_t *parents;
    // The pose that the solver takes lengths and bend directions from: standing, arms out (T-pose, A-pose).
    struct KinescopePose reference;
} KinescopeSkeleton;

// One arm or leg: bones by index; `clavicle` is -1 where there is none.
typedef struct KinescopeLimbBones {
    // Between spine and upper arm; legs have none.
    int32_t clavicle;
    // Upper arm, forearm, hand; or thigh, calf, foot.
    int32_t bones[3];
} KinescopeLimbBones;

// Which bone plays which role, by index.
typedef struct KinescopeBiped {
    // The bone that carries spine and legs.
    int32_t pelvis;
    // From the bone next to the pelvis up; at least one.
    const int32_t *spine;
    // How many.
    size_t spine_count;
    // -1 where there is none.
    int32_t head;
    // The spine bone that is the solver's body node; -1 for the one that its place makes it.
    int32_t root_node;
    // By KinescopeLimb.
    struct KinescopeLimbBones limbs[KINESCOPE_LIMBS];
} KinescopeBiped;

// One node, moved once, and why.
typedef struct KinescopeMove {
    // A KinescopeNode.
    uint32_t node;
    // Where it was.
    struct KinescopeVec3 from;
    // Where it is then.
    struct KinescopeVec3 to;
    // Why, as in whole traces: `reach`, `child_constraint`. It is there for ever.
    const char *cause;
} KinescopeMove;

// Watches a solve. Either function may be NULL. Neither may throw, nor call this workspace.
typedef struct KinescopeObserver {
    // Handed to both.
    void *user;
    // After every step: KINESCOPE_NODES nodes.
    void (*stage)(void *user, struct KinescopeStep step, const struct KinescopeVec3 *nodes);
    // After every single move within a step.
    void (*moved)(void *user, struct KinescopeStep step, const struct KinescopeMove *moved);
} KinescopeObserver;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Why the last call of this thread that failed did: one line, UTF-8; empty if none has. It names the field, the bone or
// the line, and the cure. It is there until the next call of this thread.
const char *kinescope_last_error(void);

// Kinescope's version: `0.1.0`. It is there for ever.
const char *kinescope_version(void);

// Makes a grounder for a character; `grounding` is a KinescopeGrounding.
KinescopeStatus kinescope_grounder_new(const struct KinescopeSolver *solver,
                                       uint32_t grounding,
                                       struct KinescopeGrounder **out);

// Takes method, settings and weights from the section `grounding` of a preset: a text of JSON that ends with a zero. Without
// that section it is KINESCOPE_STATUS_NOTHING_TO_DO. Method `path` is the predictive one, without footprints of its own.
KinescopeStatus kinescope_grounder_preset(struct KinescopeGrounder *grounder,
                                          const char *json);

// Frees a grounder; NULL is none.
void kinescope_grounder_free(struct KinescopeGrounder *grounder);

// One frame, before the solve: looks for the ground under the animated pose and makes `driven`, the settings that put the
// feet there, from `settings`, the caller's own; they may be the same object only if the caller makes them anew in every frame.
//
// `root` is world from model: where the character is. `planted` are the left and the right foot's weights, 0 to 1, or NULL for
// 1 each: foot IK plants a foot by them. `dt` are the seconds since the last frame.
KinescopeStatus kinescope_ground(struct KinescopeGrounder *grounder,
                                 const struct KinescopeGround *ground,
                                 struct KinescopeTransform root,
                                 const struct KinescopePose *pose,
                                 const float *planted,
                                 float dt,
                                 const struct KinescopeSettings *settings,
                                 struct KinescopeSettings *driven);

// Makes what many solves work in.
KinescopeStatus kinescope_many_new(struct KinescopeMany **out);

// Frees it; NULL is none.
void kinescope_many_free(struct KinescopeMany *many);

// Solves many characters, as many side by side as a register has room for, on all processors. Each task gets its own status;
// one that cannot be solved keeps its pose, the others are solved. kinescope_last_error has the last of the reasons.
KinescopeStatus kinescope_solve_many(struct KinescopeMany *many,
                                     struct KinescopeTask *tasks,
                                     size_t count);

// Makes a game without characters; `producer` says who records, for people.
KinescopeStatus kinescope_game_new(const char *producer, struct KinescopeGame **out);

// Adds a character by a name of its own. `index`, which may be NULL, gets its number for frames.
KinescopeStatus kinescope_game_add(struct KinescopeGame *game,
                                   const char *name,
                                   const struct KinescopeSolver *solver,
                                   uint32_t *index);

// Frees a game; NULL is none. What was made from it goes on.
void kinescope_game_free(struct KinescopeGame *game);

// Begins a recording in a file, which is written over; `path` is UTF-8. Kinescope opens files
// that end in `.jsonl` as recordings.
KinescopeStatus kinescope_recorder_new(const struct KinescopeGame *game,
                                       const char *path,
                                       struct KinescopeRecorder **out);

// Records a frame.
KinescopeStatus kinescope_recorder_frame(struct KinescopeRecorder *recorder,
                                         const struct KinescopeFrame *frame);

// Says something of a moment; seconds.
KinescopeStatus kinescope_recorder_mark(struct KinescopeRecorder *recorder, const char *mark, double time);

// Ends a recording and frees the recorder, whatever comes of it; NULL is none.
KinescopeStatus kinescope_recorder_free(struct KinescopeRecorder *recorder);

// Begins to look for a listening window (`kinescope --listen`) at `address`, host:port; NULL for the one that a window has
// that was told none. It may be started before or after, and again: the sender calls by itself.
KinescopeStatus kinescope_sender_new(const struct KinescopeGame *game,
                                     const char *address,
                                     struct KinescopeSender **out);

// Hands a frame over. Never waits, and allocates nothing once warm. KINESCOPE_STATUS_NOTHING_TO_DO where it was let go, as the
// thread that sends had no room just then: it is counted.
KinescopeStatus kinescope_sender_send(struct KinescopeSender *sender,
                                      const struct KinescopeFrame *frame);

// Says something of a moment; seconds.
KinescopeStatus kinescope_sender_mark(struct KinescopeSender *sender, const char *mark, double time);

// What the window asks for while it tunes the game: a character, and all its parameters. KINESCOPE_STATUS_NOTHING_TO_DO where
// nothing new has come; call it until then.
KinescopeStatus kinescope_sender_tuned(struct KinescopeSender *sender,
                                       uint32_t *character,
                                       struct KinescopeSettings *settings);

// 1 where a window listens, else 0.
int32_t kinescope_sender_is_connected(const struct KinescopeSender *sender);

// Frames that went out.
uint64_t kinescope_sender_sent(const struct KinescopeSender *sender);

// Frames that never will: the oldest of too many, or on their way when the connection broke.
uint64_t kinescope_sender_dropped(const struct KinescopeSender *sender);

// Frees a sender; NULL is none. What still waits is sent first if somebody listens, which may take seconds.
void kinescope_sender_free(struct KinescopeSender *sender);

// Fills in the defaults.
KinescopeStatus kinescope_settings_default(struct KinescopeSettings *settings);

// Reads a preset, as the window saves it: a text of JSON that ends with a zero.
KinescopeStatus kinescope_settings_from_preset(const char *json, struct KinescopeSettings *settings);

// Writes a preset for the window to open: JSON that ends with a zero, into a buffer of `capacity` bytes. `needed`, which may
// be NULL, gets the bytes that it takes with its zero; where there are fewer (NULL and 0 are a question) nothing is
// written and it is KINESCOPE_STATUS_NOTHING_TO_DO.
KinescopeStatus kinescope_settings_to_preset(const struct KinescopeSettings *settings,
                                             char *buffer,
                                             size_t capacity,
                                             size_t *needed);

// Whether every number is in its range; a solve takes more than that, but a preset does not.
KinescopeStatus kinescope_settings_validate(const struct KinescopeSettings *settings);

// Clears the offsets, which are meant for one frame.
KinescopeStatus kinescope_settings_clear_offsets(struct KinescopeSettings *settings);

// Makes the solver of a character. `biped` says which bone plays which role; where it is NULL it is found from the bones'
// names and places.
KinescopeStatus kinescope_solver_new(const struct KinescopeSkeleton *skeleton,
                                     const struct KinescopeBiped *biped,
                                     struct KinescopeSolver **out);

// Frees a solver; NULL is none. What was made from it goes on.
void kinescope_solver_free(struct KinescopeSolver *solver);

// The bone of a role, by its name as in presets: `pelvis`, `head`, `left_upper_arm`, ...; of `spine` the first. -1 if there is
// none.
int32_t kinescope_solver_bone_of(const struct KinescopeSolver *solver,
                                 const char *role);

// The bones that a solve turns or moves itself; all others hang on them as in the animated pose. Writes the first
// `capacity` of their indices to `bones`, which may be NULL if that is 0. Returns how many there are.
size_t kinescope_solver_written_bones(const struct KinescopeSolver *solver,
                                      int32_t *bones,
                                      size_t capacity);

// Makes a workspace for a solver. It solves for every solver that has the same skeleton and biped.
KinescopeStatus kinescope_workspace_new(const struct KinescopeSolver *solver,
                                        struct KinescopeWorkspace **out);

// Frees a workspace; NULL is none.
void kinescope_workspace_free(struct KinescopeWorkspace *workspace);

// One whole solve: `pose` is the animated pose and becomes the solved one. Allocates nothing. What cannot be solved with
// leaves the pose as it is, bit for bit; so does a master weight of 0.
KinescopeStatus kinescope_solve(const struct KinescopeSolver *solver,
                                struct KinescopeWorkspace *workspace,
                                const struct KinescopeSettings *settings,
                                const struct KinescopePose *pose);

// The written bones of a solved pose, each relative to its parent, or to the model where it has none: what an engine with
// local transforms sets. In the order of kinescope_solver_written_bones, `capacity` of them at most; returns how many there
// are; 0 where the last solve in this workspace did not go well.
size_t kinescope_locals(const struct KinescopeSolver *solver,
                        const struct KinescopeWorkspace *workspace,
                        struct KinescopeTransform *locals,
                        size_t capacity);

// The name of a node, an effector, a limb or a stage by number, as in files: `left_hand`. What it names is `kind`: `node`,
// `effector`, `limb`, `stage`. NULL if there is none; else it is there for ever.
const char *kinescope_name_of(const char *kind,
                              uint32_t number);

// Begins a solve in steps: reads the animated pose. Then kinescope_step until there is none, then kinescope_end; what lies
// between them is the caller's, so that a debugger steps and a game hooks in. It is the same solve as kinescope_solve.
KinescopeStatus kinescope_begin(const struct KinescopeSolver *solver,
                                struct KinescopeWorkspace *workspace,
                                const struct KinescopeSettings *settings,
                                const struct KinescopePose *pose);

// Does the next step, and says which it was; `done` may be NULL. KINESCOPE_STATUS_NOTHING_TO_DO after the last.
KinescopeStatus kinescope_step(struct KinescopeWorkspace *workspace,
                               struct KinescopeStep *done);

// Where the nodes are: KINESCOPE_NODES of them.
KinescopeStatus kinescope_nodes(struct KinescopeWorkspace *workspace, struct KinescopeVec3 *nodes);

// Moves a node (a KinescopeNode) between two steps.
KinescopeStatus kinescope_set_node(struct KinescopeWorkspace *workspace,
                                   uint32_t node,
                                   struct KinescopeVec3 position);

// Ends a solve in steps: writes the nodes to the bones of `pose`.
KinescopeStatus kinescope_end(const struct KinescopeSolver *solver,
                              struct KinescopeWorkspace *workspace,
                              const struct KinescopePose *pose);

// kinescope_solve, watched.
KinescopeStatus kinescope_solve_observed(const struct KinescopeSolver *solver,
                                         struct KinescopeWorkspace *workspace,
                                         const struct KinescopeSettings *settings,
                                         const struct KinescopePose *pose,
                                         const struct KinescopeObserver *observer);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* KINESCOPE_H */
