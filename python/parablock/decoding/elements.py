# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layout of elements in buffers."""

from __future__ import annotations

import numpy as np

#: NumPy's types of elements; bf16 as its 16 bits.
STORED = {"f32": np.float32, "f16": np.float16, "bf16": np.uint16, "f64": np.float64}
