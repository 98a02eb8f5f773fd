# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Codes of 8 and 4 bits in Hugging Face folders, in the form `pack-quantized` of compressed-tensors.

A weight `NAME.weight` of n rows and k columns is `NAME.weight_packed`, words of 32 bits whose
lowest bits are the first column's, `NAME.weight_scale` and `NAME.weight_shape`. A stored code
is the number plus half of the range, as it is in parablock's codes of 4 bits.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from parablock.errors import Error
from parablock.rewriting import get_form
from parablock.weights import Checkpoint, StoredTensor

if TYPE_CHECKING:
    from parablock._core import TensorInfo

_CODES, _SCALES, _WEIGHT = ".codes", ".scales", ".weight"


@dataclasses.dataclass(frozen=True)
class CodeForm:
    """A form of codes: bits of one, and columns of a scale, 0 for whole rows."""

    bits: int
    group: int

    def describe(self, plain: Iterable[str]) -> dict[str, Any]:
        """Returns the section `quantization_config`; `plain` are modules that stay numbers."""
        weights = {
            "num_bits": self.bits,
            "type": "int",
            "symmetric": True,
            "strategy": "group" if self.group else "channel",
            "group_size": self.group or None,
            "dynamic": False,
        }
        return {
            "quant_method": "compressed-tensors",
            "format": "pack-quantized",
            "quantization_status": "compressed",
            "config_groups": {"group_0": {"targets": ["Linear"], "weights": weights}},
            "ignore": sorted(plain),
        }


_FORMS = {"int8": CodeForm(8, 0), "int4-g128": CodeForm(4, 128), "int4-g32": CodeForm(4, 32)}


def find_form(name: str) -> CodeForm:
    """Returns a form that folders keep."""
    form = _FORMS.get(get_form(name))
    if form is None:
        raise Error(
            f"save_pretrained requires codes of int8, int4-g128 or int4-g32, which compressed-tensors "
            f"has, got '{name}': choose one of these, omit weights=, or keep a package by save()"
        )
    return form


@dataclasses.dataclass(frozen=True)
class CodedMatrix:
    """Codes and scales of the weight `name`."""

    name: str
    form: CodeForm
    codes: np.ndarray[Any, Any]
    scales: np.ndarray[Any, Any]

    @property
    def shape(self) -> tuple[int, int]:
        return self.codes.shape[0], self.codes.shape[1] * 8 // self.form.bits

    def pack(self) -> np.ndarray[Any, Any]:
        return pack(self.form, self.codes)

    def is_near(self, weight: np.ndarray[Any, Any]) -> bool:
        """Returns whether the first rows of `weight` are these codes, but for rounding."""
        codes = self.codes[:4]
        if self.form.bits == 4:
            stored = codes.view(np.uint8)
            codes = np.stack([stored & 15, stored >> 4], -1).reshape(len(codes), -1).astype(np.int16) - 8
        width = self.form.group or codes.shape[1]
        scales = np.repeat(self.scales[:4].astype(np.float64), width, 1)
        return bool((np.abs(weight[:4] - codes * scales) <= 0.6 * scales).all())


def list_matrices(
    form: CodeForm,
    weights: Iterable[tuple[TensorInfo, Any]],
    read: Callable[[str], np.ndarray[Any, Any] | None],
) -> list[CodedMatrix]:
    """Returns the weights that are codes; `read` returns those of the checkpoint by name."""
    arrays = {info.name: array for info, array in weights}
    found = []
    for name, codes in arrays.items():
        if not name.endswith(_CODES):
            continue
        name = name.removesuffix(_CODES)
        matrix = CodedMatrix(name, form, np.asarray(codes), np.asarray(arrays[name + _SCALES]))
        weight = read(name) if codes.ndim == 2 and name.endswith(_WEIGHT) else None
        if form.group and matrix.shape[1] % form.group:
            raise Error(
                f"save_pretrained requires columns in multiples of {form.group} for these codes, got "
                f"{matrix.shape[1]} of '{name}': choose weights='int8'"
            )
        if weight is None or weight.shape != matrix.shape or not matrix.is_near(weight):
            raise Error(
                "save_pretrained requires codes of whole matrices that transformers has as Linear, got "
                f"others, of '{name}': omit weights= in optimize(), or keep a package by save()"
            )
        found.append(matrix)
    return found


def pack(form: CodeForm, codes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Returns the words of codes of `i8`: numbers of 8 bits, or two codes of 4 bits in a byte."""
    stored = codes.view(np.uint8)
    if form.bits == 8:
        stored = stored ^ np.uint8(0x80)
    missing = -stored.shape[1] % 4
    stored = np.pad(stored, ((0, 0), (0, missing)))
    return np.ascontiguousarray(stored).view("<i4")


def unpack(form: CodeForm, words: np.ndarray[Any, Any], width: int) -> np.ndarray[Any, Any]:
    """Returns `width` bytes of each row of words, as `pack` takes them."""
    stored = np.ascontiguousarray(words).view(np.uint8)[:, :width]
    if form.bits == 8:
        stored = stored ^ np.uint8(0x80)
    return np.ascontiguousarray(stored).view(np.int8)


def unpack_checkpoint(name: str, checkpoint: Checkpoint) -> None:
    """Gives a checkpoint codes of parablock in place of words."""
    form = find_form(name)
    for key in checkpoint.list_unused():
        if not key.endswith("_packed"):
            continue
        weight = key.removesuffix("_packed")
        words, shape = checkpoint.take(key).array, checkpoint.take(weight + "_shape").array
        scales = checkpoint.take(weight + "_scale")
        width = -(-int(shape[1]) * form.bits // 8) if shape.shape == (2,) else 0
        if words.dtype != np.int32 or words.ndim != 2 or (len(words), -(-width // 4)) != (
            int(shape[0]),
            words.shape[1],
        ):
            raise Error(
                f"'{checkpoint.folder}': expected '{key}' as words of 32 bits for {shape.tolist()} codes, "
                f"got {words.dtype} {list(words.shape)}"
            )
        checkpoint.add(weight + _CODES, StoredTensor(unpack(form, words, width), "i8"))
        checkpoint.add(weight + _SCALES, scales)
