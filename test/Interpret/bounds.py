#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes inputs of 6 packed rows: bounds.py FILE BOUND..."""

import pathlib
import sys

import numpy as np

import safetensors_io

safetensors_io.write(
    pathlib.Path(sys.argv[1]),
    {
        "hidden_states": np.ones((1, 6, 16), np.float32),
        "cu_seqlens": np.array([int(bound) for bound in sys.argv[2:]]),
    },
)
