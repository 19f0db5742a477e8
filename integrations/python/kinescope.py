"""Kinescope from Python: full-body inverse kinematics, step by step.

One file without a build step. It loads Kinescope's C library, which `cargo build --release` in `integrations/c` builds, from the
path in the environment variable KINESCOPE_LIBRARY, from this file's folder, from `../c/target/release` or from
`../c/target/debug`.

    import kinescope

    solver = kinescope.Solver(names, parents, reference)   # the biped is detected from names and positions, or given
    settings = kinescope.Settings()
    settings.effector("left_hand").aim((0.5, 1.3, 0.45))
    pose = solver.solve(animated, settings)
    for step in solver.steps(animated, settings):
        print(step.iteration, step.stage, step.nodes["left_hand"])

A pose is a list of bones, each of seven numbers: position (x, y, z) and rotation (x, y, z, w), a unit quaternion. A NumPy array
of seven columns works too. A quaternion whose length is from 0.99 to 1.01 is normalized. Coordinates are in model space,
right-handed, +Y up. Invalid input raises `kinescope.Error` with the reason and changes nothing.
"""

import ctypes
import os
import sys
import threading
from ctypes import POINTER, byref, c_char_p, c_double, c_float, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import NamedTuple

IDENTITY = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
"""The transform of a bone at the origin without rotation."""

DONE, NOTHING_TO_DO = 0, 1


class Error(Exception):
    """A call failed. The message has the reason; `status` is the C library's status, below 0."""

    def __init__(self, status, why):
        super().__init__(why)
        self.status = status


class _Fields(ctypes.Structure):
    """A structure that rejects unknown fields and whole numbers out of range."""

    def __init_subclass__(cls):
        cls._kinds = dict(cls._fields_)

    def __setattr__(self, name, value):
        kind = self._kinds.get(name)
        if kind is None:
            raise AttributeError(f"{name!r} is not a field of {type(self).__name__}; its fields are {', '.join(self._kinds)}")
        if kind is c_uint32 and not 0 <= value < 1 << 32:
            raise ValueError(f"{name} is {value}; the allowed range is 0 to 4294967295")
        super().__setattr__(name, value)


class Vec3(_Fields):
    """Three numbers."""

    _fields_ = [("x", c_float), ("y", c_float), ("z", c_float)]

    def __iter__(self):
        return iter((self.x, self.y, self.z))

    def __repr__(self):
        return f"({self.x:g}, {self.y:g}, {self.z:g})"


class Quat(_Fields):
    """A rotation: a unit quaternion."""

    _fields_ = [("x", c_float), ("y", c_float), ("z", c_float), ("w", c_float)]

    def __iter__(self):
        return iter((self.x, self.y, self.z, self.w))


def _numbers(kind, of):
    numbers, count = list(of), len(kind._fields_)
    if len(numbers) != count:
        raise ValueError(f"{numbers} has {len(numbers)} numbers; a {kind.__name__} has {count}")
    return kind(*numbers)


class _ChainMethods:
    def bend_to(self, goal, weight=1.0):
        """Turns elbow or knee towards a point in model space (a pole vector)."""
        self.has_bend_goal, self.bend_goal, self.bend_weight = 1, _numbers(Vec3, goal), weight


class _EffectorMethods:
    def aim(self, position, weight=1.0):
        """Sets a target position in model space."""
        self.has_position, self.position, self.position_weight = 1, _numbers(Vec3, position), weight

    def turn(self, rotation, weight=1.0):
        """Sets a target rotation in model space, a quaternion (x, y, z, w)."""
        self.has_rotation, self.rotation, self.rotation_weight = 1, _numbers(Quat, rotation), weight


