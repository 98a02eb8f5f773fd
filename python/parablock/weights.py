# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checkpoints: safetensors files, in one piece or several, mapped into memory."""

from __future__ import annotations

import dataclasses
import json
import math
import mmap
import os
import struct
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO

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
    "F8_E4M3": "f8E4M3FN",
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
    "f8E4M3FN": np.uint8,
    "i1": np.bool_,
}
#: Bytes of an element, by the IR's word.
SIZES = {kind: np.dtype(dtype).itemsize for kind, dtype in _STORED.items()}
_FLOATS = ("f64", "f32", "f16", "bf16")
#: Bytes that codes of type i8 may be stored as.
_BYTES = ("ui8", "f8E4M3FN")
_LARGEST_HEADER = 100_000_000
_LARGEST_SIZE = 2**63 - 1
_MOST_DIMENSIONS = 32
_DEEPEST = 8
#: Nanoseconds in which a file may change twice without another time of change.
_YOUNG = 2_000_000_000


class FileState:
    """A file as it was when it was opened.

    Whoever writes to it, or puts another one in its place, changes one of these
    numbers; no program can set the time of change.
    """

    def __init__(self, path: Path, info: os.stat_result) -> None:
        self._path, self._numbers = path, _list_numbers(info)
        # Clocks tick slowly: within the same tick it could change once more.
        latest = max(info.st_mtime_ns, info.st_ctime_ns)
        self._is_young = time.time_ns() - latest < _YOUNG

    def identify(self) -> str | None:
        """Returns a text that identifies the file; None if it has changed since."""
        try:
            is_same = _list_numbers(os.stat(self._path)) == self._numbers
        except OSError:
            is_same = False
        return " ".join(map(str, self._numbers)) if is_same and not self._is_young else None


def _list_numbers(info: os.stat_result) -> list[int]:
    """Returns the metadata of a file that the file system has."""
    return [info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns]


@dataclasses.dataclass(frozen=True)
class StoredTensor:
    """A stored tensor; bf16 is the 16 bits of each element."""

    array: np.ndarray[Any, Any]
    #: The IR's word for the elements; the file's own where there is none.
    kind: str
    #: Where it lies, if it lies in a file as it is.
    file: FileState | None = None
    offset: int = 0

    def fit(self, where: str, info: TensorInfo) -> Any:
        """Returns the array as a parameter of the IR; `where` is its file, for errors."""
        if self.kind in _BYTES and info.type == "i8":
            return StoredTensor(self.array.view(np.int8), "i8").fit(where, info)
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


    def identify(self) -> str | None:
        """Returns a text that identifies the elements, or None if they have no identity."""
        text = self.file.identify() if self.file else None
        return None if text is None else f"{text} {self.offset} {self.kind}"


#: Parts of names, and what stands for them in files of some model types.
_SPELLINGS = (
    (".mlp.", ".block_sparse_moe."),
    (".experts.gate_up_proj", ".input_linear.weight"),
    (".experts.down_proj", ".output_linear.weight"),
    (".router.weight", ".router.layer.weight"),
)
#: Names of each expert's tensors in place of a stack; rows of gate come before those of up.
_PER_EXPERT = {
    "gate_up_proj": (("gate_proj", "up_proj"), ("w1", "w3")),
    "down_proj": (("down_proj",), ("w2",)),
}
#: Suffixes of the names of codes and scales, and of their stacks.
_SUFFIXES = ("_scale_inv", "_scale", "_packed")


