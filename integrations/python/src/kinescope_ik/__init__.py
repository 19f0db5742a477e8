"""Full-body inverse kinematics for two-legged characters, step by step, with NumPy arrays.

    import kinescope_ik as ik

    solver = ik.Solver(ik.Rig(names, parents, reference))    # roles are detected from names and positions
    settings = ik.Settings()
    settings.effector("left_hand").aim((0.5, 1.3, 0.45))
    solved = solver.solve(pose, settings)                    # (bones, 7), float32

A pose is an array of shape `(bones, 7)` and type float32: position x, y, z and rotation x, y, z, w (a unit quaternion) of every
bone, in model space, right-handed, +Y up. Invalid input raises `Error` or one of its subclasses with the reason and the bone's or
field's name.
"""

from ._animation import Crossfade, Model, ModelClip, Shown, add, blend, mask_under
from ._batch import Batch, BatchError
from ._capsule import Axis, Capsule, Change, Sensitivity, parameter_range
from ._chains import LIMITS, Chain, ChainIkSettings, Goal, Outcome
from ._fields import Quat, Vec3
from ._grounding import Cast, Footprint, Ground, Grounder, Hit, Level, Terrain
from ._link import Game, Recorder, Sender, Write
from ._modifiers import KINDS, Head, Keyed, Modifiers
from ._native import VERSION, Array, Cancelled, Error, FileError, PoseError, RigError, SettingsError
from ._progress import Progress
from ._reach import Reach, solve_variants
from ._recording import BreakHit, Breaks, Pop, Recording, Slide
from ._rig import Biped, Rig, make_pose
from ._settings import SETTINGS, Settings, settings_array
from ._solver import STEP, Move, Solver, Step, Stepping, Trace
from ._space import Space
from ._stack import Attribution, AttributionRow, Cure, Retargeter, Stack, Why
from ._tables import AIMS, BEND_RULES, BONES, CCD_TURNS, CHAIN_SOLVERS, CONDITIONS, EFFECTORS, ENGINE_AXES, GROUNDINGS, GROUPINGS
from ._tables import LIMBS, MAP_TURNS, MISSES, MOTION_MEASURES, REASONS
from ._tables import MODIFIERS, NODES, PARTS, QUALITIES, SIDES, SMOOTHINGS, STAGES, STOPPED_BY, WEIGHTINGS
from ._tables import ArmBending, Breathing, ChainSettings
from ._tables import DriveWeights, EffectorSettings, FootIkSettings, FootprintSettings, FourBones, HitReaction, Inertia
from ._tables import LockSettings, LookAt, PredictiveSettings, ReachFor, Recoil, SolverSettings, SpeedSettings, TwoHandedGrip

__version__ = VERSION

__all__ = [
    "AIMS",
    "BEND_RULES",
    "BONES",
    "CCD_TURNS",
    "CHAIN_SOLVERS",
    "CONDITIONS",
    "EFFECTORS",
    "ENGINE_AXES",
    "GROUNDINGS",
    "GROUPINGS",
    "KINDS",
    "LIMBS",
    "LIMITS",
    "MAP_TURNS",
    "MISSES",
    "MODIFIERS",
    "MOTION_MEASURES",
    "NODES",
    "PARTS",
    "QUALITIES",
    "REASONS",
    "SETTINGS",
    "SIDES",
    "SMOOTHINGS",
    "STAGES",
    "STEP",
    "STOPPED_BY",
    "VERSION",
    "WEIGHTINGS",
    "ArmBending",
    "Array",
    "Attribution",
    "AttributionRow",
    "Axis",
    "Batch",
    "BatchError",
    "Biped",
    "BreakHit",
    "Breaks",
    "Breathing",
    "Cancelled",
    "Capsule",
    "Cast",
    "Chain",
    "ChainIkSettings",
    "ChainSettings",
    "Change",
    "Crossfade",
    "Cure",
    "DriveWeights",
    "EffectorSettings",
    "Error",
    "FileError",
    "FootIkSettings",
    "Footprint",
    "FootprintSettings",
    "FourBones",
    "Game",
    "Goal",
    "Ground",
    "Grounder",
    "Head",
    "Hit",
    "HitReaction",
    "Inertia",
    "Keyed",
    "Level",
    "LockSettings",
    "LookAt",
    "Model",
    "ModelClip",
    "Modifiers",
    "Move",
    "Outcome",
    "Pop",
    "PoseError",
    "PredictiveSettings",
    "Progress",
    "Quat",
    "Reach",
    "ReachFor",
    "Recoil",
    "Recorder",
    "Recording",
    "Retargeter",
    "Rig",
    "RigError",
    "Sender",
    "Sensitivity",
    "Settings",
    "SettingsError",
    "Shown",
    "Slide",
    "Solver",
    "SolverSettings",
    "Space",
    "SpeedSettings",
    "Stack",
    "Step",
    "Stepping",
    "Terrain",
    "Trace",
    "TwoHandedGrip",
    "Vec3",
    "Why",
    "Write",
    "add",
    "blend",
    "make_pose",
    "mask_under",
    "parameter_range",
    "settings_array",
    "solve_variants",
]