class _SettingsMethods:
    def __init__(self):
        """Sets all parameters to their defaults."""
        super().__init__()
        _call("kinescope_settings_default", byref(self))

    @classmethod
    def from_preset(cls, json):
        """Returns the settings of a preset, given as JSON text."""
        settings = cls()
        _call("kinescope_settings_from_preset", _text(json), byref(settings))
        return settings

    def to_preset(self):
        """Returns a preset as JSON text, which the window opens."""
        needed = c_size_t()
        _call("kinescope_settings_to_preset", byref(self), None, 0, byref(needed))
        buffer = ctypes.create_string_buffer(needed.value)
        _call("kinescope_settings_to_preset", byref(self), buffer, needed, None)
        return buffer.value.decode()

    def effector(self, name):
        """Returns the parameters of an effector: `settings.effector("left_hand").aim((0.5, 1.3, 0.4))`."""
        return self.effectors[_index(EFFECTORS, name, "effector")]

    def chain(self, name):
        """Returns the parameters of a limb: `settings.chain("left_arm").pull = 0.5`."""
        return self.chains[_index(LIMBS, name, "limb")]

    def validate(self):
        """Raises `Error` for the first number that is out of its range."""
        _call("kinescope_settings_validate", byref(self))

    def clear_offsets(self):
        """Clears the offsets, which apply to one frame."""
        _call("kinescope_settings_clear_offsets", byref(self))


# Generated from the tables of kinescope-ik; do not edit. To generate again: KINESCOPE_WRITE_MIRRORS=1 cargo test -p kinescope-ik --test library mirrors
NODES = (
    # The middle of the torso: the bone of Biped.root_node.
    "body",
    # The left shoulder joint.
    "left_upper_arm",
    # The left elbow.
    "left_forearm",
    # The left wrist.
    "left_hand",
    # The right shoulder joint.
    "right_upper_arm",
    # The right elbow.
    "right_forearm",
    # The right wrist.
    "right_hand",
    # The left hip joint.
    "left_thigh",
    # The left knee.
    "left_calf",
    # The left ankle.
    "left_foot",
    # The right hip joint.
    "right_thigh",
    # The right knee.
    "right_calf",
    # The right ankle.
    "right_foot",
)
"""The 13 points that a solve moves: one of the body, and three of each limb."""
EFFECTORS = (
    # On the node `body`; moves both thighs too.
    "body",
    # On the left upper arm's node.
    "left_shoulder",
    # On the right upper arm's node.
    "right_shoulder",
    # On the left thigh's node.
    "left_thigh",
    # On the right thigh's node.
    "right_thigh",
    # An end effector: on the left hand.
    "left_hand",
    # An end effector: on the right hand.
    "right_hand",
    # An end effector: on the left foot.
    "left_foot",
    # An end effector: on the right foot.
    "right_foot",
)
"""The effectors (IK goals), in the order of the settings."""
LIMBS = (
    # From the left upper arm to the hand.
    "left_arm",
    # From the right upper arm to the hand.
    "right_arm",
    # From the left thigh to the foot.
    "left_leg",
    # From the right thigh to the foot.
    "right_leg",
)
"""The limbs, in the order of the settings."""
STAGES = (
    # Reads the animated pose into the nodes.
    "read",
    # Moves hands and feet to their targets.
    "end_effectors",
    # Lets compressed limbs push their first node and the body away.
    "push",
    # Lets nearly straight limbs draw their first node towards the target.
    "reach",
    # Moves body, shoulders and thighs towards their targets.
    "body_effectors",
    # Places elbows and knees by the lengths of their bones.
    "trigonometric",
    # Forward reach of FABRIK: every limb from its end, then the body.
    "stage1",
    # Moves body, shoulders and thighs towards their targets once more.
    "body_effectors_again",
    # Backward reach of FABRIK: the torso's constraints, then every limb from its root.
    "stage2",
    # Moves hands and feet to their targets a last time.
    "final_effectors",
    # Turns elbows and knees to their bend direction.
    "bend",
)
"""The stages of a solve, named as in traces."""
PARTS = (
    # Pelvis, spine and chest.
    "spine",
    # The head.
    "head",
    # The left clavicle and arm.
    "left_arm",
    # The right clavicle and arm.
    "right_arm",
    # The left leg.
    "left_leg",
    # The right leg.
    "right_leg",
)
"""The parts of the body, in the order in which a solve writes them to the bones; named as in traces."""
SMOOTHINGS = (
    # Linear: the force is unchanged.
    "none",
    # Squared, the default; called exponential in the source.
    "exponential",
    # Cubed.
    "cubic",
)
"""The functions by which push and reach weaken a small force."""


