using System;
using UnityEngine;

namespace Kinescope
{
    /// <summary>Parameters of one chain: of the body, or of a limb.</summary>
    [Serializable]
    public sealed class FBIKChain
    {
        /// <summary>The function by which push and reach weaken a small force.</summary>
        public enum Smoothing
        {
            None,
            Exponential,
            Cubic,
        }

        [Range(0, 1), Tooltip("Body only: how much the body node resists the limbs' pull.")]
        public float pin;
        [Range(0, 1), Tooltip("How strongly this limb pulls the torso, relative to the other limbs.")]
        public float pull = 1;
        [Range(0, 1), Tooltip("How strongly the limb, when compressed, pushes its shoulder or hip away.")]
        public float push;
        [Range(-1, 1), Tooltip("How much of the push moves the body.")]
        public float pushParent;
        public Smoothing pushSmoothing = Smoothing.Exponential;
        [Range(0, 1), Tooltip("How far a nearly straight limb draws its shoulder or hip toward hand or foot.")]
        public float reach = 0.1f;
        public Smoothing reachSmoothing = Smoothing.Exponential;
        [Tooltip("Whether reach is the same in every unit of length: limited by the limb's stretch, not by the distance of its ends.")]
        public bool scaleFreeReach;
        public IKConstraintBend bendConstraint = new IKConstraintBend();
    }

    /// <summary>Where an elbow or knee points to.</summary>
    [Serializable]
    public sealed class IKConstraintBend
    {
        [Range(0, 1), Tooltip("Weight of the bend goal or direction against the natural bend direction.")]
        public float weight;
        [Tooltip("Elbow or knee turns to this object (pole target). It takes precedence over the direction.")]
        public Transform bendGoal;
        [Tooltip("World space. Elbow or knee points in this direction; zero means none.")]
        public Vector3 direction;
        [Range(0, 2), Tooltip("Number of sine iterations that smooth the bend limit.")]
        public int clampSmoothing;
    }

    /// <summary>The target of one part of the body.</summary>
    [Serializable]
    public sealed class IKEffector
    {
        [Tooltip("Position and rotation follow this object.")]
        public Transform target;
        [SerializeField, HideInInspector]
        bool hasPosition;
        [SerializeField, HideInInspector]
        Vector3 ownPosition;
        [SerializeField, HideInInspector]
        bool hasRotation;
        [SerializeField, HideInInspector]
        Quaternion ownRotation = Quaternion.identity;
        [Range(0, 1), Tooltip("How strongly the effector moves its node to the target. Without a target, it keeps the animated position.")]
        public float positionWeight;
        [Range(0, 1), Tooltip("How much hand or foot takes the target's rotation.")]
        public float rotationWeight;
        [Tooltip("World space. Added to the animated position for one frame.")]
        public Vector3 positionOffset;
        [Range(0, 1), Tooltip("How much hand or foot follows the torso, as far as its position weight is below 1.")]
        public float maintainRelativePositionWeight;

        /// <summary>The target's position in world space. Until it is set, the animated position is the target.</summary>
        public Vector3 position
        {
            get { return ownPosition; }
            set
            {
                ownPosition = value;
                hasPosition = true;
            }
        }

        /// <summary>The target's rotation in world space. Until it is set, the animated rotation is the target.</summary>
        public Quaternion rotation
        {
            get { return ownRotation; }
            set
            {
                ownRotation = value;
                hasRotation = true;
            }
        }

        /// <summary>Makes the animated position and rotation the target again.</summary>
        public void Release()
        {
            target = null;
            hasPosition = false;
            hasRotation = false;
        }

        /// <summary>Gives the target's position in world space, for gizmos. Returns false without a target.</summary>
        internal bool TryTarget(out Vector3 place)
        {
            place = target != null ? target.position : ownPosition;
            return target != null || hasPosition;
        }

        internal EffectorSettings Read(ModelSpace space)
        {
            if (target != null)
            {
                position = target.position;
                rotation = target.rotation;
            }
            return new EffectorSettings
            {
                hasPosition = hasPosition ? 1u : 0,
                position = space.PositionIn(ownPosition),
                hasRotation = hasRotation ? 1u : 0,
                rotation = space.RotationIn(ownRotation),
                positionWeight = positionWeight,
                rotationWeight = rotationWeight,
                positionOffset = space.DirectionIn(positionOffset),
                maintainRelativePosition = maintainRelativePositionWeight,
            };
        }

