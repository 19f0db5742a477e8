using System;
using System.Collections.Generic;
using UnityEngine;

namespace Kinescope
{
    /// <summary>The character's bones by role. Without a pelvis, roles are detected from the names and positions of all bones.</summary>
    [Serializable]
    public sealed class BipedReferences
    {
        [Tooltip("The object above all bones; this object if empty.")]
        public Transform root;
        public Transform pelvis;
        [Tooltip("From the bone next to the pelvis upwards.")]
        public Transform[] spine = { };
        [Tooltip("The pelvis or spine bone used as the solver's body node; chosen by position if empty.")]
        public Transform rootNode;
        public Transform head;
        public Transform leftShoulder;
        public Transform leftUpperArm;
        public Transform leftForearm;
        public Transform leftHand;
        public Transform rightShoulder;
        public Transform rightUpperArm;
        public Transform rightForearm;
        public Transform rightHand;
        public Transform leftThigh;
        public Transform leftCalf;
        public Transform leftFoot;
        public Transform rightThigh;
        public Transform rightCalf;
        public Transform rightFoot;

        /// <summary>Takes the bones of a humanoid avatar. Returns false without one.</summary>
        public bool Detect(Animator animator)
        {
            if (animator == null || !animator.isHuman)
            {
                return false;
            }
            Func<HumanBodyBones, Transform> bone = animator.GetBoneTransform;
            pelvis = bone(HumanBodyBones.Hips);
            var found = new List<Transform>();
            foreach (var role in new[] { HumanBodyBones.Spine, HumanBodyBones.Chest, HumanBodyBones.UpperChest })
            {
                if (bone(role) != null)
                {
                    found.Add(bone(role));
                }
            }
            spine = found.ToArray();
            head = bone(HumanBodyBones.Head);
            leftShoulder = bone(HumanBodyBones.LeftShoulder);
            leftUpperArm = bone(HumanBodyBones.LeftUpperArm);
            leftForearm = bone(HumanBodyBones.LeftLowerArm);
            leftHand = bone(HumanBodyBones.LeftHand);
            rightShoulder = bone(HumanBodyBones.RightShoulder);
            rightUpperArm = bone(HumanBodyBones.RightUpperArm);
            rightForearm = bone(HumanBodyBones.RightLowerArm);
            rightHand = bone(HumanBodyBones.RightHand);
            leftThigh = bone(HumanBodyBones.LeftUpperLeg);
            leftCalf = bone(HumanBodyBones.LeftLowerLeg);
            leftFoot = bone(HumanBodyBones.LeftFoot);
            rightThigh = bone(HumanBodyBones.RightUpperLeg);
            rightCalf = bone(HumanBodyBones.RightLowerLeg);
            rightFoot = bone(HumanBodyBones.RightFoot);
            return true;
        }

        /// <summary>Returns the bones of each role, by index into all bones; null without a pelvis.</summary>
        internal Biped ToBiped(List<Transform> bones)
        {
            if (pelvis == null)
            {
                return null;
            }
            return new Biped
            {
                pelvis = Find(bones, pelvis),
                spine = Array.ConvertAll(spine, bone => Find(bones, bone)),
                head = Find(bones, head),
                rootNode = Find(bones, rootNode),
                leftArm = Limb(bones, leftShoulder, leftUpperArm, leftForearm, leftHand),
                rightArm = Limb(bones, rightShoulder, rightUpperArm, rightForearm, rightHand),
                leftLeg = Limb(bones, null, leftThigh, leftCalf, leftFoot),
                rightLeg = Limb(bones, null, rightThigh, rightCalf, rightFoot),
            };
        }

        static LimbBones Limb(List<Transform> bones, Transform clavicle, Transform first, Transform second, Transform third)
        {
            return new LimbBones(Find(bones, clavicle), Find(bones, first), Find(bones, second), Find(bones, third));
        }

        static int Find(List<Transform> bones, Transform bone)
        {
            if (bone == null)
            {
                return -1;
            }
            var index = bones.IndexOf(bone);
            if (index < 0)
            {
                throw new ArgumentException(bone.name + " is not below the root of the bones.");
            }
            return index;
        }
    }
}