class SolverSettings(_Fields):
    """Parameters of the whole solver."""

    _fields_ = [
        # Master weight of the solve: scales all weights and offsets of effectors, and the bend weights. From 0 to 1, by default 1.
        ("weight", c_float),
        # Iterations of the main loop: push, reach, trigonometric, stage 1, stage 2. From 0 to 16, by default 4.
        ("iterations", c_uint32),
        # Whether limbs and torso pull each other. 0 means no.
        ("fabrik_pass", c_uint32),
        # How much the torso's two diagonals resist shortening. From 0 to 1, by default 0.5.
        ("spine_stiffness", c_float),
        # How much hands that reach too far move the body up and down. From -1 to 1, by default 0.5.
        ("pull_body_vertical", c_float),
        # How much hands that reach too far move the body over the ground. From -1 to 1, by default 0.
        ("pull_body_horizontal", c_float),
        # FABRIK iterations of the spine when the pose is written. From 1 to 65535, by default 3.
        ("spine_iterations", c_uint32),
        # How much of the shoulders' twist is spread along the spine. From 0 to 1, by default 1.
        ("spine_twist_weight", c_float),
        # How much the head keeps the rotation it has in the animation. From 0 to 1, by default 0.
        ("head_maintain_rotation", c_float),
    ]


class ChainSettings(_ChainMethods, _Fields):
    """Parameters of one limb."""

    _fields_ = [
        # How strongly this limb pulls the torso, relative to the other limbs. From 0 to 1, by default 1.
        ("pull", c_float),
        # How strongly the limb, when compressed, pushes its shoulder or hip away. From 0 to 1, by default 0.
        ("push", c_float),
        # How much of the push moves the body. From -1 to 1, by default 0.
        ("push_parent", c_float),
        # Smoothing of the push. A number of SMOOTHINGS.
        ("push_smoothing", c_uint32),
        # How far a nearly straight limb draws its shoulder or hip towards the target. From 0 to 1, by default 0.1.
        ("reach", c_float),
        # Smoothing of the reach. A number of SMOOTHINGS.
        ("reach_smoothing", c_uint32),
        # Whether reach is the same in every unit of length: limited by the limb's stretch, not its length. 0 means no.
        ("scale_free_reach", c_uint32),
        # Weight of the bend goal (pole vector) or bend direction against the natural bend direction. From 0 to 1, by default 0.
        ("bend_weight", c_float),
        # Whether `bend_goal` is set. 0 means no.
        ("has_bend_goal", c_uint32),
        # Point in model space that elbow or knee turns to, also called pole vector or pole target.
        ("bend_goal", Vec3),
        # Whether `bend_direction` is set. 0 means no.
        ("has_bend_direction", c_uint32),
        # Direction in model space that elbow or knee points in, of any length but 0. A bend goal takes precedence.
        ("bend_direction", Vec3),
        # Number of sine iterations that smooth the bend limit (clampSmoothing in the source). From 0 to 2, by default 0.
        ("clamp_smoothing", c_uint32),
        # How much of the solved limb is written to its bones. From 0 to 1, by default 1.
        ("mapping_weight", c_float),
        # How much hand or foot keeps its animated rotation. From 0 to 1, by default 0.
        ("maintain_rotation", c_float),
    ]


class EffectorSettings(_EffectorMethods, _Fields):
    """Parameters of one effector. A position weight without a position pins hand or foot to its animated position."""

    _fields_ = [
        # Whether `position` is set. 0 means the position of the effector's bone in the input pose.
        ("has_position", c_uint32),
        # Target in model space.
        ("position", Vec3),
        # Whether `rotation` is set. 0 means the rotation of the effector's bone in the input pose.
        ("has_rotation", c_uint32),
        # Target rotation in model space.
        ("rotation", Quat),
        # How strongly the effector moves its node to the target. From 0 to 1, by default 0.
        ("position_weight", c_float),
        # How much hand or foot takes the target rotation; elbow or knee turns accordingly. From 0 to 1, by default 0.
        ("rotation_weight", c_float),
        # Offset added to the animated position for one frame, in model space.
        ("position_offset", Vec3),
        # How much hand or foot, at position weight 0, follows the torso. From 0 to 1, by default 0.
        ("maintain_relative_position", c_float),
    ]


