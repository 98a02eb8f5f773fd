#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes counts of caches as inputs: given.py FILE PAST_LENGTHS [STARTS] [LOGITS_TO_KEEP], "" for none"""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "golden"))

import safetensors_io

NAMES = ("past_lengths", "starts", "logits_to_keep")
lists = {name: np.array([int(word) for word in text.split(",")]) for name, text in zip(NAMES, sys.argv[2:]) if text}
safetensors_io.write(sys.argv[1], lists)
