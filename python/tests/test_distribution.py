# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types, and the wheel in an environment of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[1]


def _run(*command: object, folder: Path) -> str:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.full
def test_types() -> None:
    _run(sys.executable, "-m", "mypy", folder=_ROOT)


@pytest.mark.full
def test_wheel(tmp_path: Path) -> None:
    import parablock

    library = Path(parablock.__path__[-1])
    native = next(
        folder
        for folder in (library, *map(Path, parablock.__path__))
        if (folder / "libparablock-launch.so").exists()
    )
    (tmp_path / "lib").mkdir()
    for name in ("libparablock-c.so", "libparablock-launch.so"):
        (tmp_path / "lib" / name).symlink_to(native / name)
    _run(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-build-isolation",
        "--no-deps",
        _ROOT,
        f"--config-settings=cmake.define.PARABLOCK_LIBRARY_DIR={tmp_path}/lib",
        folder=tmp_path,
    )
    (wheel,) = tmp_path.glob("parablock-*.whl")
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    _run(python, "-m", "pip", "install", "-q", wheel, folder=tmp_path)
    code = "import parablock.native as n; print(n.get_core_module().version)"
    assert _run(python, "-c", code, folder=tmp_path).strip() == "0.1.0"
