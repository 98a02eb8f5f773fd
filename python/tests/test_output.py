# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files and packages that appear whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from parablock.errors import Error
from parablock.output import replace_file, replace_package


def test_files_that_fail_leave_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(ValueError, match="this"), replace_file(path) as partial:
        partial.write_text("half")
        raise ValueError("this")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    with replace_file(path) as partial:
        partial.write_text("new")
    assert path.read_text() == "new"


def _write(path: Path, text: str, *, fails: bool = False) -> None:
    with replace_package(path) as folder:
        folder.mkdir()
        (folder / "manifest.json").write_text(text)
        if fails:
            raise ValueError("this")


def test_packages_take_the_place_of_packages(tmp_path: Path) -> None:
    path = tmp_path / "model.pbk"
    _write(path, "old")
    with pytest.raises(ValueError, match="this"):
        _write(path, "half", fails=True)
    assert (path / "manifest.json").read_text() == "old"
    _write(path, "new")
    assert (path / "manifest.json").read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_packages_take_the_place_of_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("mine")
    for name, kind in (("file", "a file"), ("folder", "another folder")):
        with pytest.raises(Error, match=f"expected a package to replace, .* {kind}"):
            _write(tmp_path / name, "new")
    with pytest.raises(Error, match="cannot write"):
        _write(tmp_path / "none" / "model.pbk", "new")
    assert (tmp_path / "folder" / "file").read_text() == "mine"
