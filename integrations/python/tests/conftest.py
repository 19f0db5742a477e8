"""The tests of the installed wheel and of the adapters. They use the person of the examples."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "examples"), str(ROOT / "lanes")]

from person import RIG, STANDING

import kinescope_ik as ik


@pytest.fixture
def solver() -> ik.Solver:
    return ik.Solver(RIG)


@pytest.fixture
def standing() -> ik.Array:
    return STANDING.copy()


@pytest.fixture
def reaching() -> ik.Settings:
    settings = ik.Settings()
    settings.effector("left_hand").aim((0.5, 1.3, 0.45))
    return settings
