# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a safetensors file with one f32 tensor of ones: FILE NAME SIZES..."""

import sys

import numpy as np
import safetensors_io

path, name, *sizes = sys.argv[1:]
safetensors_io.write(path, {name: np.ones([int(size) for size in sizes], np.float32)})