        internal void Write(ModelSpace space, ref EffectorSettings settings)
        {
            positionWeight = settings.positionWeight;
            rotationWeight = settings.rotationWeight;
            positionOffset = space.DirectionOut(settings.positionOffset);
            maintainRelativePositionWeight = settings.maintainRelativePosition;
            hasPosition = settings.hasPosition != 0;
            hasRotation = settings.hasRotation != 0;
            ownPosition = space.PositionOut(settings.position);
            ownRotation = hasRotation ? space.RotationOut(settings.rotation) : Quaternion.identity;
            if (target == null)
            {
                return;
            }
            // The target's object is moved, as it sets position and rotation in every frame.
            if (hasPosition)
            {
                target.position = ownPosition;
            }
            if (hasRotation)
            {
                target.rotation = ownRotation;
            }
        }
    }

    /// <summary>How a solved limb is written to its bones.</summary>
    [Serializable]
    public sealed class IKMappingLimb
    {
        [Range(0, 1), Tooltip("How much of the solved limb is written to its bones.")]
        public float weight = 1;
        [Range(0, 1), Tooltip("How much hand or foot keeps its animated rotation.")]
        public float maintainRotationWeight;
    }

    /// <summary>How the head is written.</summary>
    [Serializable]
    public sealed class IKMappingBone
    {
        [Range(0, 1), Tooltip("How much the head keeps its animated rotation.")]
        public float maintainRotationWeight;
    }

    /// <summary>How the spine is written.</summary>
    [Serializable]
    public sealed class IKMappingSpine
    {
        [Range(1, 16), Tooltip("FABRIK iterations of the spine.")]
        public int iterations = 3;
        [Range(0, 1), Tooltip("How much of the shoulders' twist is spread along the spine.")]
        public float twistWeight = 1;
    }

    /// <summary>All parameters of a full-body solve, with the names of Kinescope's C# assignments.</summary>
    [Serializable]
    public sealed class FullBodySolver
    {
        [Range(0, 1), Tooltip("Master weight of the solve.")]
        public float IKPositionWeight = 1;
        [Range(0, 16), Tooltip("Iterations of the main loop.")]
        public int iterations = 4;
        [Tooltip("Whether limbs and torso pull each other.")]
        public bool FABRIKPass = true;
        [Range(0, 1), Tooltip("How much the torso's two diagonals resist shortening.")]
        public float spineStiffness = 0.5f;
        [Range(-1, 1), Tooltip("How much hands that reach too far move the body up and down.")]
        public float pullBodyVertical = 0.5f;
        [Range(-1, 1), Tooltip("How much hands that reach too far move the body over the ground.")]
        public float pullBodyHorizontal;
        [Tooltip("The body, then left arm, right arm, left leg, right leg.")]
        public FBIKChain[] chain = { new FBIKChain(), new FBIKChain(), new FBIKChain(), new FBIKChain(), new FBIKChain() };
        public IKEffector bodyEffector = new IKEffector();
        public IKEffector leftShoulderEffector = new IKEffector();
        public IKEffector rightShoulderEffector = new IKEffector();
        public IKEffector leftThighEffector = new IKEffector();
        public IKEffector rightThighEffector = new IKEffector();
        public IKEffector leftHandEffector = new IKEffector();
        public IKEffector rightHandEffector = new IKEffector();
        public IKEffector leftFootEffector = new IKEffector();
        public IKEffector rightFootEffector = new IKEffector();
        public IKMappingSpine spineMapping = new IKMappingSpine();
        [Tooltip("The head.")]
        public IKMappingBone[] boneMappings = { new IKMappingBone() };
        [Tooltip("Left arm, right arm, left leg, right leg.")]
        public IKMappingLimb[] limbMappings = { new IKMappingLimb(), new IKMappingLimb(), new IKMappingLimb(), new IKMappingLimb() };

        public FBIKChain leftArmChain { get { return chain[1]; } }
        public FBIKChain rightArmChain { get { return chain[2]; } }
        public FBIKChain leftLegChain { get { return chain[3]; } }
        public FBIKChain rightLegChain { get { return chain[4]; } }
        public IKMappingLimb leftArmMapping { get { return limbMappings[0]; } }
        public IKMappingLimb rightArmMapping { get { return limbMappings[1]; } }
        public IKMappingLimb leftLegMapping { get { return limbMappings[2]; } }
        public IKMappingLimb rightLegMapping { get { return limbMappings[3]; } }

        /// <summary>Returns an effector.</summary>
        public IKEffector GetEffector(Effector effector)
        {
            switch (effector)
            {
                case Effector.Body: return bodyEffector;
                case Effector.LeftShoulder: return leftShoulderEffector;
                case Effector.RightShoulder: return rightShoulderEffector;
                case Effector.LeftThigh: return leftThighEffector;
                case Effector.RightThigh: return rightThighEffector;
                case Effector.LeftHand: return leftHandEffector;
                case Effector.RightHand: return rightHandEffector;
                case Effector.LeftFoot: return leftFootEffector;
                case Effector.RightFoot: return rightFootEffector;
                default: throw new ArgumentOutOfRangeException("effector");
            }
        }

        internal const int Effectors = 9;
        internal const int Limbs = 4;

