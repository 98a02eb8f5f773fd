#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes counts of caches as inputs, "" for none; rows are apart by /.

usage: given.py FILE PAST_LENGTHS [STARTS] [LOGITS_TO_KEEP] [PAGES]
"""

import sys

import numpy as np

import safetensors_io

NAMES = ("past_lengths", "starts", "logits_to_keep", "pages")
lists = {name: np.array([[int(word) for word in row.split(",")] for row in text.split("/")]) for name, text in zip(NAMES, sys.argv[2:]) if text}
lists = {name: rows if name == "pages" else rows[0] for name, rows in lists.items()}
safetensors_io.write(sys.argv[1], lists)