class Settings(_SettingsMethods, _Fields):
    """All parameters of one solve."""

    _fields_ = [
        # Settings of the whole solver.
        ("solver", SolverSettings),
        # How much the body node resists the limbs' pull in stage 1. From 0 to 1, by default 0.
        ("pin", c_float),
        # Indexed by LIMBS.
        ("chains", ChainSettings * len(LIMBS)),
        # Indexed by EFFECTORS.
        ("effectors", EffectorSettings * len(EFFECTORS)),
    ]


# End of the generated part.


class Step(NamedTuple):
    """A step of a solve and its result."""

    iteration: "int | None"
    """The iteration of the main loop, from 0; None outside of it."""
    stage: str
    """One of STAGES."""
    nodes: dict
    """The nodes' positions after the step, by name."""
    moves: list
    """Each `Move` within the step."""


class Move(NamedTuple):
    """A single move of one node."""

    node: str
    start: tuple
    end: tuple
    cause: str
    """The cause: `reach`, `child_constraint`."""


class _Pose(ctypes.Structure):
    _fields_ = [
        ("positions", c_void_p),
        ("rotations", c_void_p),
        ("position_stride", c_size_t),
        ("rotation_stride", c_size_t),
        ("count", c_size_t),
    ]


class _Limb(ctypes.Structure):
    _fields_ = [("clavicle", c_int32), ("bones", c_int32 * 3)]


class _Biped(ctypes.Structure):
    _fields_ = [
        ("pelvis", c_int32),
        ("spine", POINTER(c_int32)),
        ("spine_count", c_size_t),
        ("head", c_int32),
        ("root_node", c_int32),
        ("limbs", _Limb * len(LIMBS)),
    ]


class _Skeleton(ctypes.Structure):
    _fields_ = [("count", c_size_t), ("names", POINTER(c_char_p)), ("parents", POINTER(c_int32)), ("reference", _Pose)]


class _Step(ctypes.Structure):
    _fields_ = [("iteration", c_int32), ("stage", c_uint32)]


class _StepNodes(ctypes.Structure):
    _fields_ = [("step", _Step), ("nodes", Vec3 * len(NODES))]


class _Move(ctypes.Structure):
    _fields_ = [("node", c_uint32), ("start", Vec3), ("end", Vec3), ("cause", c_char_p)]


_ON_STAGE = ctypes.CFUNCTYPE(None, c_void_p, _Step, POINTER(Vec3))
_ON_MOVE = ctypes.CFUNCTYPE(None, c_void_p, _Step, POINTER(_Move))


class _Observer(ctypes.Structure):
    _fields_ = [("user", c_void_p), ("stage", _ON_STAGE), ("moved", _ON_MOVE)]


class _Frame(ctypes.Structure):
    _fields_ = [
        ("character", c_uint32),
        ("frame", c_int64),
        ("time", c_double),
        ("settings", POINTER(Settings)),
        ("animated", _Pose),
        ("result", _Pose),
        ("steps", POINTER(_StepNodes)),
        ("step_count", c_size_t),
        ("writes", c_void_p),
        ("write_count", c_size_t),
    ]


def _candidates():
    here = os.path.dirname(os.path.abspath(__file__))
    name = {"win32": "kinescope.dll", "darwin": "libkinescope.dylib"}.get(sys.platform, "libkinescope.so")
    if "KINESCOPE_LIBRARY" in os.environ:
        return [os.environ["KINESCOPE_LIBRARY"]]
    built = os.path.join(here, "..", "c", "target")
    return [os.path.join(folder, name) for folder in (here, *(os.path.join(built, p) for p in ("release", "debug")))]


