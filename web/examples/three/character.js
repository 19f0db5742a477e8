// A small character: bones, a clip made of sines, and a left arm that reaches for a target.
import { Bone, CapsuleGeometry, Group, Matrix4, Mesh, MeshStandardMaterial, Quaternion, SphereGeometry, Vector3 } from "three";

/**
 * Name, index of the parent (-1 for none), and position in the reference pose in metres. The character faces +Z, so its
 * left is +X.
 */
const BONES = [
  ["Hips", -1, 0, 0.95, 0], ["Spine", 0, 0, 1.06, 0], ["Chest", 1, 0, 1.22, 0], ["Head", 2, 0, 1.52, 0],
  ["LeftUpperArm", 2, 0.18, 1.42, 0], ["LeftForearm", 4, 0.45, 1.42, -0.03], ["LeftHand", 5, 0.7, 1.42, 0],
  ["RightUpperArm", 2, -0.18, 1.42, 0], ["RightForearm", 7, -0.45, 1.42, -0.03], ["RightHand", 8, -0.7, 1.42, 0],
  ["LeftThigh", 0, 0.1, 0.92, 0], ["LeftCalf", 10, 0.1, 0.5, 0.04], ["LeftFoot", 11, 0.1, 0.08, 0],
  ["RightThigh", 0, -0.1, 0.92, 0], ["RightCalf", 13, -0.1, 0.5, 0.04], ["RightFoot", 14, -0.1, 0.08, 0],
];
const [SPINE, CHEST, LEFT_ARM, LEFT_FOREARM, LEFT_HAND, RIGHT_ARM] = [1, 2, 4, 5, 6, 7];
const [LEFT_THIGH, LEFT_CALF, RIGHT_THIGH, RIGHT_CALF] = [10, 11, 13, 14];
const [X, Z] = [new Vector3(1, 0, 0), new Vector3(0, 0, 1)];

/** The roles of the bones, by index. Kinescope would also find them from names and positions. */
const BIPED = {
  pelvis: 0, spine: [1, 2], head: 3,
  left_upper_arm: 4, left_forearm: 5, left_hand: 6, right_upper_arm: 7, right_forearm: 8, right_hand: 9,
  left_thigh: 10, left_calf: 11, left_foot: 12, right_thigh: 13, right_calf: 14, right_foot: 15,
};

export class Character {
  constructor(name, x, color) {
    this.name = name;
    this.phase = x;
    this.root = new Group();
    this.root.position.x = x;
    const material = new MeshStandardMaterial({ color });
    this.bones = BONES.map(([name]) => Object.assign(new Bone(), { name }));
    BONES.forEach(([, parent, ...at], index) => {
      const from = parent < 0 ? [0, 0, 0] : BONES[parent].slice(2);
      const offset = new Vector3(...at).sub(new Vector3(...from));
      this.bones[index].position.copy(offset);
      (parent < 0 ? this.root : this.bones[parent]).add(this.bones[index]);
      if (parent >= 0) this.bones[parent].add(limb(offset, material));
    });
    this.bones[3].add(new Mesh(new SphereGeometry(0.11), material));
    /** The target of the left hand in the character's space, and its weight. */
    this.target = new Vector3(0.4, 1.3, 0.4);
    this.weight = 1;
    /** The parameters that the user last edited in Kinescope; empty before the first edit. */
    this.parameters = {};
  }

  /** The character as a recording's header or a `join` line describes it: name, rig, and the roles of the bones. */
  get rig() {
    const bones = BONES.map(([name, parent, ...at]) => ({ name, parent, reference: [...at, 0, 0, 0, 1] }));
    return { name: this.name, rig: { bones }, biped: BIPED };
  }

  /** Plays the clip: steps in place. */
  animate(time) {
    const swing = Math.sin(4 * time + this.phase);
    const turn = (bone, axis, angle) => this.bones[bone].quaternion.setFromAxisAngle(axis, angle);
    turn(SPINE, X, 0.04 * Math.sin(2 * time));
    turn(CHEST, X, 0.05);
    turn(LEFT_ARM, Z, -1.2);
    turn(RIGHT_ARM, Z, 1.2 + 0.1 * swing);
    turn(LEFT_FOREARM, X, 0);
    turn(LEFT_THIGH, X, -0.35 * Math.max(0, swing));
    turn(LEFT_CALF, X, 0.6 * Math.max(0, swing));
    turn(RIGHT_THIGH, X, -0.35 * Math.max(0, -swing));
    turn(RIGHT_CALF, X, 0.6 * Math.max(0, -swing));
    this.root.updateMatrixWorld(true);
  }