@dataclasses.dataclass(frozen=True)
class StackedTensor:
    """Matrices of experts that are stored one by one, as a parameter of all of them."""

    #: The parts of each expert's matrix, which follow one another as its rows.
    parts: Sequence[Sequence[StoredTensor]]
    #: Their names in the file.
    names: Sequence[Sequence[str]] = ()
    #: No file has them as one.
    file: FileState | None = None

    @property
    def kind(self) -> str:
        return self.parts[0][0].kind

    def fit(self, where: str, info: TensorInfo) -> Any:
        """Returns the array as a parameter of the IR; see StoredTensor."""
        kinds = {part.kind for expert in self.parts for part in expert}
        shapes = {tuple(part.array.shape for part in expert) for expert in self.parts}
        if len(kinds) != 1 or len(shapes) != 1:
            raise Error(
                f"'{where}': expected experts of '{info.name}' of one type and one shape, got "
                f"{', '.join(sorted(kinds))} and {sorted(shapes)}"
            )
        matrices = [np.concatenate([part.array for part in expert]) for expert in self.parts]
        return StoredTensor(np.stack(matrices), self.kind).fit(where, info)

    def identify(self) -> str | None:
        """Returns a text that identifies the elements, or None if they have no identity."""
        texts = [part.identify() for expert in self.parts for part in expert]
        return None if None in texts else " ".join(map(str, texts))


def read_safetensors(path: Path) -> dict[str, StoredTensor]:
    """Returns all tensors of a file as views of its mapping."""
    return read_file(path)[0]


def read_file(path: Path) -> tuple[dict[str, StoredTensor], dict[str, str]]:
    """Returns all tensors of a file as views of its mapping, and its metadata.

    What is refused is what the compiler's own reader refuses
    (lib/Files/TensorLayout.cpp).
    """
    try:
        # A pipe without a writer would be waited for.
        with open(path, "rb", opener=open_at_once) as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            state = FileState(path, os.fstat(file.fileno()))
    except (OSError, ValueError) as problem:
        raise Error(f"cannot read '{path}': {problem}") from problem
    try:
        return _read_header(data, state)
    except (ValueError, struct.error) as problem:
        raise Error(f"'{path}' is not a safetensors file: {problem}") from problem


def open_at_once(path: str, flags: int) -> int:
    """Opens a file without blocking on a pipe."""
    return os.open(path, flags | os.O_NONBLOCK)


def _read_header(
    data: mmap.mmap, state: FileState
) -> tuple[dict[str, StoredTensor], dict[str, str]]:
    (length,) = struct.unpack_from("<Q", data)
    if length > min(_LARGEST_HEADER, len(data) - 8):
        raise ValueError("the header is longer than the file, or than 100 MB")
    if data[8:9] != b"{":
        raise ValueError("expected a JSON object as header")
    header = parse_json(data[8 : 8 + length])
    metadata = header.pop("__metadata__", {})
    _check_metadata(metadata)
    start = 8 + length
    placed = [_place(name, entry) for name, entry in header.items()]
    end = 0
    for place in sorted(placed):
        if place.begin != end:
            raise ValueError(
                f"expected the data of '{place.name}' from offset {end}, got "
                f"{place.begin}"
            )
        end = place.end
    if end != len(data) - start:
        raise ValueError(f"expected {end} bytes of data, got {len(data) - start}")
    return {place.name: place.view(data, start, state) for place in placed}, metadata


def _check_metadata(metadata: Any) -> None:
    if not isinstance(metadata, dict) or not all(
        isinstance(value, str) for value in metadata.values()
    ):
        raise ValueError("expected __metadata__ to be an object of strings")


@dataclasses.dataclass(frozen=True, order=True)
class _Place:
    """Where a tensor lies, in the order of the data."""

    begin: int
    end: int
    name: str
    kind: str
    shape: tuple[int, ...]

    def view(self, data: mmap.mmap, start: int, state: FileState) -> StoredTensor:
        dtype = np.dtype(_STORED.get(self.kind, np.uint8))
        count = (self.end - self.begin) // dtype.itemsize
        offset = start + self.begin
        array = np.frombuffer(data, dtype, count, offset).reshape(self.shape)
        return StoredTensor(array, self.kind, state, offset)