def _load():
    found = [path for path in _candidates() if os.path.exists(path)]
    if not found:
        looked = ", ".join(_candidates())
        raise ImportError(f"Kinescope's library was not found in {looked}. Build it: `cargo build --release` in integrations/c")
    library = ctypes.CDLL(found[0])
    library.kinescope_last_error.restype = c_char_p
    library.kinescope_version.restype = c_char_p
    for name in ("solver", "workspace", "game", "sender"):
        free = getattr(library, f"kinescope_{name}_free")
        free.argtypes, free.restype = [c_void_p], None
    library.kinescope_recorder_free.argtypes = [c_void_p]
    library.kinescope_name_of.argtypes, library.kinescope_name_of.restype = [c_char_p, c_uint32], c_char_p
    library.kinescope_solver_bone_of.argtypes = [c_void_p, c_char_p]
    library.kinescope_solver_written_bones.argtypes = [c_void_p, POINTER(c_int32), c_size_t]
    library.kinescope_solver_written_bones.restype = c_size_t
    library.kinescope_sender_is_connected.argtypes = [c_void_p]
    for name in ("sent", "dropped"):
        count = getattr(library, f"kinescope_sender_{name}")
        count.argtypes, count.restype = [c_void_p], c_uint64
    arguments = {
        "kinescope_settings_default": [c_void_p],
        "kinescope_settings_from_preset": [c_char_p, c_void_p],
        "kinescope_settings_to_preset": [c_void_p, c_char_p, c_size_t, c_void_p],
        "kinescope_settings_validate": [c_void_p],
        "kinescope_settings_clear_offsets": [c_void_p],
        "kinescope_solver_new": [c_void_p, c_void_p, c_void_p],
        "kinescope_workspace_new": [c_void_p, c_void_p],
        "kinescope_solve": [c_void_p] * 4,
        "kinescope_solve_observed": [c_void_p] * 5,
        "kinescope_game_new": [c_char_p, c_void_p],
        "kinescope_game_add": [c_void_p, c_char_p, c_void_p, c_void_p],
        "kinescope_recorder_new": [c_void_p, c_char_p, c_void_p],
        "kinescope_recorder_frame": [c_void_p, c_void_p],
        "kinescope_recorder_mark": [c_void_p, c_char_p, c_double],
        "kinescope_sender_new": [c_void_p, c_char_p, c_void_p],
        "kinescope_sender_send": [c_void_p, c_void_p],
        "kinescope_sender_mark": [c_void_p, c_char_p, c_double],
        "kinescope_sender_tuned": [c_void_p, c_void_p, c_void_p],
    }
    for name, types in arguments.items():
        getattr(library, name).argtypes = types
    return library


_library = _load()
VERSION = _library.kinescope_version().decode()
"""The library's version."""


def _call(name, *arguments):
    status = getattr(_library, name)(*arguments)
    if status < 0:
        raise Error(status, _library.kinescope_last_error().decode())
    return status


def _text(text):
    if not isinstance(text, (str, os.PathLike)):
        raise TypeError(f"{text!r} is not a text")
    text = os.fsencode(text) if isinstance(text, os.PathLike) else text.encode()
    if b"\0" in text:
        raise ValueError(f"{text!r} contains a zero, which ends a text in C")
    return text


def _of(settings):
    if not isinstance(settings, Settings):
        raise TypeError(f"{settings!r} is not a kinescope.Settings")
    return settings


def _bone(index, count, what):
    """Returns a bone's index for C: -1 for None."""
    if index is None:
        return -1
    if not -1 <= index < count:
        raise ValueError(f"{what} is {index}; the allowed range is 0 to {count - 1}")
    return index


def _index(names, name, what):
    if name not in names:
        raise ValueError(f"{name!r} is not a known {what}; known are {', '.join(names)}")
    return names.index(name)


def _floats(pose):
    """Returns a pose as the C library's array, seven numbers a bone."""
    bones = [[float(number) for number in bone] for bone in pose]
    for index, bone in enumerate(bones):
        if len(bone) != 7:
            raise ValueError(f"bone {index} has {len(bone)} numbers; expected are seven: x, y, z and the rotation x, y, z, w")
    return (c_float * (7 * len(bones)))(*[number for bone in bones for number in bone])


