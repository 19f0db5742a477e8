// Solves a lane with THREE.IK: FABRIK. Each hand and foot has a chain of its own, from the limb's first bone. The torso stays as
// animated, and other targets are ignored. THREE.IK turns bones so that their z axis points along the chain, so the adapter
// takes only the places of the joints, and turns each bone by the shortest way. THREE.IK needs three.js before r150.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { add, multiply, rotate, run, subtract, times } from "./lane.mjs";

const require = createRequire(import.meta.url);
const { Bone, Object3D, Quaternion, Scene, Vector3 } = require("three");
const { IK, IKChain, IKJoint } = require("three-ik");

/** Bones of a limb: for an arm upper arm, forearm and hand. */
const LIMB = 3;

export function make(rig) {
  return ({ start, targets }) => {
    const rotations = start.rotations.map((rotation) => [...rotation]);
    const limbs = targets.flatMap((target) => {
      const limb = limbOf(rig, target.joint);
      return limb && target.position_weight > 0 ? [limbSolver(rig, start, limb, target)] : [];
    });
    const states = [];
    for (let iteration = 0; iteration < rig.iterations; iteration += 1) {
      for (const limb of limbs) {
        for (const [joint, rotation] of limb()) rotations[joint] = rotation;
      }
      states.push({ root: start.root, rotations: rotations.map((rotation) => [...rotation]) });
    }
    return states.length > 0 ? states : [start];
  };
}

function limbOf(rig, joint) {
  const limb = [joint];
  while (limb.length < LIMB && rig.joints[limb[0]].parent > 0) limb.unshift(rig.joints[limb[0]].parent);
  return limb.length === LIMB ? limb : undefined;
}

/** Returns the places of all joints in model space. */
function places(rig, { root, rotations }) {
  const all = [];
  for (const { parent, offset } of rig.joints) {
    all.push(parent < 0 ? root : add(all[parent], rotate(rotations[parent], offset)));
  }
  return all;
}

/** Returns a function that runs one iteration and returns the rotations of the limb's joints. */
function limbSolver(rig, start, limb, target) {
  const at = places(rig, start);
  const animated = limb.map((joint) => at[joint]);
  const [scene, goal, chain, ik] = [new Scene(), new Object3D(), new IKChain(), new IK()];
  const aim = subtract(target.position, animated[LIMB - 1]);
  goal.position.set(...add(animated[LIMB - 1], times(aim, target.position_weight)));
  scene.add(goal);
  const bones = [];
  for (const [number, joint] of limb.entries()) {
    const bone = new Bone();
    // Bones are not turned at the start, so places relative to the parent are differences.
    bone.position.set(...(number === 0 ? at[joint] : subtract(at[joint], animated[number - 1])));
    (number === 0 ? scene : bones[number - 1]).add(bone);
    bones.push(bone);
  }
  scene.updateMatrixWorld(true);
  bones.forEach((bone, number) => chain.add(new IKJoint(bone), { target: number === LIMB - 1 ? goal : undefined }));
  ik.add(chain);
  return () => {
    ik.solve();
    const solved = bones.map((bone) => bone.getWorldPosition(new Vector3()));
    const turns = limb.slice(1).map((_, number) => {
      const before = new Vector3(...subtract(animated[number + 1], animated[number])).normalize();
      const after = solved[number + 1].clone().sub(solved[number]).normalize();
      return new Quaternion().setFromUnitVectors(before, after).toArray();
    });
    const turned = limb.map((joint, number) => multiply(turns[Math.min(number, LIMB - 2)], start.rotations[joint]));
    if (target.rotation_weight > 0) turned[LIMB - 1] = target.rotation;
    return limb.map((joint, number) => [joint, turned[number]]);
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) run("three-ik, no bend goals", make);