def _place(name: str, entry: Any) -> _Place:
    if not isinstance(entry, dict) or not isinstance(entry.get("dtype"), str):
        raise ValueError(f"'{name}': expected dtype, shape and data_offsets")
    shape = _get_sizes(name, entry, "shape")
    offsets = _get_sizes(name, entry, "data_offsets")
    if len(offsets) != 2 or offsets[0] > offsets[1]:
        raise ValueError(f"'{name}': expected data_offsets [begin, end]")
    begin, end = offsets
    kind = _KEYWORDS.get(entry["dtype"])
    itemsize = np.dtype(_STORED[kind]).itemsize if kind else 1
    # NumPy makes no array that would be too large if it had elements.
    if math.prod(size for size in shape if size) * itemsize > _LARGEST_SIZE:
        raise ValueError(f"'{name}': expected a size that 64 bits can count")
    if kind is None:
        # Nothing is lost while it is not requested.
        return _Place(begin, end, name, str(entry["dtype"]), (end - begin,))
    if end - begin != math.prod(shape) * itemsize:
        raise ValueError(f"'{name}': expected as many bytes as shape and dtype require")
    return _Place(begin, end, name, kind, tuple(shape))


def _get_sizes(name: str, entry: Mapping[str, Any], key: str) -> list[int]:
    sizes = entry.get(key)
    if (
        not isinstance(sizes, list)
        or len(sizes) > _MOST_DIMENSIONS
        # A truth value is a number for isinstance.
        or not all(type(size) is int and 0 <= size <= _LARGEST_SIZE for size in sizes)
    ):
        raise ValueError(
            f"'{name}': expected at most {_MOST_DIMENSIONS} whole numbers as {key}"
        )
    return sizes


def load_json(text: str | bytes, **hooks: Any) -> Any:
    """Parses JSON of a stranger: everything that is wrong with it is a ValueError."""
    try:
        return json.loads(text, **hooks)
    except RecursionError as problem:
        raise ValueError("nested too deep") from problem


def parse_json(text: bytes) -> dict[str, Any]:
    """Parses an object of strict JSON in UTF-8, without repeated keys.

    Everything that is wrong with it is a ValueError.
    """
    value = load_json(
        text.decode(),
        object_pairs_hook=_make_object,
        parse_int=_parse_int,
        parse_constant=_refuse_word,
    )
    if not isinstance(value, dict):
        raise ValueError("expected a JSON object")
    if _measure_depth(value) > _DEEPEST:
        raise ValueError(f"expected at most {_DEEPEST} nested levels")
    return value


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key is given twice")
    return made


def _parse_int(digits: str) -> int:
    # A number of 20 digits or more without a sign exceeds 64 bits.
    return -1 if digits[0] == "-" else int(digits[:20])


def _refuse_word(word: str) -> None:
    raise ValueError(f"'{word}' is not JSON")


