#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a safetensors file with input_ids [2, 17] below 97."""

import sys

import numpy as np
import safetensors_io

numbers = np.arange(34)
safetensors_io.write(sys.argv[1], {"input_ids": ((7 * numbers * numbers + 3 * numbers + 5) % 97).reshape(2, 17)})
