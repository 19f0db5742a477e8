"""Builds the wheel: the C library, the declarations of its header, and the Python modules.

The library is that of the environment variable KINESCOPE_LIBRARY, or else is built by cargo from ../c.
"""

import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from cffi import FFI
from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

C = Path(__file__).resolve().parent.parent / "c"
LIBRARY = {"win32": "kinescope.dll", "darwin": "libkinescope.dylib"}.get(sys.platform, "libkinescope.so")

# The conditions in the header, and whether cffi takes their first branch: it reads C before C23.
BRANCHES = {
    "#ifndef KINESCOPE_H": True,
    "#ifdef __cplusplus": False,
    "#ifndef __cplusplus": True,
    "#if __STDC_VERSION__ >= 202311L": False,
    "#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L": False,
}


def declarations(header):
    """Returns the header's declarations without what cffi's parser lacks: conditions, inclusions and inline functions."""
    header = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    header = re.sub(r"^static inline .*?^}$", "", header, flags=re.S | re.M)
    branches, lines = [], []
    for line in header.splitlines():
        line = line.split("//")[0].rstrip()
        if line.startswith("#if"):
            branches.append(BRANCHES[line])
        elif line.startswith("#else"):
            branches[-1] = not branches[-1]
        elif line.startswith("#endif"):
            branches.pop()
        elif all(branches) and (not line.startswith("#") or re.fullmatch(r"#define \w+ -?\d+", line)):
            lines.append(line)
    return "\n".join(lines)


@functools.cache
def library():
    """Returns the path of the library, which is built if necessary."""
    if "KINESCOPE_LIBRARY" in os.environ:
        return Path(os.environ["KINESCOPE_LIBRARY"])
    # Line tables would make the wheel three times as large.
    environment = {**os.environ, "CARGO_PROFILE_RELEASE_STRIP": "debuginfo"}
    subprocess.run(["cargo", "build", "--locked", "--release"], cwd=C, check=True, env=environment)
    return Path(os.environ.get("CARGO_TARGET_DIR", C / "target")) / "release" / LIBRARY


def version():
    return re.search(r'^version = "(.*)"$', (C / "Cargo.toml").read_text(encoding="utf-8"), re.M).group(1)


class Build(build_py):
    def run(self):
        super().run()
        package = Path(self.build_lib) / "kinescope_ik"
        shutil.copyfile(library(), package / LIBRARY)
        for license in C.parent.parent.glob("LICENSE-*"):
            shutil.copyfile(license, package / license.name)
        ffi = FFI()
        ffi.cdef(declarations((C / "include/kinescope.h").read_text(encoding="utf-8")))
        ffi.set_source("kinescope_ik._header", None)
        ffi.emit_python_code(str(package / "_header.py"))


class Wheel(bdist_wheel):
    """A wheel of one platform, for every Python 3: the library is loaded by name and uses nothing of Python's own interface."""

    def get_tag(self):
        platform = super().get_tag()[2]
        # The newest symbols that the library needs of glibc, as PEP 600 names the platform. PyPI takes no other wheels for Linux.
        needs = [int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", library().read_bytes())]
        if platform.startswith("linux_") and needs:
            platform = platform.replace("linux_", f"manylinux_2_{max(needs)}_")
        return "py3", "none", platform


class Binary(Distribution):
    def has_ext_modules(self):
        return True


setup(version=version(), cmdclass={"build_py": Build, "bdist_wheel": Wheel}, distclass=Binary)
