"""The declarations of kinescope.h, which the build of the wheel makes."""

from typing import Any

ffi: Any
