# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from parablock.errors import Error

#: File that marks a folder as a package, which a new package may replace.
_MANIFEST = "manifest.json"


def make_scratch() -> tempfile.TemporaryDirectory[str]:
    """Creates a temporary folder for a `with`; it is also removed if Python exits.

    A running call may still write to the folder while it is removed; that is no error.
    """
    return tempfile.TemporaryDirectory(prefix="parablock-", ignore_cleanup_errors=True)


@contextlib.contextmanager
def replace_file(path: str | Path) -> Iterator[BinaryIO]:
    """Yields a file to write to, which becomes `path` once all is written.

    It has a random name beside `path` until then, and is on the disk before it
    takes the other. Devices, pipes and open files of the process are written to
    as they are; links stay links, and files keep their permissions.
    """
    try:
        if _is_special(path):
            with open(path, "ab") as file:
                yield file
            return
        target = Path(os.path.realpath(path))
        with _open_partial(target) as file:
            partial = Path(file.name)
            try:
                yield file
                file.flush()
                os.fsync(file.fileno())
                partial.replace(target)
            finally:
                partial.unlink(missing_ok=True)
        _synchronize(target.parent)
    except OSError as problem:
        raise Error(f"cannot write '{path}': {problem.strerror}") from problem


def _is_special(path: str | Path) -> bool:
    """Returns whether `path` is a special file that a rename would replace."""
    opened = os.fspath(path).startswith(("/dev/fd/", "/dev/std", "/proc/"))
    return os.path.exists(path) and (opened or not os.path.isfile(path))


def _open_partial(target: Path) -> BinaryIO:
    """Creates a new file beside `target`, safe against planted links."""
    name = target.with_name(f"{target.name[:200]}.{secrets.token_hex(8)}.tmp")
    flags = os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_WRONLY
    file = open(name, "wb", opener=lambda path, _: os.open(path, flags, 0o666))
    try:
        if target.exists():
            os.fchmod(file.fileno(), target.stat().st_mode & 0o777)
    except BaseException:
        file.close()
        name.unlink()
        raise
    return file


def _synchronize(folder: Path) -> None:
    """Writes names to the disk, if the file system supports it."""
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def replace_package(path: str | Path) -> contextlib.AbstractContextManager[Path]:
    """Yields a folder to write to, which replaces the package `path`."""
    return replace_folder(path, _MANIFEST, "package")


@contextlib.contextmanager
def replace_folder(
    path: str | Path, mark: str, kind: str = "checkpoint"
) -> Iterator[Path]:
    """Yields a folder to write to, which replaces `path`.

    What has the name has to be of the same `kind`, which the file `mark` says.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not _is_replaceable(target, mark):
        raise Error(
            f"'{path}': expected a {kind} to replace, or nothing, got "
            + ("another folder" if target.is_dir() else "a file")
        )
    scratch = None
    try:
        scratch = tempfile.mkdtemp(prefix=f"{target.name}.partial-", dir=target.parent)
        yield Path(scratch, "new")
        _put(Path(scratch, "new"), target)
    except OSError as problem:
        raise Error(f"cannot write '{path}': {problem.strerror}") from problem
    finally:
        if scratch is not None:
            shutil.rmtree(scratch, ignore_errors=True)


#: Of Linux: two names change places in one step, so that neither is ever missing.
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


def _put(new: Path, target: Path) -> None:
    """Renames a folder; the previous one of that name takes its place."""
    if target.exists():
        names = (os.fsencode(new), os.fsencode(target))
        library = ctypes.CDLL(None, use_errno=True)
        arguments = (_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE)
        if library.renameat2(*arguments) == 0:
            return
        # File systems without that: an empty folder gives way, others step aside.
        old = Path(f"{new}.old")
        try:
            os.replace(target, old)
            os.replace(new, target)
        except BaseException:
            if old.exists() and not target.exists():
                os.replace(old, target)
            raise
    else:
        os.replace(new, target)


def write_hash(path: Path) -> None:
    """Writes a file's SHA-256 beside it, as sha256sum does."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    Path(f"{path}.sha256").write_text(f"{digest}  {path.name}\n")


def _is_replaceable(folder: Path, mark: str) -> bool:
    return folder.is_dir() and ((folder / mark).exists() or not any(folder.iterdir()))


def write_output(path: str, text: str) -> None:
    """Writes a file that appears whole or not at all; `-` is standard output."""
    if path == "-":
        sys.stdout.write(text)
        return
    with replace_file(path) as file:
        file.write(text.encode())