  /**
   * Moves the left hand from its animated place toward the target, by the weight: bends the elbow by the law of cosines,
   * then turns the whole arm.
   */
  solve() {
    const [upper, fore] = [this.bones[LEFT_ARM], this.bones[LEFT_FOREARM]];
    const at = (bone) => this.bones[bone].getWorldPosition(new Vector3());
    const target = at(LEFT_HAND).lerp(this.root.localToWorld(this.target.clone()), this.weight);
    const [a, b] = [at(LEFT_ARM).distanceTo(at(LEFT_FOREARM)), at(LEFT_FOREARM).distanceTo(at(LEFT_HAND))];
    const reach = Math.min(Math.max(at(LEFT_ARM).distanceTo(target), Math.abs(a - b) + 1e-3), a + b - 1e-3);
    // Turns the elbow from its present angle to the angle at which the hand is `reach` away from the shoulder.
    const [toShoulder, toHand] = [at(LEFT_ARM).sub(at(LEFT_FOREARM)), at(LEFT_HAND).sub(at(LEFT_FOREARM))];
    const wanted = Math.acos((a * a + b * b - reach * reach) / (2 * a * b));
    turnInWorld(fore, toShoulder.clone().cross(toHand).normalize(), wanted - toShoulder.angleTo(toHand));
    const direction = at(LEFT_HAND).sub(at(LEFT_ARM)).normalize();
    const turn = new Quaternion().setFromUnitVectors(direction, target.sub(at(LEFT_ARM)).normalize());
    setInWorld(upper, turn.multiply(upper.getWorldQuaternion(new Quaternion())));
  }

  /** The pose in the character's space: for each bone the position (x, y, z) in metres and the rotation (x, y, z, w). */
  pose() {
    const toOwn = this.root.matrixWorld.clone().invert();
    const [matrix, place, turn, scale] = [new Matrix4(), new Vector3(), new Quaternion(), new Vector3()];
    return this.bones.map((bone) => {
      matrix.multiplyMatrices(toOwn, bone.matrixWorld).decompose(place, turn, scale);
      return [...place.toArray(), ...turn.toArray()];
    });
  }

  /** Animates and solves one frame, and returns the frame as a line of a recording. */
  frame(time) {
    this.animate(time);
    const animated = this.pose();
    this.solve();
    const parameters = structuredClone(this.parameters);
    parameters.effectors = { ...parameters.effectors };
    const hand = { position: this.target.toArray(), position_weight: this.weight };
    parameters.effectors.left_hand = { ...parameters.effectors.left_hand, ...hand };
    return { character: this.name, time, parameters, animated, result: this.pose() };
  }

  /** Adopts parameters that the user has edited in Kinescope. */
  tune(parameters) {
    this.parameters = parameters;
    const hand = parameters.effectors?.left_hand;
    if (hand?.position) this.target.fromArray(hand.position);
    this.weight = hand?.position_weight ?? 0;
  }
}

/** Turns a bone about an axis in world space. */
function turnInWorld(bone, axis, angle) {
  setInWorld(bone, new Quaternion().setFromAxisAngle(axis, angle).multiply(bone.getWorldQuaternion(new Quaternion())));
}

function setInWorld(bone, rotation) {
  bone.quaternion.copy(bone.parent.getWorldQuaternion(new Quaternion()).invert().multiply(rotation));
  bone.updateMatrixWorld(true);
}

/** A capsule from a bone to its child. */
function limb(offset, material) {
  const mesh = new Mesh(new CapsuleGeometry(0.035, Math.max(0.01, offset.length() - 0.07)), material);
  mesh.position.copy(offset).multiplyScalar(0.5);
  mesh.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), offset.clone().normalize());
  return mesh;
}