def _measure_depth(value: Any) -> int:
    """Returns the depth of objects and lists."""
    if isinstance(value, str):
        value.encode()  # half a character, which JSON can spell, UTF-8 cannot
    if isinstance(value, dict):
        _measure_depth([*value])
        return 1 + max(map(_measure_depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(_measure_depth, value), default=0)
    return 0


class Checkpoint:
    """The tensors of a folder: model.safetensors, or the parts of its index.

    `files` are some of the folder's instead.
    """

    def __init__(self, folder: Path, files: list[Path] | None = None) -> None:
        self.folder = folder
        self.files = files or _find_files(folder)
        self._tensors: dict[str, StoredTensor] = {}
        #: Metadata of the first file.
        self.metadata: dict[str, str] = {}
        for number, file in enumerate(self.files):
            tensors, metadata = read_file(file)
            if number == 0:
                self.metadata = metadata
            elif _select_own(metadata) != _select_own(self.metadata):
                raise Error(
                    f"'{file}': expected the form of weights that '{self.files[0]}' has, "
                    f"{_select_own(self.metadata)}, got {_select_own(metadata)}"
                )
            if twice := sorted(tensors.keys() & self._tensors.keys()):
                raise Error(f"'{file}': tensor '{twice[0]}' is in another file as well")
            self._tensors.update(tensors)
        # Keys may have one part more in front: the name of the inner model.
        self._unused = set(self._tensors)
        self._longer: dict[str, str | None] = {}
        for key in self._tensors:
            _, dot, rest = key.partition(".")
            if dot:
                self._longer[rest] = None if rest in self._longer else key

    def __len__(self) -> int:
        return len(self._tensors)

    def __contains__(self, name: str) -> bool:
        return name in self._tensors

    def find(self, name: str) -> StoredTensor:
        """Returns a tensor by its name, with or without the inner model's prefix."""
        key = self._find_key(name)
        if key is None:
            raise Error(f"'{self.folder}': expected tensor '{name}', got none")
        self._unused.discard(key)
        return self._tensors[key]

    def find_parameter(self, info: TensorInfo) -> StoredTensor | StackedTensor:
        """Returns the tensor of a parameter; matrices of experts may be stored one by one."""
        path, _, last = info.name.rpartition(".")
        ends = [end for end in _SUFFIXES if last.endswith(end)]
        stack = last.removesuffix(ends[0]) if ends else last
        suffix = ".weight" + last.removeprefix(stack)
        spellings = _PER_EXPERT.get(stack, ())
        if len(info.shape) != 3 or self._find_key(info.name):
            spellings = ()
        for parts in spellings:
            names = [
                [f"{path}.{expert}.{part}{suffix}" for part in parts]
                for expert in range(info.shape[0])
            ]
            if any(self._find_key(name) for expert in names for name in expert):
                tensors = [[self.find(name) for name in expert] for expert in names]
                keys = [[str(self._find_key(name)) for name in expert] for expert in names]
                return StackedTensor(tensors, keys)
        return self.find(info.name)

    def take(self, name: str) -> StoredTensor:
        """Returns a tensor and removes it."""
        tensor = self.find(name)
        key = str(self._find_key(name))
        del self._tensors[key]
        return tensor

    def add(self, name: str, tensor: StoredTensor) -> None:
        """Adds a tensor under a name."""
        self._tensors[name] = tensor
        self._unused.add(name)

    def _find_key(self, name: str) -> str | None:
        """Returns the name in the files of a tensor that find() has."""
        others = (name.replace(own, other, 1) for own, other in _SPELLINGS)
        for spelling in dict.fromkeys((name, *others)):
            _, _, shorter = spelling.partition(".")
            for key in (spelling, shorter, self._longer.get(spelling)):
                if key and key in self._tensors:
                    return key
        return None

    def list_unused(self) -> list[str]:
        """Returns names that were not requested."""
        return sorted(self._unused)


def _select_own(metadata: Mapping[str, str]) -> dict[str, str]:
    """Returns the form of a model that weights are for."""
    return {key: text for key, text in metadata.items() if key.startswith("parablock.")}


def _find_files(folder: Path) -> list[Path]:
    index = folder / "model.safetensors.index.json"
    if index.exists():
        try:
            if index.stat().st_size > _LARGEST_HEADER:
                raise ValueError("more than 100 MB")
            parts = parse_json(index.read_bytes())["weight_map"].values()
            names = sorted(_check_name(name) for name in {*parts})
        except (OSError, ValueError, KeyError, AttributeError, TypeError) as problem:
            raise Error(f"'{index}' is not an index of weights: {problem}") from problem
        return [folder / name for name in names]
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


def _check_name(name: Any) -> str:
    """Rejects names of parts outside of the index's folder."""
    if not isinstance(name, str) or Path(name).name != name or name in ("", ".."):
        raise ValueError(f"expected the name of a file beside it, got {name!r}")
    return name


def write_safetensors(
    path: Path,
    tensors: Iterable[tuple[str, np.ndarray[Any, Any], str]],
    metadata: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Writes a file that appears when it is complete."""
    with path.open("wb") as file:
        write_tensors(file, tensors, metadata)


def write_tensors(
    file: BinaryIO,
    tensors: Iterable[tuple[str, np.ndarray[Any, Any], str]],
    metadata: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Writes names, arrays and their element types."""
    words = {kind: word for word, kind in _KEYWORDS.items()}
    header: dict[str, Any] = {"__metadata__": {**metadata}} if metadata else {}
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
    file.write(struct.pack("<Q", len(text)) + text)
    for array in arrays:
        file.write(array.reshape(-1).view(np.uint8).data)