        /// <summary>Stores the parameters in <paramref name="settings"/>, in model space and in the library's axes. Allocates nothing.</summary>
        internal void Read(ModelSpace space, ref Settings settings)
        {
            settings.solver.weight = IKPositionWeight;
            settings.solver.iterations = (uint)iterations;
            settings.solver.fabrikPass = FABRIKPass ? 1u : 0;
            settings.solver.spineStiffness = spineStiffness;
            settings.solver.pullBodyVertical = pullBodyVertical;
            settings.solver.pullBodyHorizontal = pullBodyHorizontal;
            settings.solver.spineIterations = (uint)spineMapping.iterations;
            settings.solver.spineTwistWeight = spineMapping.twistWeight;
            settings.solver.headMaintainRotation = boneMappings[0].maintainRotationWeight;
            settings.pin = chain[0].pin;
            for (var limb = 0; limb < Limbs; limb++)
            {
                var own = chain[limb + 1];
                var bend = own.bendConstraint;
                var hasGoal = bend.bendGoal != null;
                var read = new ChainSettings
                {
                    pull = own.pull,
                    push = own.push,
                    pushParent = own.pushParent,
                    pushSmoothing = (uint)own.pushSmoothing,
                    reach = own.reach,
                    reachSmoothing = (uint)own.reachSmoothing,
                    scaleFreeReach = own.scaleFreeReach ? 1u : 0,
                    bendWeight = bend.weight,
                    hasBendGoal = hasGoal ? 1u : 0,
                    bendGoal = hasGoal ? space.PositionIn(bend.bendGoal.position) : new Vec3(),
                    hasBendDirection = bend.direction.sqrMagnitude > 0 ? 1u : 0,
                    bendDirection = space.DirectionIn(bend.direction),
                    clampSmoothing = (uint)bend.clampSmoothing,
                    mappingWeight = limbMappings[limb].weight,
                    maintainRotation = limbMappings[limb].maintainRotationWeight,
                };
                settings.SetChain((Limb)limb, ref read);
            }
            for (var effector = 0; effector < Effectors; effector++)
            {
                var read = GetEffector((Effector)effector).Read(space);
                settings.SetEffector((Effector)effector, ref read);
            }
        }

        /// <summary>
        /// Sets all parameters to those of <paramref name="settings"/>. A bend goal without an object gets one below <paramref name="root"/>.
        /// </summary>
        internal void Write(ModelSpace space, ref Settings settings, Transform root)
        {
            IKPositionWeight = settings.solver.weight;
            iterations = (int)settings.solver.iterations;
            FABRIKPass = settings.solver.fabrikPass != 0;
            spineStiffness = settings.solver.spineStiffness;
            pullBodyVertical = settings.solver.pullBodyVertical;
            pullBodyHorizontal = settings.solver.pullBodyHorizontal;
            spineMapping.iterations = (int)settings.solver.spineIterations;
            spineMapping.twistWeight = settings.solver.spineTwistWeight;
            boneMappings[0].maintainRotationWeight = settings.solver.headMaintainRotation;
            chain[0].pin = settings.pin;
            for (var limb = 0; limb < Limbs; limb++)
            {
                var own = chain[limb + 1];
                var bend = own.bendConstraint;
                var written = settings.Chain((Limb)limb);
                own.pull = written.pull;
                own.push = written.push;
                own.pushParent = written.pushParent;
                own.pushSmoothing = (FBIKChain.Smoothing)written.pushSmoothing;
                own.reach = written.reach;
                own.reachSmoothing = (FBIKChain.Smoothing)written.reachSmoothing;
                own.scaleFreeReach = written.scaleFreeReach != 0;
                bend.weight = written.bendWeight;
                bend.direction = written.hasBendDirection != 0 ? space.DirectionOut(written.bendDirection) : Vector3.zero;
                bend.clampSmoothing = (int)written.clampSmoothing;
                limbMappings[limb].weight = written.mappingWeight;
                limbMappings[limb].maintainRotationWeight = written.maintainRotation;
                if (written.hasBendGoal == 0)
                {
                    bend.bendGoal = null;
                    continue;
                }
                if (bend.bendGoal == null)
                {
                    bend.bendGoal = new GameObject("bend goal, " + Names.Limbs[limb].Replace('_', ' ')).transform;
                    bend.bendGoal.SetParent(root, false);
                }
                bend.bendGoal.position = space.PositionOut(written.bendGoal);
            }
            for (var effector = 0; effector < Effectors; effector++)
            {
                var written = settings.Effector((Effector)effector);
                GetEffector((Effector)effector).Write(space, ref written);
            }
        }

        internal void ClearOffsets()
        {
            for (var effector = 0; effector < Effectors; effector++)
            {
                GetEffector((Effector)effector).positionOffset = Vector3.zero;
            }
        }
    }
}
