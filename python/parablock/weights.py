# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checkpoints: safetensors files, in one piece or several, mapped into memory."""

from __future__ import annotations

import dataclasses
import json
import mmap
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from parablock.errors import Error
from parablock.tensors import convert

if TYPE_CHECKING:
    from parablock._core import TensorInfo

_KEYWORDS = {
    "F64": "f64",
    "F32": "f32",
    "F16": "f16",
    "BF16": "bf16",
    "I64": "i64",
    "I32": "i32",
    "I16": "i16",
    "I8": "i8",
    "U8": "ui8",
    "BOOL": "i1",
}
_STORED = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "bf16": np.uint16,
    "i64": np.int64,
    "i32": np.int32,
    "i16": np.int16,
    "i8": np.int8,
    "ui8": np.uint8,
    "i1": np.bool_,
}
_FLOATS = ("f64", "f32", "f16", "bf16")
_LARGEST_HEADER = 100_000_000


@dataclasses.dataclass(frozen=True)
class StoredTensor:
    """A tensor as a file has it; bf16 as the 16 bits of each element."""

    array: np.ndarray[Any, Any]
    #: The IR's word for the elements; the file's own where there is none.
    kind: str

    def fit(self, where: str, info: TensorInfo) -> Any:
        """The array as a parameter of the IR; `where` is its file, for errors."""
        if self.kind != info.type and not {self.kind, info.type} <= {*_FLOATS}:
            raise Error(
                f"'{where}': expected '{info.name}' to be {info.type}, got {self.kind}"
            )
        if list(self.array.shape) != info.shape:
            raise Error(
                f"'{where}': expected '{info.name}' to be {info.shape}, got "
                f"{list(self.array.shape)}"
            )
        return convert(self.array, self.kind, info.type)


def read_safetensors(path: Path) -> dict[str, StoredTensor]:
    """All tensors of a file, as views of its mapping."""
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as problem:
        raise Error(f"cannot read '{path}': {problem}") from problem
    try:
        (length,) = struct.unpack_from("<Q", data)
        if length > min(_LARGEST_HEADER, len(data) - 8):
            raise ValueError("the header is longer than the file")
        header = json.loads(data[8 : 8 + length])
        return {
            name: _view(data, 8 + length, entry)
            for name, entry in header.items()
            if name != "__metadata__"
        }
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        struct.error,
    ) as problem:
        raise Error(f"'{path}' is no safetensors file: {problem}") from problem


def _view(data: mmap.mmap, start: int, entry: Mapping[str, Any]) -> StoredTensor:
    begin, end = entry["data_offsets"]
    shape = tuple(entry["shape"])
    kind = _KEYWORDS.get(entry["dtype"])
    if kind is None:
        # Nothing is lost as long as nobody wants it.
        kind, shape = str(entry["dtype"]), (end - begin,)
    dtype = np.dtype(_STORED.get(kind, np.uint8))
    count = int(np.prod(shape, dtype=np.int64))
    if begin < 0 or end - begin != count * dtype.itemsize or start + end > len(data):
        raise ValueError("a tensor does not fit the file")
    array = np.frombuffer(data, dtype, count, start + begin)
    return StoredTensor(array.reshape(shape), kind)


class Checkpoint:
    """The tensors of a folder: model.safetensors, or the parts of its index.

    `files` are some of the folder's instead.
    """

    def __init__(self, folder: Path, files: list[Path] | None = None) -> None:
        self.folder = folder
        self.files = files or _find_files(folder)
        self._tensors: dict[str, StoredTensor] = {}
        for file in self.files:
            self._tensors.update(read_safetensors(file))
        # Keys may have one part more in front: the name of the inner model.
        self._unused = set(self._tensors)
        self._longer: dict[str, str | None] = {}
        for key in self._tensors:
            _, dot, rest = key.partition(".")
            if dot:
                self._longer[rest] = None if rest in self._longer else key

    def __len__(self) -> int:
        return len(self._tensors)

    def find(self, name: str) -> StoredTensor:
        """A tensor by its name, with or without the inner model's."""
        _, _, shorter = name.partition(".")
        for key in (name, shorter, self._longer.get(name)):
            if key and key in self._tensors:
                self._unused.discard(key)
                return self._tensors[key]
        raise Error(f"'{self.folder}': expected tensor '{name}', got none")

    def list_unused(self) -> list[str]:
        """Names that nothing has asked for."""
        return sorted(self._unused)


def _find_files(folder: Path) -> list[Path]:
    index = folder / "model.safetensors.index.json"
    if index.exists():
        try:
            names = set(json.loads(index.read_text())["weight_map"].values())
        except (ValueError, KeyError, AttributeError) as problem:
            raise Error(f"'{index}' is no index of weights: {problem}") from problem
        return [folder / name for name in sorted(names)]
    single = folder / "model.safetensors"
    if single.exists():
        return [single]
    files = sorted(folder.glob("*.safetensors"))
    if len(files) != 1:
        raise Error(
            f"'{folder}': expected model.safetensors or its index, got {len(files)} "
            "files of weights"
        )
    return files


def write_safetensors(
    path: Path, tensors: Iterable[tuple[str, np.ndarray[Any, Any], str]]
) -> None:
    """Writes names, arrays and their element types."""
    words = {kind: word for word, kind in _KEYWORDS.items()}
    header: dict[str, Any] = {}
    arrays: list[np.ndarray[Any, Any]] = []
    offset = 0
    for name, array, kind in tensors:
        array = np.ascontiguousarray(array)
        end = offset + array.nbytes
        header[name] = {
            "dtype": words[kind],
            "shape": list(array.shape),
            "data_offsets": [offset, end],
        }
        arrays.append(array)
        offset = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in arrays:
            file.write(array.reshape(-1).view(np.uint8).data)
