using UnityEngine;

namespace Kinescope.Samples
{
    /// <summary>Moves a target on a circle.</summary>
    public sealed class MoveTarget : MonoBehaviour
    {
        public float radius = 0.25f;
        [Tooltip("Seconds of one round.")]
        public float period = 4;

        Vector3 center;

        void Start()
        {
            center = transform.position;
        }

        void Update()
        {
            var angle = 2 * Mathf.PI * Time.time / Mathf.Max(period, 0.01f);
            transform.position = center + new Vector3(Mathf.Cos(angle), Mathf.Sin(angle), 0) * radius;
        }
    }
}
