// What the adapters share: the connection, the rig as a tree of ball joints, and the targets of a frame.
//
// An adapter has a function `make(rig)`, which makes the solver's robot and returns `solve(frame)`. `solve` returns states, one
// for each iteration, the last being the result: `{ root, rotations }`, the root's position and each joint's rotation in model space.
// Lengths are in metres, rotations are [x, y, z, w].

import { createConnection } from "node:net";
import { createInterface } from "node:readline";

const ROLES = ["pelvis", "head"];
for (const side of ["left", "right"]) {
  for (const role of ["clavicle", "upper_arm", "forearm", "hand", "thigh", "calf", "foot"]) ROLES.push(`${side}_${role}`);
}

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const add = (a, b) => a.map((value, axis) => value + b[axis]);
export const subtract = (a, b) => a.map((value, axis) => value - b[axis]);
export const times = (a, factor) => a.map((value) => value * factor);
export const inverse = (q) => [-q[0], -q[1], -q[2], q[3]];

export function multiply(a, b) {
  const c = cross(a, b);
  return [...[0, 1, 2].map((axis) => a[3] * b[axis] + b[3] * a[axis] + c[axis]), a[3] * b[3] - dot(a, b)];
}

export function rotate(q, v) {
  const t = times(cross(q, v), 2);
  return add(add(v, times(t, q[3])), cross(q, t));
}

/** The character as a tree of ball joints. Bones that are no joints, such as fingers, follow their parents. */
export class Rig {
  constructor(character) {
    const roles = character.biped ?? character.rig.biped;
    this.name = character.name;
    this.metres = character.metres_per_unit ?? 1;
    this.bones = character.rig.bones;
    /** The number of iterations of a solve. */
    this.iterations = 20;
    const pelvis = roles.pelvis;
    const wanted = new Set([...ROLES.map((role) => roles[role]), ...roles.spine].filter(Number.isInteger));
    this.joints = [];
    this.ofBone = new Map();
    // Parents come before their children.
    for (const bone of [...wanted].sort((a, b) => a - b)) {
      let above = bone === pelvis ? -1 : this.bones[bone].parent;
      while (above >= 0 && !this.ofBone.has(above)) above = this.bones[above].parent;
      if (above < 0 && bone !== pelvis) continue;
      const parent = above < 0 ? -1 : this.ofBone.get(above);
      const at = (index) => times(this.bones[index].reference.slice(0, 3), this.metres);
      const offset =
        above < 0 ? at(bone) : rotate(inverse(this.bones[above].reference.slice(3)), subtract(at(bone), at(above)));
      this.ofBone.set(bone, this.joints.length);
      this.joints.push({ bone, parent, offset });
    }
  }

  /**
   * Takes the joints' offsets from the pose of a frame's line. Returns whether one changed: then the solver's robot has to be
   * made again. Offsets change if an animated bone is between two joints, as in a leg of four bones.
   */
  fit({ pose }) {
    let isChanged = false;
    for (const joint of this.joints.slice(1)) {
      const above = pose[this.joints[joint.parent].bone];
      const way = subtract(pose[joint.bone].slice(0, 3), above.slice(0, 3));
      const offset = times(rotate(inverse(above.slice(3)), way), this.metres);
      // Smaller changes are rounding.
      if (offset.some((value, axis) => Math.abs(value - joint.offset[axis]) > 1e-5)) {
        joint.offset = offset;
        isChanged = true;
      }
    }
    return isChanged;
  }

  /** Reads the line of a frame: the animated state, and the targets of joints. */
  frame({ pose, targets }) {
    const rotations = this.joints.map(({ bone }) => pose[bone].slice(3));
    const start = { root: times(pose[this.joints[0].bone].slice(0, 3), this.metres), rotations };
    const own = targets.filter(({ bone }) => this.ofBone.has(bone));
    const read = (target) => ({
      ...target,
      joint: this.ofBone.get(target.bone),
      position: times(target.position, this.metres),
    });
    return { start, targets: own.map(read) };
  }

  /** Returns the pose of all bones. Bones keep the offsets that they have in the line's pose. */
  pose(line, { root, rotations }) {
    const pose = [];
    for (const [bone, { parent }] of this.bones.entries()) {
      const animated = line.pose[bone];
      let [position, rotation] = [animated.slice(0, 3), animated.slice(3)];
      const joint = this.ofBone.get(bone);
      if (joint === 0) {
        position = times(root, 1 / this.metres);
      } else if (parent >= 0) {
        const toParent = inverse(line.pose[parent].slice(3));
        const turned = pose[parent].slice(3);
        const offset = rotate(toParent, subtract(position, line.pose[parent].slice(0, 3)));
        position = add(pose[parent].slice(0, 3), rotate(turned, offset));
        rotation = multiply(turned, multiply(toParent, rotation));
      }
      if (joint !== undefined) rotation = [...rotations[joint]];
      const length = Math.hypot(...rotation);
      pose.push([...position, ...rotation.map((value) => value / length)]);
    }
    return pose;
  }
}

/** Solves the line of a frame, and returns the answer. */
export function answer(rig, solve, line) {
  const frame = rig.frame(line);
  const start = performance.now();
  try {
    const states = solve(frame);
    const us = (performance.now() - start) * 1000;
    const iterations = states.map((state) => rig.pose(line, state));
    return { frame: line.frame, pose: iterations.at(-1), iterations, us };
  } catch (error) {
    return { frame: line.frame, error: String(error.message ?? error) };
  }
}

/** Connects to the window at the address on the command line, `host:port`, and answers its frames. */
export function run(name, make) {
  const address = process.argv[2] ?? "127.0.0.1:7468";
  const split = address.lastIndexOf(":");
  const socket = createConnection({ host: address.slice(0, split), port: Number(address.slice(split + 1)) });
  socket.on("error", (error) => {
    console.error(`${address}: ${error.message}. Start the window first: kinescope --listen`);
    process.exitCode = 1;
  });
  const send = (line) => socket.write(`${JSON.stringify(line)}\n`);
  send({ format: "kinescope-solver", version: 1, name });
  let known;
  createInterface({ input: socket }).on("line", (text) => {
    const line = JSON.parse(text);
    if (line.error) {
      console.error(`${name}: refused:`, line.error);
    } else if (line.character) {
      const rig = new Rig(line.character);
      known = [rig, make(rig)];
      console.error(`${name}: solving ${rig.name}, ${rig.joints.length} joints`);
    } else if (line.targets && known) {
      const [rig] = known;
      if (rig.fit(line)) known = [rig, make(rig)];
      send(answer(...known, line));
    }
  });
}
