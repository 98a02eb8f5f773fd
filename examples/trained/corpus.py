# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text that every installation of Python has: the sources of its standard library.

Tokens are ASCII codes; files that hold anything else are left out. A file begins
with token 0. By a hash of its name, one file of 32 is for calibration and another
one for the report; neither is trained on.
"""

import hashlib
import pathlib
import sysconfig

import numpy

VOCABULARY = 128
LEFT_OUT = {"test", "tests", "idle_test", "site-packages", "dist-packages", "__pycache__",
            "encodings", "pydoc_data"}


def files(folder):
    for path in sorted(folder.rglob("*.py"), key=lambda path: path.relative_to(folder).as_posix()):
        relative = path.relative_to(folder)
        if not LEFT_OUT.intersection(relative.parts) and path.is_file():
            yield relative.as_posix(), path.read_bytes()


def gather(folder=None):
    """Tokens by set (train, calibration, report), and what there is to say about them."""
    folder = pathlib.Path(folder or sysconfig.get_path("stdlib"))
    parts = {"train": [], "calibration": [], "report": []}
    seen, digest = set(), hashlib.sha256()
    for name, text in files(folder):
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


def rows(stream, count, length):
    """`count` rows of `length` tokens, spread evenly over the stream."""
    if len(stream) < count * length:
        raise SystemExit(f"error: {count} rows of {length} tokens wanted, {len(stream)} tokens there")
    starts = numpy.linspace(0, len(stream) - length, count).astype(numpy.int64)
    return numpy.stack([stream[start : start + length] for start in starts]).astype(numpy.int64)