def _view(floats):
    at = ctypes.addressof(floats)
    stride = 7 * ctypes.sizeof(c_float)
    return _Pose(at, at + 3 * ctypes.sizeof(c_float), stride, stride, len(floats) // 7)


def _bones(floats):
    return [tuple(floats[at : at + 7]) for at in range(0, len(floats), 7)]


class _Handle:
    """An object of the library, freed with its last reference."""

    def __init__(self, kind, *arguments):
        self._kind = kind
        self._pointer = c_void_p()
        _call(f"kinescope_{kind}_new", *arguments, byref(self._pointer))

    def _free(self):
        pointer, self._pointer = self._pointer, c_void_p()
        return getattr(_library, f"kinescope_{self._kind}_free")(pointer)

    def __del__(self):
        if getattr(self, "_pointer", None):
            self._free()


class Solver:
    """The solver of one character.

    `names` and `parents` have an entry for each bone; parents come first, and a root's parent is -1. `reference` is a pose in
    which the character stands with its arms out. `biped` maps roles to bone indices: `pelvis`, `spine` (a list), `head` (or
    None), optionally `root_node`, and for each of LIMBS three bones, or four with the clavicle first. Without `biped`, roles are
    detected from names and positions.
    """

    def __init__(self, names, parents, reference, biped=None):
        floats = _floats(reference)
        count = len(parents)
        if len(names) != count:
            raise ValueError(f"there are {len(names)} names and {count} parents")
        own_names = (c_char_p * count)(*[_text(name) for name in names])
        own_parents = (c_int32 * count)(*[_bone(own, count, f"parents[{index}]") for index, own in enumerate(parents)])
        skeleton = _Skeleton(count, own_names, own_parents, _view(floats))
        own = None
        if biped is not None:
            unknown = set(biped) - {"pelvis", "spine", "head", "root_node", *LIMBS}
            if unknown:
                raise ValueError(f"{unknown.pop()!r} is no part of a biped; there are pelvis, spine, head, root_node, {', '.join(LIMBS)}")
            spine = [_bone(bone, count, "spine") for bone in biped["spine"]]
            head, root_node = (_bone(biped.get(name), count, name) for name in ("head", "root_node"))
            pelvis = _bone(biped["pelvis"], count, "pelvis")
            own = _Biped(pelvis, (c_int32 * len(spine))(*spine), len(spine), head, root_node)
            for index, limb in enumerate(LIMBS):
                bones = [_bone(bone, count, limb) for bone in biped[limb]]
                if len(bones) not in (3, 4):
                    raise ValueError(f"{limb} has {len(bones)} bones; it has three, or four of which the first is the clavicle")
                own.limbs[index] = _Limb(bones[0] if len(bones) == 4 else -1, (c_int32 * 3)(*bones[-3:]))
        self.names, self.parents = list(names), list(parents)
        self._solver = _Handle("solver", byref(skeleton), None if own is None else byref(own))
        self._workspace = _Handle("workspace", self._solver._pointer)
        # ctypes releases the GIL during calls, and only one thread at a time may use a workspace.
        self._lock = threading.Lock()

    def bone_of(self, role):
        """Returns the index of a role's bone, by the role's name in presets (`pelvis`, `left_hand`); None if there is none."""
        bone = _library.kinescope_solver_bone_of(self._solver._pointer, _text(role))
        return None if bone < 0 else bone

    def written_bones(self):
        """Returns the indices of the bones that a solve writes. All others follow their parents."""
        count = _library.kinescope_solver_written_bones(self._solver._pointer, None, 0)
        bones = (c_int32 * count)()
        _library.kinescope_solver_written_bones(self._solver._pointer, bones, count)
        return list(bones)

    def solve(self, animated, settings):
        """Returns the solved pose; `animated` is not changed."""
        floats = _floats(animated)
        pose = _view(floats)
        with self._lock:
            _call("kinescope_solve", self._solver._pointer, self._workspace._pointer, byref(_of(settings)), byref(pose))
        return _bones(floats)

    def steps(self, animated, settings):
        """Returns the list of the solve's `Step`s."""
        return self.solve_and_steps(animated, settings)[1]

    def solve_and_steps(self, animated, settings):
        """Returns the solved pose and the list of the solve's `Step`s."""
        steps, moves = [], []

        def on_move(_, __, move):
            own = move.contents
            moves.append(Move(NODES[own.node], tuple(own.start), tuple(own.end), own.cause.decode()))

        def on_stage(_, step, nodes):
            iteration = None if step.iteration < 0 else step.iteration
            places = {name: tuple(nodes[index]) for index, name in enumerate(NODES)}
            steps.append(Step(iteration, STAGES[step.stage], places, moves.copy()))
            moves.clear()

        floats = _floats(animated)
        pose = _view(floats)
        observer = _Observer(None, _ON_STAGE(on_stage), _ON_MOVE(on_move))
        arguments = (self._solver._pointer, self._workspace._pointer, byref(_of(settings)), byref(pose), byref(observer))
        with self._lock:
            _call("kinescope_solve_observed", *arguments)
        return _bones(floats), steps


class Game:
    """The producer and its characters. Recorders and senders are created from it."""

    def __init__(self, producer, characters):
        """`characters` maps names to solvers."""
        self._game = _Handle("game", _text(producer))
        self.characters = list(characters)
        for name, solver in characters.items():
            _call("kinescope_game_add", self._game._pointer, _text(name), solver._solver._pointer, None)

    def _frame(self, character, time, animated, settings, result, steps, frame):
        """Returns a frame for the library, and the objects that it points to."""
        index = _index(self.characters, character, "character of the game")
        own, solved = _floats(animated), _floats(result) if result is not None else (c_float * 0)()
        stages = (_StepNodes * len(steps or ()))()
        for at, step in enumerate(steps or ()):
            iteration = -1 if step.iteration is None else step.iteration
            nodes = (Vec3 * len(NODES))(*[Vec3(*step.nodes[name]) for name in NODES])
            stages[at] = _StepNodes(_Step(iteration, _index(STAGES, step.stage, "stage")), nodes)
        settings = Settings() if settings is None else _of(settings)
        if frame is not None and not 0 <= frame < 1 << 63:
            raise ValueError(f"frame is {frame}; it counts from 0")
        number = -1 if frame is None else frame
        made = _Frame(index, number, time, ctypes.pointer(settings), _view(own), _view(solved), stages, len(stages))
        return made, (own, solved, settings, stages)


class Recorder:
    """Writes a recording, which the window opens and `kinescope diff` compares. Use it in a `with`, or call `close`."""

    def __init__(self, game, path):
        self._game = game
        self._recorder = _Handle("recorder", game._game._pointer, _text(path))
        self._lock = threading.Lock()

    def frame(self, character, time, animated, settings=None, result=None, steps=None, frame=None):
        """Records a frame: the solve's input and, if given, its result and steps."""
        made, _kept = self._game._frame(character, time, animated, settings, result, steps, frame)
        with self._lock:
            _call("kinescope_recorder_frame", self._recorder._pointer, byref(made))

    def mark(self, text, time):
        """Marks a moment, in seconds, with a text."""
        with self._lock:
            _call("kinescope_recorder_mark", self._recorder._pointer, _text(text), time)

    def close(self):
        """Ends the recording."""
        if self._recorder._pointer and self._recorder._free() < 0:
            raise Error(-7, _library.kinescope_last_error().decode())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Sender:
    """Sends frames to a listening window (`kinescope --listen`), which may start before or after the sender."""

    def __init__(self, game, address=None):
        self._game = game
        self._sender = _Handle("sender", game._game._pointer, None if address is None else _text(address))
        self._lock = threading.Lock()

    def send(self, character, time, animated, settings=None, result=None, steps=None, frame=None):
        """Queues a frame; never waits. Returns False if the queue was full and the frame was dropped."""
        made, _kept = self._game._frame(character, time, animated, settings, result, steps, frame)
        with self._lock:
            return _call("kinescope_sender_send", self._sender._pointer, byref(made)) == DONE

    def mark(self, text, time):
        """Marks a moment, in seconds, with a text."""
        with self._lock:
            _call("kinescope_sender_mark", self._sender._pointer, _text(text), time)

    def tuned(self):
        """Returns a character's name and its new settings while the window tunes the game; None if nothing new has arrived."""
        character, settings = c_uint32(), Settings()
        with self._lock:
            if _call("kinescope_sender_tuned", self._sender._pointer, byref(character), byref(settings)) == NOTHING_TO_DO:
                return None
        return self._game.characters[character.value], settings

    def is_connected(self):
        """Whether a window is connected."""
        return bool(_library.kinescope_sender_is_connected(self._sender._pointer))

    def sent(self):
        """The number of frames sent."""
        return _library.kinescope_sender_sent(self._sender._pointer)

    def dropped(self):
        """The number of frames dropped: the queue was full, or the connection broke."""
        return _library.kinescope_sender_dropped(self._sender._pointer)

    def close(self):
        """Sends the queued frames, for at most two seconds, and disconnects."""
        if self._sender._pointer:
            self._sender._free()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
