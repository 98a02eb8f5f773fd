# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""safetensors files of block-bench, and weights that are stored as numbers or as codes."""

import json
import struct

import numpy as np

KINDS = {"F32": "<f4", "BF16": "<u2", "I8": "<i1", "U8": "<u1", "I64": "<i8"}
#: The relative error that a column's rounding may make; codes are multiplied by rows of bf16.
LIMITS = {"f32": 1e-4, "bf16": 3e-2, "int8": 3e-2, "int4-g128": 3e-2}


def read_tensors(path):
    """Arrays by name; bf16 as float32."""
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        start = file.tell()
    data = np.memmap(path, np.uint8, "r", start)
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        values = data[slice(*entry["data_offsets"])].view(KINDS[entry["dtype"]])
        if entry["dtype"] == "BF16":
            values = (values.astype("<u4") << 16).view("<f4")
        tensors[name] = values.reshape(entry["shape"])
    return tensors


def measure_error(got, want):
    """The relative L2 error."""
    want = want.astype(np.float64)
    norm = np.linalg.norm(want)
    return float(np.linalg.norm(got.astype(np.float64) - want) / norm) if norm else 0.0


class Weights:
    """Tensors by name. A matrix is NAME.weight, or NAME.weight.codes and NAME.weight.scales, perhaps in parts."""

    def __init__(self, tensors, column, is_turned):
        self.tensors, self.column, self.is_turned = tensors, column, is_turned

    @property
    def has_codes(self):
        return self.column not in ("f32", "bf16")

    def find_parts(self, name, suffix):
        """The parts of what a weight is made of, one under the other."""
        found = [self.tensors[each] for part in ("", ".1", ".2") if (each := name + ".weight" + part + suffix) in self.tensors]
        if not found:
            raise KeyError(f"no tensor {name}.weight{suffix}")
        return np.concatenate(found)

    def codes(self, name):
        """Whole numbers [out, in] of 8 bits, and scales [out, groups]."""
        codes, scales = self.find_parts(name, ".codes"), self.find_parts(name, ".scales")
        if self.column == "int8":
            return codes.view("i1"), scales
        halves = codes.view("u1")
        numbers = np.stack([halves & 15, halves >> 4], -1).reshape(len(codes), -1).astype("i1")
        return numbers - np.int8(8), scales

    def linear(self, name, kind=np.float32):
        """A matrix [out, in], of whatever it is stored as."""
        if self.has_codes:
            codes, scales = self.codes(name)
            return codes * np.repeat(scales.astype(kind), codes.shape[1] // scales.shape[1], 1)
        matrix = self.tensors[name + ".weight"].astype(kind, copy=False)
        return matrix.T if self.is_turned else matrix
