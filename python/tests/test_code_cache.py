# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled code that is kept between processes."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parablock

IDS = np.arange(6)[None]


@pytest.fixture(scope="module")
def model(checkpoint: Path) -> Any:
    return parablock.from_pretrained(checkpoint).optimize()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "codes"


@pytest.fixture(scope="module")
def kept(model: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes, Any]:
    """A file of code, what it is, and the numbers of that code."""
    folder = tmp_path_factory.mktemp("kept")
    logits = run(model, folder)
    (file,) = folder.iterdir()
    return file, file.read_bytes(), logits


def run(model: Any, cache: Any, target: str = "cpu") -> Any:
    return model.compile(target, threads=1, cache=cache)(IDS).logits


@contextlib.contextmanager
def uses(hits: int, misses: int) -> Iterator[None]:
    before = parablock.stats()
    yield
    after = parablock.stats()
    found = [after[name] - before[name] for name in ("cache_hits", "cache_misses")]
    assert found == [hits, misses]


def test_kept_code_gives_the_same_bits(model: Any, folder: Path) -> None:
    with uses(0, 1):
        first = run(model, folder)
    with uses(1, 0):
        again = run(model, folder)
    with uses(0, 0):
        anew = run(model, False)
    assert np.array_equal(first, again) and np.array_equal(first, anew)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [file.stat().st_mode & 0o777 for file in folder.iterdir()] == [0o600]


def test_generators_and_other_programs(model: Any, folder: Path) -> None:
    with uses(0, 1):
        first = model.generator(cache=folder)
    with uses(1, 0):
        again = model.generator(cache=folder)
    rows = [[7, 11, 13], [23]]
    found = [made.generate(rows, 6) for made in (first, again)]
    assert np.array_equal(*found)
    with uses(0, 2):  # other IR, and another processor
        run(model, folder)
        run(model, folder, "cpu:x86-64")
    assert len(list(folder.iterdir())) == 3


