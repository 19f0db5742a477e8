// A game with one character in C++17, in an engine with left-handed axes and centimetres: every layer of a preset in one call, feet
// on stairs, frames to a listening window. Objects of the library are held by unique_ptr.
//
//     c++ -std=c++17 -Iinclude examples/walk.cpp target/release/libkinescope.a -lpthread -ldl -lm -o walk
//     ./walk session.jsonl 127.0.0.1:7468
#include "kinescope.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ik {

template <typename T, void (*Free)(T *)>
struct Deleter {
    void operator()(T *own) const noexcept { Free(own); }
};

template <typename T, void (*Free)(T *)>
using Handle = std::unique_ptr<T, Deleter<T, Free>>;

inline KinescopeStatus check(KinescopeStatus status)
{
    if (status < KINESCOPE_STATUS_DONE) {
        throw std::runtime_error(kinescope_last_error());
    }
    return status;
}

/// Calls a `_new` function, which hands the object over in its last argument.
template <typename H, typename New, typename... Arguments>
H make(New new_object, Arguments... arguments)
{
    typename H::pointer own = nullptr;
    check(new_object(arguments..., &own));
    return H(own);
}

using Solver = Handle<KinescopeSolver, kinescope_solver_free>;
using Stack = Handle<KinescopeStack, kinescope_stack_free>;
using Chain = Handle<KinescopeChain, kinescope_chain_free>;
using Game = Handle<KinescopeGame, kinescope_game_free>;
using Sender = Handle<KinescopeSender, kinescope_sender_free>;

inline void free_recorder(KinescopeRecorder *own) { (void)kinescope_recorder_free(own); }
using Recorder = Handle<KinescopeRecorder, free_recorder>;

}  // namespace ik

