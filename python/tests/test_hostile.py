# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that lie: the readers of the package say so, and nothing else happens."""

from __future__ import annotations

import json
import os
import random
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import tiers

from parablock import from_pretrained
from parablock.drift import Choice
from parablock.errors import Error
from parablock.special_tokens import read_special_tokens
from parablock.weights import Checkpoint, read_safetensors, write_safetensors

CASES = 20_000 if tiers.FULL else 2_000

_WORDS = [
    '"a"', '"b"', '"F32"', '"U8"', '"dtype"', '"shape"', '"data_offsets"', "null",
    "true", "NaN", "-1", "-0", "0", "1", "7", "1.0", "1e3", str(2**31), str(2**63),
    str(2**64), "1" * 5000, "[", "]", "{", "}", ",", ":", '"', "\\ud800", "\\u0000",
    "\x00", "\xff", "\ufeff", "[" * 2000, '{"a":' * 2000, "//", "'", " " * 100,
]  # fmt: skip


def _mutate(text: bytes, chance: random.Random) -> bytes:
    """A few changes of bytes, spans and words."""
    made = bytearray(text)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(made) + 1)
        end = min(at + chance.choice((0, 0, 1, 1, 4, 20)), len(made))
        word = chance.choice(_WORDS).encode("latin-1", "replace")
        made[at:end] = chance.choice((b"", bytes([chance.randrange(256)]), word))
    return bytes(made)


def _make_weights(chance: random.Random, folder: Path) -> bytes:
    path = folder / "good.safetensors"
    tensors = [
        (name, np.ones([chance.randrange(4) for _ in range(rank)], dtype), kind)
        for name, rank, dtype, kind in (
            ("a", 2, np.float32, "f32"),
            ("h.0.b", 1, np.uint16, "bf16"),
            ("c", 0, np.bool_, "i1"),
        )
    ]
    write_safetensors(path, tensors)
    return path.read_bytes()


def _mutate_weights(good: bytes, chance: random.Random) -> bytes:
    (length,) = struct.unpack_from("<Q", good)
    header, data = good[8 : 8 + length], good[8 + length :]
    style = chance.randrange(8)
    if style < 5:
        header = _mutate(header, chance)
        length = len(header)
    if style == 5:
        length = chance.choice((0, 1, length - 1, length + 1, 2**40, 2**64 - 1))
    if style == 6:
        data = data[: chance.randrange(len(data) + 1)] + bytes(chance.randrange(9))
    made = struct.pack("<Q", length) + header + data
    return _mutate(made, chance) if style == 7 else made


def _try(read: Callable[[], object], content: bytes, case: int) -> bool:
    """Whether it is read; what is raised must be ours."""
    try:
        read()
    except Error:
        return False
    except BaseException as problem:
        pytest.fail(f"case {case}: {type(problem).__name__}: {problem}: {content!r}")
    return True


def test_files_of_weights(tmp_path: Path) -> None:
    chance = random.Random(1)
    path = tmp_path / "model.safetensors"
    accepted = 0
    for case in range(CASES):
        content = _mutate_weights(_make_weights(chance, tmp_path), chance)
        path.write_bytes(content)

        def read(content: bytes = content) -> None:
            stored = read_safetensors(path)
            total = sum(tensor.array.nbytes for tensor in stored.values())
            (length,) = struct.unpack_from("<Q", content)
            assert total == len(content) - 8 - length

        accepted += _try(read, content, case)
    # Changes that change nothing that matters, such as of a name.
    assert 0 < accepted < CASES / 2


def test_indexes_of_weights(tmp_path: Path) -> None:
    chance = random.Random(2)
    write_safetensors(tmp_path / "1.safetensors", [("a", np.ones(2), "f64")])
    write_safetensors(tmp_path / "2.safetensors", [("b", np.ones(2), "f64")])
    index = {"metadata": {}, "weight_map": {"a": "1.safetensors", "b": "2.safetensors"}}
    text = json.dumps(index).encode()
    accepted = 0
    for case in range(CASES):
        content = _mutate(text, chance)
        (tmp_path / "model.safetensors.index.json").write_bytes(content)
        accepted += _try(lambda: Checkpoint(tmp_path), content, case)
    assert 0 < accepted < CASES / 2


@pytest.mark.parametrize(
    "name", ["../1.safetensors", "/1.safetensors", "a/1.safetensors", "..", "", ".", 1]
)
def test_parts_lie_beside_their_index(tmp_path: Path, name: object) -> None:
    folder = tmp_path / "folder"
    (folder / "a").mkdir(parents=True)
    for place in (tmp_path, folder, folder / "a"):
        write_safetensors(place / "1.safetensors", [("a", np.ones(2), "f64")])
    text = json.dumps({"weight_map": {"a": name}})
    (folder / "model.safetensors.index.json").write_text(text)
    with pytest.raises(Error, match="is not an index of weights: expected the name of a"):
        Checkpoint(folder)


@pytest.mark.parametrize(
    "read",
    [from_pretrained, Choice.read, lambda path: read_special_tokens(path.parent, path)],
)
def test_nested_too_deep(tmp_path: Path, read: Callable[[Path], object]) -> None:
    path = tmp_path / "config.json"
    path.write_text("[" * 100_000)
    with pytest.raises(Error, match="config.json"):
        read(tmp_path if read is from_pretrained else path)


def test_a_tensor_in_two_parts(tmp_path: Path) -> None:
    for part in ("1", "2"):
        write_safetensors(tmp_path / part, [("a", np.ones(2), "f64")])
    text = json.dumps({"weight_map": {"a": "1", "b": "2"}})
    (tmp_path / "model.safetensors.index.json").write_text(text)
    with pytest.raises(Error, match="2': tensor 'a' is in another file as well"):
        Checkpoint(tmp_path)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Error, match="cannot read"):
        read_safetensors(tmp_path / "pipe")
