#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes two integers, one of which no double holds. usage: large_integers.py FILE"""

import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent.parent / "golden"))
import safetensors_io

safetensors_io.write(sys.argv[1], {"a": np.array([1, 2**53 + 1])})
