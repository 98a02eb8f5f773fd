# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files and packages that appear whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from parablock.errors import Error
from parablock.output import replace_file, replace_package


def test_files_that_fail_leave_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(ValueError, match="this"), replace_file(path) as file:
        file.write(b"half")
        raise ValueError("this")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    with replace_file(path) as file:
        file.write(b"new")
    assert path.read_text() == "new"


def test_threads_do_not_tear_files(tmp_path: Path) -> None:
    path = tmp_path / "file"

    def write(letter: bytes) -> None:
        for _ in range(40):
            with replace_file(path) as file:
                for _ in range(16):
                    file.write(letter * 4096)

    def read(_: int) -> list[bytes]:
        return [path.read_bytes() for _ in range(200)]

    write(b"a")
    with ThreadPoolExecutor(6) as pool:
        writers = [pool.submit(write, letter) for letter in (b"a", b"b", b"c", b"d")]
        seen = [text for texts in pool.map(read, range(2)) for text in texts]
        for writer in writers:
            writer.result()
    assert all(len(text) == 65536 and len({*text}) == 1 for text in seen)
    assert list(tmp_path.iterdir()) == [path]


def test_planted_links_are_not_followed(tmp_path: Path) -> None:
    path, victim = tmp_path / "file", tmp_path / "victim"
    victim.write_text("mine")
    # The name that the process number gave once.
    planted = tmp_path / f"file.{os.getpid()}.partial"
    planted.symlink_to(victim)
    with replace_file(path) as file:
        file.write(b"new")
    assert victim.read_text() == "mine"
    assert planted.is_symlink()
    assert not path.is_symlink()


def test_links_and_permissions_stay(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("target")
    for text in (b"one", b"two"):
        with replace_file(tmp_path / "link") as file:
            file.write(text)
        assert (tmp_path / "target").read_bytes() == text
        (tmp_path / "target").chmod(0o604)
    assert (tmp_path / "link").is_symlink()
    with replace_file(tmp_path / "target") as file:
        file.write(b"three")
    assert (tmp_path / "target").stat().st_mode & 0o777 == 0o604


def test_devices_and_pipes_are_written_to(tmp_path: Path) -> None:
    with pytest.raises(Error, match="cannot write '/dev/full': No space left"):
        _write_new("/dev/full")
    with pytest.raises(Error, match="Is a directory"):
        _write_new(tmp_path)
    _write_new("/dev/null")
    reader, writer = os.pipe()
    _write_new(f"/dev/fd/{writer}")
    assert os.read(reader, 16) == b"new"
    os.close(reader)
    os.close(writer)


def _write_new(path: str | Path) -> None:
    with replace_file(path) as file:
        file.write(b"new")


@pytest.mark.parametrize("end", ["kill", "full"])
def test_ends_in_the_middle_leave_the_old_file(tmp_path: Path, end: str) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    ended = subprocess.run(
        [sys.executable, "-c", _ENDS[end], str(path)], capture_output=True, text=True
    )
    assert path.read_text() == "old"
    if end == "full":
        assert "Error: cannot write" in ended.stderr
        assert list(tmp_path.iterdir()) == [path]
    else:
        assert ended.returncode == -signal.SIGKILL


_ENDS = {
    "kill": """
import os, signal, sys
from parablock.output import replace_file
with replace_file(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
""",
    "full": """
import resource, signal, sys
from parablock.output import replace_file
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
with replace_file(sys.argv[1]) as file:
    file.write(bytes(5000))
""",
}


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


class _NoExchange:
    """A C library whose file system cannot exchange names."""

    @staticmethod
    def renameat2(*arguments: object) -> int:
        return -1


@pytest.mark.parametrize("exchanges", [True, False])
def test_interrupts_lose_no_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, exchanges: bool
) -> None:
    """Whichever rename is the last, one of the two packages has the name."""
    path = tmp_path / "model.pbk"
    _write(path, "old")
    if not exchanges:
        monkeypatch.setattr("ctypes.CDLL", lambda *words, **named: _NoExchange)
    replace = os.replace
    for last in range(1, 4):
        done = []

        def stop(*names: object, last: int = last, done: list[int] = done) -> None:
            done.append(1)
            if len(done) == last:
                raise KeyboardInterrupt
            replace(*names)  # type: ignore[call-overload]

        monkeypatch.setattr("os.replace", stop)
        with contextlib.suppress(KeyboardInterrupt):
            _write(path, "new")
        monkeypatch.setattr("os.replace", replace)
        assert (path / "manifest.json").read_text() in ("old", "new")
        assert list(tmp_path.iterdir()) == [path]
    assert (path / "manifest.json").read_text() == "new"


def test_full_disks_are_told(tmp_path: Path) -> None:
    path = tmp_path / "model.pbk"
    _write(path, "old")
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with (
        pytest.raises(Error, match=r"cannot write '.*model\.pbk': No space left"),
        replace_package(path) as folder,
    ):
        folder.mkdir()
        raise full
    assert (path / "manifest.json").read_text() == "old"
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


def test_files_are_on_the_disk_before_they_take_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    steps: list[str] = []
    synchronize, replace = os.fsync, Path.replace

    def note_synchronized(opened: int) -> None:
        is_folder = os.path.samefile(f"/proc/self/fd/{opened}", tmp_path)
        steps.append("folder" if is_folder else f"{os.fstat(opened).st_size} bytes")
        synchronize(opened)

    def note_replaced(self: Path, target: Path) -> Path:
        steps.append("name")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", note_synchronized)
    monkeypatch.setattr(Path, "replace", note_replaced)
    with replace_file(path) as file:
        file.write(b"12345")
    assert steps == ["5 bytes", "name", "folder"]
    assert path.read_bytes() == b"12345"
