# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from parablock.errors import Error

#: What a package has, and so what another one may take the place of.
_MANIFEST = "manifest.json"


@contextlib.contextmanager
def replace_file(path: str | Path) -> Iterator[Path]:
    """Gives the name to write to; the file is `path` once all is written.

    Devices and pipes are written to as they are, and links stay links.
    """
    target = Path(os.path.realpath(path))
    is_special = target.exists() and not target.is_file()
    partial = target if is_special else Path(f"{target}.{os.getpid()}.partial")
    try:
        yield partial
        if not is_special:
            os.replace(partial, target)
    except OSError as problem:
        raise Error(f"cannot write '{path}': {problem.strerror}") from problem
    finally:
        if not is_special:
            partial.unlink(missing_ok=True)


@contextlib.contextmanager
def replace_package(path: str | Path) -> Iterator[Path]:
    """Gives a folder to write to, which takes the place of the package `path`."""
    target = Path(os.path.realpath(path))
    if target.exists() and not _is_replaceable(target):
        raise Error(
            f"'{path}': expected a package to replace, or nothing, got "
            + ("another folder" if target.is_dir() else "a file")
        )
    try:
        scratch = tempfile.mkdtemp(prefix=f"{target.name}.partial-", dir=target.parent)
    except OSError as problem:
        raise Error(f"cannot write '{path}': {problem.strerror}") from problem
    try:
        yield Path(scratch, "new")
        if target.exists():
            os.replace(target, Path(scratch, "old"))
        os.replace(Path(scratch, "new"), target)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _is_replaceable(folder: Path) -> bool:
    return folder.is_dir() and (
        (folder / _MANIFEST).exists() or not any(folder.iterdir())
    )
