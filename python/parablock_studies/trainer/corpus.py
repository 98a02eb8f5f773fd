# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sources of Python's standard library, a text that every installation has.

Tokens are ASCII codes; files that hold anything else are left out. A file begins
with token 0. By a hash of its name, one file of 32 is for calibration and another
one for the report; neither is trained on.
"""

from __future__ import annotations

import hashlib
import pathlib
import sysconfig
from collections.abc import Iterator
from typing import Any

import numpy

LEFT_OUT = {
    *("test", "tests", "idle_test", "site-packages", "dist-packages", "__pycache__"),
    *("encodings", "pydoc_data"),
}


def _list_sources(folder: pathlib.Path) -> Iterator[tuple[str, bytes]]:
    def get_name(path: pathlib.Path) -> str:
        return path.relative_to(folder).as_posix()

    for path in sorted(folder.rglob("*.py"), key=get_name):
        parts = path.relative_to(folder).parts
        if not LEFT_OUT.intersection(parts) and path.is_file():
            yield get_name(path), path.read_bytes()


def gather(
    folder: str | pathlib.Path | None = None,
) -> tuple[dict[str, numpy.ndarray[Any, Any]], dict[str, Any]]:
    """Returns tokens by set (train, calibration, report), and a description."""
    folder = pathlib.Path(folder or sysconfig.get_path("stdlib"))
    parts: dict[str, list[Any]] = {"train": [], "calibration": [], "report": []}
    seen, digest = set(), hashlib.sha256()
    for name, text in _list_sources(folder):
        if not text.isascii() or b"\0" in text or text in seen:
            continue
        seen.add(text)
        digest.update(name.encode() + b"\0" + text)
        number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") % 32
        kind = {0: "calibration", 1: "report"}.get(number, "train")
        parts[kind].append(numpy.frombuffer(b"\0" + text, dtype=numpy.uint8))
    tokens = {kind: numpy.concatenate(texts) for kind, texts in parts.items()}
    facts = {
        "text": f"standard library of Python {sysconfig.get_python_version()}",
        "sha256": digest.hexdigest(),
        "files": {kind: len(texts) for kind, texts in parts.items()},
        "tokens": {kind: len(stream) for kind, stream in tokens.items()},
    }
    return tokens, facts
