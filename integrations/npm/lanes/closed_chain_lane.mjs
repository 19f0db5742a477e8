// Solves a lane with closed-chain-ik: damped least squares over all joint angles.

import { pathToFileURL } from "node:url";
import { DOF, Goal, Joint, Link, Solver } from "closed-chain-ik/src/core/index.js";
import { inverse, multiply, run } from "./lane.mjs";

const PLACE = [DOF.X, DOF.Y, DOF.Z];
const TURN = [DOF.EX, DOF.EY, DOF.EZ];

export function make(rig) {
  const ground = new Link();
  const joints = [];
  const links = [];
  for (const { parent, offset } of rig.joints) {
    const joint = new Joint();
    // The root moves freely, and all other joints turn.
    joint.setDoF(...(parent < 0 ? [...PLACE, ...TURN] : TURN));
    if (parent >= 0) joint.setPosition(...offset);
    joint.restPoseSet = true;
    const link = new Link();
    (parent < 0 ? ground : links[parent]).addChild(joint);
    joint.addChild(link);
    joints.push(joint);
    links.push(link);
  }
  return (frame) => solve(rig, ground, { joints, links }, frame);
}

function solve(rig, ground, { joints, links }, { start, targets }) {
  for (const [index, { parent }] of rig.joints.entries()) {
    const joint = joints[index];
    if (parent < 0) joint.setPosition(...start.root);
    const above = parent < 0 ? [0, 0, 0, 1] : start.rotations[parent];
    joint.setQuaternion(...multiply(inverse(above), start.rotations[index]));
    // Angles count from the animated pose, which is also the pose that costs nothing.
    joint.setDoFValues(...joint.dof.map(() => 0));
    joint.setRestPoseValues(...joint.dof.map(() => 0));
  }
  const goals = targets.map((target) => {
    const goal = new Goal();
    goal.setGoalDoF(...(target.position_weight > 0 ? PLACE : []), ...(target.rotation_weight > 0 ? TURN : []));
    goal.setWorldPosition(...target.position);
    goal.setWorldQuaternion(...target.rotation);
    goal.makeClosure(links[target.joint]);
    return goal;
  });
  const solver = new Solver([ground, ...goals]);
  // With less damping, steps to target rotations increase the error, and the solver takes them back.
  Object.assign(solver, { maxIterations: 1, stallThreshold: 0, dampingFactor: 0.02, restPoseFactor: 0.001 });
  Object.assign(solver, { translationErrorClamp: 0.5, translationConvergeThreshold: 1e-4 });
  const states = [];
  for (let iteration = 0; iteration < rig.iterations; iteration += 1) {
    solver.solve();
    states.push(stateOf(links));
  }
  goals.forEach((goal) => goal.removeChild(goal.child));
  return states;
}

function stateOf(links) {
  const root = [0, 0, 0];
  links[0].getWorldPosition(root);
  const rotations = links.map((link) => {
    const rotation = [0, 0, 0, 1];
    link.getWorldQuaternion(rotation);
    return rotation;
  });
  return { root, rotations };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) run("closed-chain-ik, no bend goals", make);
