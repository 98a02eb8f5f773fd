# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Seeds of what tests draw: a test's name is its seed, whichever tests run before it."""

from __future__ import annotations

import random
import zlib

import numpy as np
import torch


def seed_by_name(name: str) -> None:
    """Seeds the generators that draw where no other one is given."""
    seed = zlib.crc32(name.encode())
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