namespace {

struct Bone {
    std::array<float, 3> position;
    std::array<float, 4> rotation;
};

using Bones = std::vector<Bone>;

KinescopePose pose_of(Bones &bones)
{
    return { bones[0].position.data(), bones[0].rotation.data(), sizeof(Bone), sizeof(Bone), bones.size() };
}

struct Named {
    const char *name;
    std::int32_t parent;
    std::array<float, 3> place;
};

// In the engine: left-handed, +Y up, facing +Z, centimetres. So the left side is at -X.
constexpr std::array<Named, 16> person = { {
    { "pelvis", -1, { 0, 100, 0 } }, { "spine", 0, { 0, 115, 0 } }, { "chest", 1, { 0, 135, -1 } }, { "head", 2, { 0, 160, 0 } },
    { "left upper arm", 2, { -18, 146, 0 } }, { "left forearm", 4, { -44, 142, -3 } }, { "left hand", 5, { -68, 141, 4 } },
    { "right upper arm", 2, { 18, 146, 0 } }, { "right forearm", 7, { 44, 142, -3 } }, { "right hand", 8, { 68, 141, 4 } },
    { "left thigh", 0, { -10, 95, 0 } }, { "left calf", 10, { -11, 52, 5 } }, { "left foot", 11, { -11, 9, -2 } },
    { "right thigh", 0, { 10, 95, 0 } }, { "right calf", 13, { 11, 52, 5 } }, { "right foot", 14, { 11, 9, -2 } },
} };
constexpr std::size_t left_foot = 12, right_foot = 15, left_hand = 6;

Bones standing()
{
    Bones bones;
    for (const Named &own : person) {
        bones.push_back({ own.place, { 0, 0, 0, 1 } });
    }
    return bones;
}

/// Stairs in the library's space: 8 cm high, 60 cm deep.
float height(float z) { return z < 0.47F ? 0.0F : 0.08F * std::floor((z - 0.47F) / 0.6F + 1); }

/// Casts of every shape, straight down; spheres and capsules as the rays of their lowest points.
std::int32_t cast(void *user, const KinescopeCast *own, KinescopeHit *hit)
{
    *static_cast<int *>(user) += 1;
    if (own->direction.y > -0.5F) {
        return 0;
    }
    float highest = height(own->from.z);
    for (const float aside : { -own->radius, own->radius }) {
        highest = std::max({ highest, height(own->from.z + 0.9F * aside), height(own->from.z + own->along.z + 0.9F * aside) });
    }
    const float distance = std::max((own->from.y - own->radius - highest) / -own->direction.y, 0.0F);
    if (distance > own->distance) {
        return 0;
    }
    hit->point = { own->from.x, highest, own->from.z };
    hit->normal = { 0, 1, 0 };
    hit->distance = distance;
    return 1;
}

int play(const char *recording, const char *address)
{
    KinescopeSpace space;
    ik::check(kinescope_space_of(KINESCOPE_ENGINE_AXES_LEFT_HANDED_Y_UP, 0.01F, &space));

    std::vector<const char *> names;
    std::vector<std::int32_t> parents;
    for (const Named &own : person) {
        names.push_back(own.name);
        parents.push_back(own.parent);
    }
    Bones reference = standing();
    const KinescopePose reference_pose = pose_of(reference);
    ik::check(kinescope_space_pose_in(&space, &reference_pose));
    const KinescopeSkeleton skeleton = { names.size(), names.data(), parents.data(), reference_pose };
    const auto solver = ik::make<ik::Solver>(kinescope_solver_new, &skeleton, nullptr);
    const auto stack = ik::make<ik::Stack>(kinescope_stack_new, solver.get());
    const std::string preset = R"({ "format": "kinescope-preset", "version": 1,
        "grounding": { "method": "predictive", "predictive": { "foot_radius": 0.075 }, "lock": { "on": true } },
        "modifiers": [ { "breathing": {} }, { "recoil": { "kick": 0.1 } } ] })";
    ik::check(kinescope_stack_from_preset(stack.get(), preset.c_str()));
    const auto left_leg = ik::make<ik::Chain>(kinescope_chain_new_of_bones, solver.get(), 10, 12);
    const auto right_leg = ik::make<ik::Chain>(kinescope_chain_new_of_bones, solver.get(), 13, 15);

    const auto game = ik::make<ik::Game>(kinescope_game_new, "a walk in C++");
    ik::check(kinescope_game_add(game.get(), "player", solver.get(), nullptr));
    auto recorder = ik::make<ik::Recorder>(kinescope_recorder_new, game.get(), recording);
    const auto sender = ik::make<ik::Sender>(kinescope_sender_new, game.get(), address);

    KinescopeSettings settings;
    ik::check(kinescope_settings_default(&settings));
    KinescopeChainIkSettings two_bones;
    ik::check(kinescope_chain_settings_default(&two_bones));
    two_bones.solver = KINESCOPE_CHAIN_SOLVER_TWO_BONE;
    two_bones.has_bend_goal = 1;
    two_bones.bend_goal = { 0, 0.5F, 2 };

    int casts = 0;
    const KinescopeGround ground = { &casts, nullptr, cast };
    float worst = 0, sum = 0, farthest = 0;
    int count = 0;
    std::array<int, 2> stood = { 0, 0 };
    int frames = 0;
    for (; frames < 180; ++frames) {
        const float time = static_cast<float>(frames) / 60;
        KinescopeGroundFrame frame;
        ik::check(kinescope_ground_frame_default(&frame));
        // The engine moves the character up evenly, not by steps.
        frame.root.position = { 0, std::max(time - 0.2F, 0.0F) * 0.08F / 0.6F, time };
        frame.dt = 1.0F / 60;

        // The engine's animation, in its own space; then in the library's. The hips are 5 cm lower, so that a leg reaches
        // 25 cm forward.
        Bones bones = standing();
        for (Bone &bone : bones) {
            bone.position[1] -= 5;
        }
        const KinescopePose pose = pose_of(bones);
        ik::check(kinescope_space_pose_in(&space, &pose));
        for (std::size_t side = 0; side < 2; ++side) {
            const float cycle = time + 0.5F * static_cast<float>(side), phase = cycle - std::floor(cycle);
            const bool stands = phase < 0.5F;
            const float part = stands ? 2 * phase : 2 * phase - 1;
            const float z = stands ? 0.25F - 0.5F * part : 0.5F * part - 0.25F;
            const float up = stands ? 0 : 0.15F * std::sin(3.14159265F * part);
            const KinescopeGoal goal = { 0, { side == 0 ? 0.1F : -0.1F, 0.09F + up, z }, 1 };
            frame.planted[side] = stands ? 1.0F : 0.0F;
            const auto &leg = side == 0 ? left_leg : right_leg;
            ik::check(kinescope_chain_solve_pose(leg.get(), &two_bones, &goal, 1, &pose, nullptr));
            // The foot followed the calf and is made level again.
            bones[side == 0 ? left_foot : right_foot].rotation = { 0, 0, 0, 1 };
        }
        // The game's target for a hand, in the engine's space: a lamp to the left.
        KinescopeVec3 lamp = { -40, 150, 40 };
        ik::check(kinescope_space_positions_in(&space, &lamp, 1));
        KinescopeEffectorSettings &hand = settings.effectors[KINESCOPE_EFFECTOR_LEFT_HAND];
        hand.has_position = 1;
        hand.position = lamp;
        hand.position_weight = 1;
        ik::check(kinescope_stack_set_settings(stack.get(), &settings));
        if (frames == 60) {
            ik::check(kinescope_stack_trigger(stack.get(), 1));
        }
        Bones animated = bones;
        ik::check(kinescope_stack_solve(stack.get(), &ground, &frame, time, &pose));

        KinescopeFrame sent = {};
        sent.frame = frames;
        sent.time = time;
        sent.settings = &settings;
        sent.animated = pose_of(animated);
        sent.result = pose;
        ik::check(kinescope_recorder_frame(recorder.get(), &sent));
        ik::check(kinescope_sender_send(sender.get(), &sent));

        for (std::size_t side = 0; side < 2; ++side) {
            const auto &foot = bones[side == 0 ? left_foot : right_foot].position;
            const float at = frame.root.position.y + foot[1] - 0.09F;
            const float z = frame.root.position.z + foot[2];
            // How deep a foot is in its step, and how far a planted sole is from the highest step below heel and toes.
            worst = std::min(worst, at - height(z));
            stood[side] = frame.planted[side] > 0.5F ? stood[side] + 1 : 0;
            if (stood[side] > 10) {
                sum += std::abs(at - std::max(height(z), height(z + 0.15F)));
                count += 1;
            }
        }
        const auto &found = bones[left_hand].position;
        if (frames < 60) {
            farthest = std::max(farthest, std::hypot(found[0] - lamp.x, found[1] - lamp.y, found[2] - lamp.z));
        }
        // Back in the engine's space, where the engine takes the pose.
        ik::check(kinescope_space_pose_out(&space, &pose));
        if (bones[left_hand].position[0] > 0 || bones[left_hand].position[1] < 50) {
            throw std::runtime_error("the left hand is not at the engine's left, in centimetres");
        }
    }
    std::printf("%d frames, %d casts in each: no foot is deeper than %.0f mm in a step; planted soles are off their step by %.1f mm on average; the "
                "hand is within %.0f mm of the lamp\n",
        frames, casts / frames, static_cast<double>(-worst) * 1000, static_cast<double>(sum / static_cast<float>(count)) * 1000, static_cast<double>(farthest) * 1000);
    if (worst < -0.03F || sum > 0.003F * static_cast<float>(count) || farthest > 0.02F) {
        throw std::runtime_error("feet or hand are off");
    }
    return ik::check(kinescope_recorder_free(recorder.release())) == KINESCOPE_STATUS_DONE ? 0 : 1;
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc != 3 || !kinescope_abi_matches()) {
        std::fprintf(stderr, "%s RECORDING ADDRESS, with the library of the header\n", argv[0]);
        return 2;
    }
    try {
        return play(argv[1], argv[2]);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
