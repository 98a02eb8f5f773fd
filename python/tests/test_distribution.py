# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types, and the wheel in an environment of its own."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterator
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


def test_the_extension_has_what_its_stubs_say() -> None:
    """All names of both, and those of their classes."""
    from parablock import _core

    stubs = ast.parse((_ROOT / "parablock" / "_core.pyi").read_text())
    assert _list_names(stubs.body) == _list_members(_core)
    for node in stubs.body:
        if isinstance(node, ast.ClassDef):
            assert _list_names(node.body) == _list_members(getattr(_core, node.name))


def _list_names(body: list[ast.stmt]) -> set[str]:
    names = {getattr(node, "name", "") for node in body}
    names |= {n.target.id for n in body if isinstance(n, ast.AnnAssign)}
    return {name for name in names if name and not name.startswith("_")}


def _list_members(value: object) -> set[str]:
    return {name for name in vars(value) if not name.startswith("_")}


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
    # Model.report draws by the package of studies and its style sheet.
    code = "import parablock_studies.page as p, importlib.resources as r; print((r.files(p) / 'style.css').is_file())"
    assert _run(python, "-c", code, folder=tmp_path).strip() == "True"


def test_loading_looks_up_no_functions() -> None:
    code = """
import sys
flags = sys.getdlopenflags()
import parablock.native
parablock.native.get_core_module()
assert sys.getdlopenflags() == flags
"""

    def count(**environment: str) -> int:
        """What the loader looked up by name, until the process ended."""
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, **environment, "LD_DEBUG": "statistics"},
            capture_output=True,
            text=True,
            check=True,
        )
        return max(map(int, re.findall(r"final number of relocations: (\d+)", done.stderr)))

    # Of libMLIR alone there are 26 000.
    assert count() < count(LD_BIND_NOW="1") - 20000


def test_import_without_pytorch_says_what_is_missing() -> None:
    code = """
import sys
sys.modules["torch"] = None
import parablock
try:
    parablock.from_torch(None, ())
except parablock.MissingError as error:
    print(error)
"""
    assert _run(sys.executable, "-c", code, folder=_ROOT) == (
        "from_torch requires PyTorch, which is not installed: pip install torch\n"
    )


def _find_public() -> Iterator[tuple[str, object]]:
    """What users of the package may call, with its name."""
    import parablock

    for name in parablock.__all__:
        value = getattr(parablock, name)
        yield name, value
        # Models inherit what they are as values.
        for kind in value.__mro__ if isinstance(value, type) else ():
            for key, member in vars(kind).items() if kind.__module__.startswith("parablock") else ():
                if not key.startswith("_") and (callable(member) or hasattr(member, "fget")):
                    yield f"{name}.{key}", member


def test_all_that_is_public_is_described() -> None:
    public = dict(_find_public())
    assert {"Model.drift", "Model.optimize", "Drift.chosen"} <= public.keys()
    assert not [name for name, value in public.items() if not value.__doc__]
