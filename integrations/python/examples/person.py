"""A person in sixteen bones, standing with its arms out."""

import kinescope_ik as ik

BONES = [
    ("pelvis", -1, (0, 1, 0)),
    ("spine", 0, (0, 1.15, 0)),
    ("chest", 1, (0, 1.35, -0.01)),
    ("head", 2, (0, 1.6, 0)),
    ("left upper arm", 2, (0.18, 1.46, 0)),
    ("left forearm", 4, (0.44, 1.42, -0.03)),
    ("left hand", 5, (0.68, 1.41, 0.04)),
    ("right upper arm", 2, (-0.18, 1.46, 0)),
    ("right forearm", 7, (-0.44, 1.42, -0.03)),
    ("right hand", 8, (-0.68, 1.41, 0.04)),
    ("left thigh", 0, (0.1, 0.95, 0)),
    ("left calf", 10, (0.11, 0.52, 0.05)),
    ("left foot", 11, (0.11, 0.09, -0.02)),
    ("right thigh", 0, (-0.1, 0.95, 0)),
    ("right calf", 13, (-0.11, 0.52, 0.05)),
    ("right foot", 14, (-0.11, 0.09, -0.02)),
]
"""Name, parent (-1: none) and position in metres of each bone."""

STANDING = ik.make_pose([place for _, _, place in BONES])
RIG = ik.Rig([name for name, _, _ in BONES], [parent for _, parent, _ in BONES], STANDING)
