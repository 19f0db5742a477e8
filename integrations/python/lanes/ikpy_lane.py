"""Solves a lane with ikpy: least squares over the joint angles of a chain. ikpy solves one chain at a time, so each hand and
foot has a chain of its own, from the limb's first bone. The torso stays as animated, and other targets and
bend goals are ignored."""

from __future__ import annotations

import ikpy.chain
import ikpy.link
import lane
import numpy as np

LIMB = 3
"""Bones of a limb: for an arm upper arm, forearm and hand."""


class IkpyLane:
    def __init__(self, rig: lane.Rig) -> None:
        self.rig = rig
        self.chains: dict[int, ikpy.chain.Chain] = {}

    def _limb(self, joint: int) -> list[int]:
        """Returns the joints of the limb that ends in a joint; fewer than three near the root."""
        limb = [joint]
        while len(limb) < LIMB and self.rig.joints[limb[0]].parent > 0:
            limb.insert(0, self.rig.joints[limb[0]].parent)
        return limb

    def _chain(self, joint: int) -> ikpy.chain.Chain:
        if joint not in self.chains:
            links: list[ikpy.link.Link] = [ikpy.link.OriginLink()]
            for index in self._limb(joint):
                own = self.rig.joints[index]
                for number, axis in enumerate(np.eye(3)):
                    offset = own.offset if number == 0 and len(links) > 1 else np.zeros(3)
                    rest = lane.roll_pitch_yaw(own.rest) if number == 0 else np.zeros(3)
                    links.append(ikpy.link.URDFLink(f"{index}{lane.AXES[number]}", offset, rest, rotation=axis))
            mask = [False] + [True] * (len(links) - 1)
            self.chains[joint] = ikpy.chain.Chain(links, active_links_mask=mask)
        return self.chains[joint]

    def solve(self, frame: lane.Frame) -> list[lane.State]:
        state = lane.State(frame.start.root, frame.start.rotations.copy())
        for target in frame.targets:
            limb = self._limb(target.joint)
            if len(limb) < LIMB or target.position_weight <= 0.0 or target.is_bend:
                continue
            positions, rotations = self.rig.places(state)
            first = limb[0]
            parent = rotations[self.rig.joints[first].parent]
            place = np.eye(4)
            wanted = positions[target.joint] + target.position_weight * (target.position - positions[target.joint])
            place[:3, 3] = lane.rotate(lane.inverse(parent), wanted - positions[first])
            place[:3, :3] = lane.matrix(lane.multiply(lane.inverse(parent), target.rotation))
            # Angles count from the reference pose.
            rests = [self.rig.joints[joint].rest for joint in limb]
            turned = [lane.multiply(lane.inverse(rest), state.rotations[joint]) for joint, rest in zip(limb, rests, strict=True)]
            angles = [angle for own in turned for angle in lane.angles_of(own)]
            mode = "all" if target.rotation_weight > 0.0 else None
            chain = self._chain(target.joint)
            with lane.clock:
                solved = chain.inverse_kinematics_frame(place, [0.0, *angles], orientation_mode=mode)
            for number, joint in enumerate(limb):
                x, y, z = (lane.turn(axis, solved[1 + 3 * number + axis]) for axis in range(3))
                state.rotations[joint] = lane.multiply(rests[number], lane.multiply(lane.multiply(x, y), z))
        return [state]


if __name__ == "__main__":
    lane.run("ikpy, no bend goals", IkpyLane)
