"""The script that makes names and settings from the header."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))

import generate

HEADER = """
// All new.
typedef struct KinescopeNew {
    // The stiffness. From 0 to 2, by default 0.5.
    float spring;
    // Whether it swings. 0 means no.
    uint32_t swings;
    // Whether `goal` is set. 0 means the hand's place.
    uint32_t has_goal;
    // The goal.
    struct KinescopeVec3 goal;
    // Whether `turn` is set. 0 means no.
    uint32_t has_turn;
    // The "turn".
    struct KinescopeQuat turn;
    // Its smoothing. A number of KinescopeSmoothing.
    uint32_t smoothing;
    // Indexed by KinescopeLimb.
    struct KinescopeChainSettings chains[KINESCOPE_LIMBS];
} KinescopeNew;
"""


def test_every_kind_of_field_has_a_descriptor() -> None:
    about, fields = generate.structures(HEADER)["New"]
    assert about == "All new."
    without = {"goal": "the hand's place.", "turn": ""}
    made = {own.name: generate.quoted(generate.field(own, without.get(own.name))) for own in fields}
    del made["has_goal"], made["has_turn"]
    assert made == {
        "spring": 'Number("The stiffness. From 0 to 2, by default 0.5.")',
        "swings": 'Flag("Whether it swings.")',
        "goal": 'OptionalVector("The goal; None means the hand\'s place.")',
        "turn": 'OptionalRotation("The \\"turn\\".")',
        "smoothing": 'Choice(SMOOTHINGS, "Its smoothing.")',
        "chains": 'Groups(ChainSettings, LIMBS, "Indexed by LIMBS.")',
    }


def test_the_tables_are_up_to_date() -> None:
    subprocess.run([sys.executable, str(HERE / "generate.py"), "--check"], check=True)
