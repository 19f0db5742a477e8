// The code that the adapters share, and the adapters: some tests play the window. Adapters whose package is not installed are skipped.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { Rig, answer } from "./lane.mjs";

const require = createRequire(import.meta.url);

// A person in sixteen bones with a finger, which is no joint.
const BONES = [
  ["pelvis", -1, [0, 1, 0]], ["spine", 0, [0, 1.15, 0]], ["chest", 1, [0, 1.35, -0.01]], ["head", 2, [0, 1.6, 0]],
  ["left upper arm", 2, [0.18, 1.46, 0]], ["left forearm", 4, [0.44, 1.42, -0.03]], ["left hand", 5, [0.68, 1.41, 0.04]],
  ["right upper arm", 2, [-0.18, 1.46, 0]], ["right forearm", 7, [-0.44, 1.42, -0.03]],
  ["right hand", 8, [-0.68, 1.41, 0.04]], ["left thigh", 0, [0.1, 0.95, 0]], ["left calf", 10, [0.11, 0.52, 0.05]],
  ["left foot", 11, [0.11, 0.09, -0.02]], ["right thigh", 0, [-0.1, 0.95, 0]], ["right calf", 13, [-0.11, 0.52, 0.05]],
  ["right foot", 14, [-0.11, 0.09, -0.02]], ["finger", 6, [0.75, 1.41, 0.05]],
]; // prettier-ignore
const [HAND, FOOT] = [6, 12];
const BIPED = { pelvis: 0, spine: [1, 2], head: 3 };
for (const [name, bone] of [["upper_arm", 4], ["forearm", 5], ["hand", 6]]) {
  Object.assign(BIPED, { [`left_${name}`]: bone, [`right_${name}`]: bone + 3 });
}
for (const [name, bone] of [["thigh", 10], ["calf", 11], ["foot", 12]]) {
  Object.assign(BIPED, { [`left_${name}`]: bone, [`right_${name}`]: bone + 3 });
}

function character(scale) {
  const bones = BONES.map(([name, parent, place]) => ({
    name,
    parent,
    reference: [...place.map((value) => value * scale), 0, 0, 0, 1],
  }));
  return { name: "person", rig: { bones }, biped: BIPED, metres_per_unit: 1 / scale };
}

function frame(scale) {
  const pose = character(scale).rig.bones.map((bone) => bone.reference);
  const target = (bone, position) => {
    const weights = { position_weight: 1, rotation_weight: 0, bend_weight: 0 };
    return { effector: "hand", bone, position: position.map((value) => value * scale), rotation: [0, 0, 0, 1], ...weights };
  };
  return { frame: 7, pose, targets: [target(HAND, [0.3, 1.4, 0.4]), target(FOOT, BONES[FOOT][2])] };
}

const apart = (a, b) => Math.hypot(...[0, 1, 2].map((axis) => a[axis] - b[axis]));

test("a pose becomes the same pose", () => {
  const rig = new Rig(character(1));
  const line = frame(1);
  line.pose.forEach((bone, index) => bone.splice(3, 4, Math.sin(index), 0, 0, Math.cos(index)));
  const pose = rig.pose(line, rig.frame(line).start);
  assert.equal(rig.joints.length, 16);
  pose.flat().forEach((value, index) => assert.ok(Math.abs(value - line.pose.flat()[index]) < 1e-9));
});

for (const [name, adapter] of [["closed-chain-ik", "closed_chain_lane"], ["three-ik", "three_lane"]]) {
  let skip = false;
  try {
    require.resolve(`${name}/package.json`);
  } catch {
    skip = `the package ${name} is not installed`;
  }
  for (const scale of [1, 100]) {
    test(`${name} reaches the target, ${scale} units per metre`, { skip }, async () => {
      const { make } = await import(`./${adapter}.mjs`);
      const rig = new Rig(character(scale));
      const solve = make(rig);
      const line = frame(scale);
      answer(rig, solve, line);
      const { pose, error, iterations, us } = answer(rig, solve, line);
      assert.equal(error, undefined);
      assert.ok(us > 0 && iterations.length > 1);
      for (const { bone, position } of line.targets) assert.ok(apart(pose[bone], position) < 0.002 * scale);
      for (const [bone, [, parent]] of BONES.entries()) {
        if (parent < 0) continue;
        const [own, given] = [pose, line.pose].map((all) => apart(all[bone], all[parent]));
        assert.ok(Math.abs(own - given) < 1e-5 * scale, `bone ${bone}`);
      }
    });
  }

  test(`${name} reaches target rotations`, { skip }, async () => {
    const { make } = await import(`./${adapter}.mjs`);
    const rig = new Rig(character(1));
    const line = frame(1);
    // The hand turns by 0.5 radians about the x axis.
    line.targets[0].rotation = [Math.sin(0.25), 0, 0, Math.cos(0.25)];
    line.targets.forEach((target) => (target.rotation_weight = 1));
    const { pose, error } = answer(rig, make(rig), line);
    assert.equal(error, undefined);
    for (const { bone, position, rotation } of line.targets) {
      assert.ok(apart(pose[bone], position) < 0.002);
      const cosine = Math.abs(rotation.reduce((sum, value, index) => sum + value * pose[bone][3 + index], 0));
      assert.ok(cosine > Math.cos(0.005), `${bone}: ${cosine}`);
    }
  });

  test(`${name} follows a bone between two joints`, { skip }, async () => {
    const { make } = await import(`./${adapter}.mjs`);
    const own = character(1);
    // The left foot's role is at a fourth bone.
    own.rig.bones.push({ name: "left toes", parent: FOOT, reference: [0.11, 0.02, 0.1, 0, 0, 0, 1] });
    own.biped = { ...BIPED, left_foot: BONES.length };
    const rig = new Rig(own);
    const line = frame(1);
    line.pose.push([0.11, 0.03, -0.14, 0, 0, 0, 1]);
    line.targets[1].bone = BONES.length;
    line.targets[1].position = [0.15, 0.1, 0];
    assert.ok(rig.fit(line) && !rig.fit(line));
    const { pose } = answer(rig, make(rig), line);
    assert.ok(apart(pose[BONES.length], line.targets[1].position) < 0.002);
  });

  test(`${name} answers a window`, { skip }, async () => {
    const lines = await new Promise((done, fail) => {
      const server = createServer((socket) => {
        const read = [];
        socket.on("error", fail);
        createInterface({ input: socket }).on("line", (text) => {
          read.push(JSON.parse(text));
          if (read.length === 1) {
            for (const line of [{ kinescope: 1 }, { character: character(1) }, frame(1)]) {
              socket.write(`${JSON.stringify(line)}\n`);
            }
          } else {
            socket.end();
            server.close();
            done(read);
          }
        });
      });
      server.listen(0, "127.0.0.1", () => {
        const path = new URL(`./${adapter}.mjs`, import.meta.url).pathname;
        spawn(process.execPath, [path, `127.0.0.1:${server.address().port}`], { stdio: "ignore" }).on("error", fail);
      });
    });
    assert.deepEqual(lines[0], { format: "kinescope-solver", version: 1, name: `${name}, no bend goals` });
    assert.equal(lines[1].frame, 7);
    assert.equal(lines[1].pose.length, BONES.length);
  });
}
