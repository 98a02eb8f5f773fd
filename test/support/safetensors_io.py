# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads and writes safetensors files with NumPy alone."""

import json
import pathlib

import numpy as np

_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8", "I32": "<i4", "I8": "<i1",
          "BOOL": "?"}


def read(path):
    """Name to array; bf16 comes back as float32."""
    data = pathlib.Path(path).read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    tensors = {}
    for name, entry in json.loads(data[8:start]).items():
        if name == "__metadata__":
            continue
        first, last = entry["data_offsets"]
        array = np.frombuffer(data[start + first : start + last], _TYPES[entry["dtype"]])
        if entry["dtype"] == "BF16":
            array = (array.astype(np.uint32) << 16).view(np.float32)
        tensors[name] = array.reshape(entry["shape"])
    return tensors


def write(path, tensors):
    """Arrays of float64, float32, float16, int64, int32, int8 or truth values, each as its own type."""
    header, chunks, offset = {}, [], 0
    names = {np.dtype(numpy_type): name for name, numpy_type in _TYPES.items() if name != "BF16"}
    for name, array in sorted(tensors.items()):
        array = np.asarray(array, order="C")
        header[name] = {
            "dtype": names[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [offset, offset + array.nbytes],
        }
        chunks.append(array.tobytes())
        offset += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    pathlib.Path(path).write_bytes(len(text).to_bytes(8, "little") + text + b"".join(chunks))
