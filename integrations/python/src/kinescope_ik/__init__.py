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

from ._batch import Batch, BatchError
from ._fields import Quat, Vec3
from ._grounding import METHODS, Ground, Grounder, Hit, Level, Terrain
from ._link import Game, Recorder, Sender
from ._native import VERSION, Array, Error, FileError, PoseError, RigError, SettingsError
from ._rig import Biped, Rig, make_pose
from ._settings import SETTINGS, Settings, settings_array
from ._solver import STEP, Move, Solver, Step, Stepping, Trace
from ._tables import EFFECTORS, LIMBS, NODES, PARTS, SMOOTHINGS, STAGES, ChainSettings, EffectorSettings, SolverSettings

__version__ = VERSION

__all__ = [
    "EFFECTORS",
    "LIMBS",
    "METHODS",
    "NODES",
    "PARTS",
    "SETTINGS",
    "SMOOTHINGS",
    "STAGES",
    "STEP",
    "VERSION",
    "Array",
    "Batch",
    "BatchError",
    "Biped",
    "ChainSettings",
    "EffectorSettings",
    "Error",
    "FileError",
    "Game",
    "Ground",
    "Grounder",
    "Hit",
    "Level",
    "Move",
    "PoseError",
    "Quat",
    "Recorder",
    "Rig",
    "RigError",
    "Sender",
    "Settings",
    "SettingsError",
    "Solver",
    "SolverSettings",
    "Step",
    "Stepping",
    "Terrain",
    "Trace",
    "Vec3",
    "make_pose",
    "settings_array",
]
