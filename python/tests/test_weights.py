# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of weights."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from parablock.errors import Error
from parablock.tensors import convert
from parablock.weights import Checkpoint, read_safetensors, write_safetensors


def test_round_trip(tmp_path: Path) -> None:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    write_safetensors(tmp_path / "w.safetensors", [("a.b", array, "f32")])
    stored = read_safetensors(tmp_path / "w.safetensors")["a.b"]
    assert stored.kind == "f32"
    assert np.array_equal(stored.array, array)
    assert not stored.array.flags.owndata


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00" * 4,
        struct.pack("<Q", 1 << 60),
        struct.pack("<Q", 2) + b"[]",
        struct.pack("<Q", 65)
        + b'{"a":{"dtype":"F32","shape":[9],"data_offsets":[0,36]}}          ',
    ],
)
def test_damaged_files(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "w.safetensors"
    path.write_bytes(content)
    with pytest.raises(Error, match=r"w\.safetensors"):
        read_safetensors(path)


def test_names_with_another_beginning(tmp_path: Path) -> None:
    array = np.ones(2, np.float32)
    write_safetensors(tmp_path / "model.safetensors", [("model.h.0.w", array, "f32")])
    checkpoint = Checkpoint(tmp_path)
    assert checkpoint.find("h.0.w").kind == "f32"
    assert checkpoint.find("model.h.0.w").kind == "f32"
    with pytest.raises(Error, match=r"'h\.1\.w'"):
        checkpoint.find("h.1.w")


def test_many_elements_are_converted_like_few() -> None:
    bits = np.random.default_rng(1).integers(0, 1 << 32, (3, 70001), dtype=np.uint32)
    values = bits.view(np.float32)
    with np.errstate(invalid="ignore"):
        rounded = ((bits.astype(np.uint64) + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)
    expected = np.where(np.isnan(values), 0x7FC0, rounded)
    assert np.array_equal(convert(values, "f32", "bf16"), expected)
    assert np.array_equal(convert(values.T, "f32", "bf16"), expected.T)
    widened = convert(expected, "bf16", "f32").view(np.uint32)
    assert np.array_equal(widened, expected.astype(np.uint32) << 16)


def test_bf16_rounds_half_to_even() -> None:
    values = np.array([1.0, 1.00390625, 1.01171875, np.nan, -2.5], np.float32)
    bits = convert(values, "f32", "bf16")
    back = convert(bits, "bf16", "f32")
    assert np.array_equal(back, [1.0, 1.0, 1.015625, np.nan, -2.5], equal_nan=True)
