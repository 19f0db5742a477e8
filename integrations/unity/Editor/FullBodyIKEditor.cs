using System;
using System.IO;
using UnityEditor;
using UnityEngine;

namespace Kinescope.EditorTools
{
    /// <summary>The inspector of <see cref="FullBodyIK"/>: its parameters, bones, presets and the connection to a window.</summary>
    [CustomEditor(typeof(FullBodyIK))]
    public sealed class FullBodyIKEditor : Editor
    {
        public override bool RequiresConstantRepaint()
        {
            return Own.IsAttached;
        }

        FullBodyIK Own
        {
            get { return (FullBodyIK)target; }
        }

        public override void OnInspectorGUI()
        {
            DrawDefaultInspector();
            if (GUILayout.Button("Detect bones"))
            {
                Detect();
            }
            if (GUILayout.Button("Import preset…"))
            {
                WithFile(EditorUtility.OpenFilePanel("Import preset", "", "json"), Import);
            }
            if (GUILayout.Button("Export preset…"))
            {
                WithFile(EditorUtility.SaveFilePanel("Export preset", "", Own.name, "json"), path => File.WriteAllText(path, Own.ExportPreset()));
            }
            if (!Application.isPlaying)
            {
                EditorGUILayout.HelpBox("Attach to Kinescope in play mode. Start the window with: kinescope --listen", MessageType.Info);
                return;
            }
            if (!Own.IsAttached && GUILayout.Button("Attach to Kinescope"))
            {
                Guard(Own.Attach);
            }
            else if (Own.IsAttached && GUILayout.Button("Detach from Kinescope"))
            {
                Own.Detach();
            }
            EditorGUILayout.HelpBox(Own.LinkState, MessageType.Info);
        }

        void Detect()
        {
            Undo.RecordObject(target, "Detect bones");
            var found = Own.references.Detect(Own.GetComponentInChildren<Animator>());
            EditorUtility.SetDirty(target);
            if (!found)
            {
                EditorUtility.DisplayDialog("Detect bones", "There is no Animator with a humanoid avatar. At the start, bones are detected by "
                    + "name and position; to set them yourself, fill in References.", "OK");
            }
        }

        void Import(string path)
        {
            Undo.RecordObject(target, "Import preset");
            Own.ImportPreset(File.ReadAllText(path));
            EditorUtility.SetDirty(target);
        }

        static void WithFile(string path, Action<string> work)
        {
            // A panel that the user cancels returns an empty path.
            if (!string.IsNullOrEmpty(path))
            {
                Guard(() => work(path));
            }
        }

        static void Guard(Action work)
        {
            try
            {
                work();
            }
            catch (KinescopeException error)
            {
                EditorUtility.DisplayDialog("Kinescope", error.Message, "OK");
            }
            catch (IOException error)
            {
                EditorUtility.DisplayDialog("Kinescope", error.Message, "OK");
            }
            catch (ArgumentException error)
            {
                EditorUtility.DisplayDialog("Kinescope", error.Message, "OK");
            }
        }
    }
}