@pytest.mark.parametrize(
    "damage",
    [
        lambda code: b"",
        lambda code: code[:100],
        lambda code: code[:-1],
        lambda code: code + b"\0",
        lambda code: code[: len(code) // 2] + b"\xff\x00\xff" + code[len(code) // 2 + 3 :],
        lambda code: code.replace(b"code 1", b"code 0", 1),
        lambda code: code.replace(code[17:25], b"00000000", 1),
    ],
)
def test_damaged_code_is_compiled_anew(
    model: Any, folder: Path, kept: Any, damage: Callable[[bytes], bytes]
) -> None:
    file, code, expected = kept
    folder.mkdir(0o700)
    (folder / file.name).write_bytes(damage(code))
    (folder / file.name).chmod(0o600)
    assert damage(code) != code
    with uses(0, 1):
        assert np.array_equal(run(model, folder), expected)
    with uses(1, 0):
        assert np.array_equal(run(model, folder), expected)


def test_code_of_another_program(model: Any, folder: Path, kept: Any) -> None:
    file, _, expected = kept
    run(model, folder, "cpu:x86-64")
    (other,) = folder.iterdir()
    other.rename(folder / file.name)
    with uses(0, 1):
        assert np.array_equal(run(model, folder), expected)


def test_files_that_others_may_have_written(model: Any, folder: Path, kept: Any) -> None:
    file, code, expected = kept
    path = folder / file.name
    folder.mkdir(0o700)
    path.write_bytes(code)
    path.chmod(0o666)
    with uses(0, 1):
        assert np.array_equal(run(model, folder), expected)
    assert path.stat().st_mode & 0o777 == 0o600  # another file
    path.rename(folder / "moved")
    path.symlink_to(folder / "moved")
    with uses(0, 1):
        run(model, folder)
    assert not path.is_symlink() and (folder / "moved").exists()
    path.unlink()
    path.mkdir()
    with uses(0, 1):
        assert np.array_equal(run(model, folder), expected)
    if os.geteuid() == 0:
        path.rmdir()
        path.write_bytes(code)
        os.chown(path, 12345, -1)
        with uses(0, 1):
            run(model, folder)


def test_folders_that_others_may_write_to(
    model: Any, folder: Path, kept: Any, caplog: pytest.LogCaptureFixture
) -> None:
    folder.mkdir()
    folder.chmod(0o777)
    with uses(0, 0), caplog.at_level(logging.WARNING, "parablock"):
        assert np.array_equal(run(model, folder), kept[2])
        run(model, folder)
    said = f"{folder}: expected a folder that no other user may write to"
    assert caplog.text.count(said) == 1 and not list(folder.iterdir())
    if os.geteuid() == 0:
        folder.chmod(0o700)
        os.chown(folder, 12345, -1)
    foreign = folder if os.geteuid() == 0 else Path("/")
    with uses(0, 0), caplog.at_level(logging.WARNING, "parablock"):
        run(model, foreign)
    assert f"{foreign}: expected a folder of the user's own" in caplog.text


def test_no_folder(model: Any, kept: Any, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    with uses(0, 0):
        assert np.array_equal(run(model, file / "codes"), kept[2])


def test_the_files_that_were_not_used_for_longest_go(
    model: Any, folder: Path, kept: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, code, _ = kept
    run(model, folder)
    path = folder / file.name
    others = [folder / f"{digit * 64}.code" for digit in "ab"]
    partial, foreign = folder / f"{'c' * 64}.code.0123.tmp", folder / "notes.txt"
    for number, each in enumerate([*others, partial, foreign]):
        each.write_bytes(bytes(len(code)))
        os.utime(each, (1000 + number, 1000 + number))
    os.utime(path, (500, 500))
    with uses(1, 0):
        run(model, folder)  # which makes it the latest
    monkeypatch.setenv("PARABLOCK_CACHE_LIMIT", str(3 * len(code)))
    with uses(0, 1):
        run(model, folder, "cpu:x86-64")
    assert path.exists() and foreign.exists() and not partial.exists()
    assert not others[0].exists()
    assert sum(f.stat().st_size for f in folder.glob("*.code")) <= 3 * len(code)
    monkeypatch.setenv("PARABLOCK_CACHE_LIMIT", "1KiB")
    with uses(0, 2):  # nothing fits
        run(model, folder)
        run(model, folder)
    monkeypatch.setenv("PARABLOCK_CACHE_LIMIT", "much")
    with pytest.raises(parablock.Error, match="PARABLOCK_CACHE_LIMIT: expected bytes.* 'much'"):
        run(model, folder)


def test_the_environment(
    model: Any, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARABLOCK_CACHE", str(folder))
    with uses(0, 1):
        run(model, None)
    with uses(1, 0):
        run(model, True)
    for off in ("", "0"):
        monkeypatch.setenv("PARABLOCK_CACHE", off)
        with uses(0, 0):
            run(model, None)
    monkeypatch.delenv("PARABLOCK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for place in ("xdg/parablock", "home/.cache/parablock"):
        with uses(0, 1):
            run(model, None)
        assert len(list((tmp_path / place).iterdir())) == 1
        monkeypatch.setenv("XDG_CACHE_HOME", "relative")


@pytest.mark.parametrize("cache", ["", 3, b"codes"])
def test_what_is_no_folder(model: Any, cache: Any) -> None:
    with pytest.raises(parablock.Error, match="option 'cache' requires a folder, True or False, got"):
        model.compile(cache=cache)


_SCRIPT = """
import hashlib, sys, numpy, parablock
model = parablock.from_pretrained(sys.argv[1]).optimize()
logits = model.compile(threads=1)(numpy.arange(6)[None]).logits
stats = parablock.stats()
print(hashlib.sha256(logits.tobytes()).hexdigest(), stats["cache_hits"], stats["cache_misses"])
"""


def test_processes_at_once(checkpoint: Path, folder: Path, kept: Any) -> None:
    def start() -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", _SCRIPT, str(checkpoint)],
            env={**os.environ, "PARABLOCK_CACHE": str(folder)},
            stdout=subprocess.PIPE,
            text=True,
        )

    expected = hashlib.sha256(kept[2].tobytes()).hexdigest()
    for count in (2, 1):
        for process in [start() for _ in range(count)]:
            digest, hits, misses = process.communicate()[0].split()
            assert digest == expected and int(hits) + int(misses) == 1
    assert (hits, misses) == ("1", "0")
    assert [file.suffix for file in folder.iterdir()] == [".code"]
