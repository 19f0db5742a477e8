// The parts of UnityEngine, UnityEditor and NUnit that the package uses, so that it compiles and runs without an editor.
using System;
using System.Collections.Generic;

namespace UnityEngine
{
    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public static Vector3 zero { get { return new Vector3(); } }
        public static Vector3 up { get { return new Vector3(0, 1, 0); } }
        public static Vector3 forward { get { return new Vector3(0, 0, 1); } }
        public float sqrMagnitude { get { return x * x + y * y + z * z; } }
        public static Vector3 operator +(Vector3 a, Vector3 b) { return new Vector3(a.x + b.x, a.y + b.y, a.z + b.z); }
        public static Vector3 operator -(Vector3 a, Vector3 b) { return new Vector3(a.x - b.x, a.y - b.y, a.z - b.z); }
        public static Vector3 operator *(Vector3 a, float b) { return new Vector3(a.x * b, a.y * b, a.z * b); }
        public static bool operator ==(Vector3 a, Vector3 b) { return (a - b).sqrMagnitude < 1e-10f; }
        public static bool operator !=(Vector3 a, Vector3 b) { return !(a == b); }
        public override bool Equals(object other) { return other is Vector3 && (Vector3)other == this; }
        public override int GetHashCode() { return x.GetHashCode(); }
    }

    public struct Quaternion
    {
        public float x, y, z, w;
        public Quaternion(float x, float y, float z, float w) { this.x = x; this.y = y; this.z = z; this.w = w; }
        public static Quaternion identity { get { return new Quaternion(0, 0, 0, 1); } }
        public static Quaternion Inverse(Quaternion q) { return new Quaternion(-q.x, -q.y, -q.z, q.w); }
        public static Quaternion operator *(Quaternion a, Quaternion b)
        {
            return new Quaternion(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
        }
        public static Vector3 operator *(Quaternion q, Vector3 v)
        {
            var p = q * new Quaternion(v.x, v.y, v.z, 0) * Inverse(q);
            return new Vector3(p.x, p.y, p.z);
        }
    }

    public class Object
    {
        string ownName = "";
        public virtual string name { get { return ownName; } set { ownName = value; } }
        public static implicit operator bool(Object own) { return own != null; }
    }

    public class GameObject : Object
    {
        public readonly Transform transform;
        public readonly List<Component> components = new List<Component>();
        public GameObject(string name) { this.name = name; transform = new Transform { gameObject = this }; }
        public T AddComponent<T>() where T : Component, new()
        {
            var made = new T { gameObject = this };
            components.Add(made);
            return made;
        }
        public T GetComponent<T>() where T : Component { return (T)components.Find(own => own is T); }
    }

    public class Component : Object
    {
        public GameObject gameObject;
        public override string name { get { return gameObject.name; } set { gameObject.name = value; } }
        public Transform transform { get { return gameObject.transform; } }
        public T GetComponent<T>() where T : Component { return gameObject.GetComponent<T>(); }
        public T GetComponentInChildren<T>() where T : Component { return GetComponent<T>(); }
    }

    public class Transform : Component
    {
        readonly List<Transform> children = new List<Transform>();
        public Vector3 localPosition;
        public Quaternion localRotation = Quaternion.identity;
        public Transform parent { get; private set; }
        public int childCount { get { return children.Count; } }
        public Transform GetChild(int index) { return children[index]; }
        public void SetParent(Transform to, bool keepsWorld)
        {
            Vector3 place = position;
            var turn = rotation;
            if (parent != null) { parent.children.Remove(this); }
            parent = to;
            if (to != null) { to.children.Add(this); }
            if (keepsWorld) { SetPositionAndRotation(place, turn); }
        }
        public Quaternion rotation
        {
            get { return parent == null ? localRotation : parent.rotation * localRotation; }
            set { localRotation = parent == null ? value : Quaternion.Inverse(parent.rotation) * value; }
        }
        public Vector3 position
        {
            get { return parent == null ? localPosition : parent.position + parent.rotation * localPosition; }
            set { localPosition = parent == null ? value : Quaternion.Inverse(parent.rotation) * (value - parent.position); }
        }
        public void SetPositionAndRotation(Vector3 place, Quaternion turn) { position = place; rotation = turn; }
    }

    public class Behaviour : Component { public bool enabled = true; }
    public class MonoBehaviour : Behaviour { }
    public enum HumanBodyBones
    {
        Hips, LeftUpperLeg, RightUpperLeg, LeftLowerLeg, RightLowerLeg, LeftFoot, RightFoot, Spine, Chest, UpperChest, Head, LeftShoulder,
        RightShoulder, LeftUpperArm, RightUpperArm, LeftLowerArm, RightLowerArm, LeftHand, RightHand,
    }
    public class Animator : Behaviour
    {
        public bool isHuman;
        public readonly Dictionary<HumanBodyBones, Transform> bones = new Dictionary<HumanBodyBones, Transform>();
        public Transform GetBoneTransform(HumanBodyBones bone) { return bones.ContainsKey(bone) ? bones[bone] : null; }
    }

    public struct Color
    {
        public Color(float r, float g, float b) { }
        public static Color yellow { get { return new Color(); } }
        public static Color cyan { get { return new Color(); } }
        public static Color white { get { return new Color(); } }
    }

    public static class Gizmos
    {
        public static int drawn;
        public static Color color;
        public static void DrawLine(Vector3 a, Vector3 b) { drawn++; }
        public static void DrawWireSphere(Vector3 at, float radius) { drawn++; }
    }

    public static class Time { public static double timeAsDouble; public static float time, deltaTime = 1 / 60f; public static int frameCount; }
    public struct LayerMask
    {
        public int value;
        public static implicit operator LayerMask(int own) { return new LayerMask { value = own }; }
        public static implicit operator int(LayerMask own) { return own.value; }
    }
    public struct RaycastHit { public Vector3 point, normal; public float distance; }
    /// <summary>Level colliders, whose height depends on the place; casts go straight down.</summary>
    public static class Physics
    {
        public static Func<Vector3, float> height = at => 0;
        public static int casts;
        public static bool Raycast(Vector3 from, Vector3 way, out RaycastHit hit, float distance, int layers)
        {
            return SphereCast(from, 0, way, out hit, distance, layers);
        }
        public static bool SphereCast(Vector3 from, float radius, Vector3 way, out RaycastHit hit, float distance, int layers)
        {
            casts++;
            var moved = Math.Max((from.y - radius - height(from)) / -way.y, 0);
            hit = new RaycastHit { point = new Vector3(from.x, height(from), from.z), normal = new Vector3(0, 1, 0), distance = moved };
            return layers != 0 && way.y < -0.5f && moved <= distance;
        }
        public static bool CapsuleCast(Vector3 from, Vector3 to, float radius, Vector3 way, out RaycastHit hit, float distance, int layers)
        {
            return SphereCast(height(from) > height(to) ? from : to, radius, way, out hit, distance, layers);
        }
    }
    public static class Mathf
    {
        public const float PI = 3.14159274f;
        public static float Cos(float a) { return (float)Math.Cos(a); }
        public static float Sin(float a) { return (float)Math.Sin(a); }
        public static float Max(float a, float b) { return Math.Max(a, b); }
    }
    public static class Application { public static bool isPlaying = true; }
    public static class Debug
    {
        public static string last = "";
        public static void LogError(object text, Object about) { last = text.ToString(); }
        public static void LogWarning(object text, Object about) { last = text.ToString(); }
    }

    public sealed class SerializeField : Attribute { }
    public sealed class HideInInspector : Attribute { }
    public sealed class RangeAttribute : Attribute { public RangeAttribute(float from, float to) { } }
    public sealed class MinAttribute : Attribute { public MinAttribute(float from) { } }
    public sealed class TooltipAttribute : Attribute { public TooltipAttribute(string text) { } }
    public sealed class AddComponentMenu : Attribute { public AddComponentMenu(string text) { } }
    public sealed class DefaultExecutionOrder : Attribute { public DefaultExecutionOrder(int order) { } }
    public sealed class DisallowMultipleComponent : Attribute { }

    public static class GUILayout
    {
        // The label of the button that a test presses.
        public static string pressed;
        public static bool Button(string label) { return label == pressed; }
    }
}

namespace UnityEditor
{
    using UnityEngine;

    public sealed class CustomEditor : Attribute { public CustomEditor(Type type) { } }
    public enum MessageType { None, Info, Warning, Error }
    public class Editor : Object
    {
        public Object target;
        public virtual void OnInspectorGUI() { }
        public bool DrawDefaultInspector() { return true; }
        public virtual bool RequiresConstantRepaint() { return false; }
    }
    public static class EditorGUILayout { public static void HelpBox(string text, MessageType type) { EditorUtility.shown = text; } }
    public static class EditorUtility
    {
        public static string shown, path;
        public static string OpenFilePanel(string title, string folder, string ending) { return path; }
        public static string SaveFilePanel(string title, string folder, string name, string ending) { return path; }
        public static void SetDirty(Object target) { }
        public static bool DisplayDialog(string title, string text, string ok) { shown = text; return true; }
    }
    public static class Undo { public static void RecordObject(Object target, string name) { } }
}

namespace NUnit.Framework
{
    public sealed class TestCaseSourceAttribute : Attribute { public TestCaseSourceAttribute(string name) { } }
    public static class Assert { public static void Ignore(string text) { throw new Exception(text); } }
}
