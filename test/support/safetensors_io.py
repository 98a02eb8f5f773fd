# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads and writes safetensors files with NumPy alone."""

import json
import pathlib

import numpy as np

_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8", "I32": "<i4", "I16": "<i2",
          "I8": "<i1", "BOOL": "?"}


def read_raw(path):
    """Name to (type, shape, bytes)."""
    data = pathlib.Path(path).read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    tensors = {}
    for name, entry in json.loads(data[8:start]).items():
        if name != "__metadata__":
            first, last = entry["data_offsets"]
            tensors[name] = entry["dtype"], entry["shape"], data[start + first : start + last]
    return tensors


def read_metadata(path):
    """The texts that stand beside the tensors."""
    with open(path, "rb") as file:
        return json.loads(file.read(int.from_bytes(file.read(8), "little"))).get("__metadata__", {})


def read(path):
    """Name to array; bf16 comes back as float32."""
    tensors = {}
    for name, (kind, shape, data) in read_raw(path).items():
        array = np.frombuffer(data, _TYPES[kind])
        if kind == "BF16":
            array = (array.astype(np.uint32) << 16).view(np.float32)
        tensors[name] = array.reshape(shape).copy()
    return tensors


def write_raw(path, tensors):
    """Tensors by name, as (type, shape, bytes)."""
    header, chunks, offset = {}, [], 0
    for name, (kind, shape, data) in tensors.items():
        header[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [offset, offset + len(data)]}
        chunks.append(bytes(data))
        offset += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    pathlib.Path(path).write_bytes(len(text).to_bytes(8, "little") + text + b"".join(chunks))


def write(path, tensors):
    """Arrays of float64, float32, float16, integers of 8 to 64 bits or truth values, each as its own type."""
    names = {np.dtype(numpy_type): name for name, numpy_type in _TYPES.items() if name != "BF16"}
    arrays = {name: np.asarray(array, order="C") for name, array in sorted(tensors.items())}
    write_raw(path, {name: (names[array.dtype], array.shape, array.tobytes()) for name, array in arrays.items()})
