#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--weights-out and --seed give what seeded.py draws by the IR's block.init.

check_weights.py FAMILY...
"""

import pathlib
import re
import sys
import tempfile

import numpy as np

import safetensors_io
import seeded
import tools
from small import FLAGS

SEED = 5
INIT = re.compile(
    r"block\.init = #block\.init<kind = (\w+)(?:, mean = ([^,>]+))?(?:, std = ([^,>]+))?>"
    r"[^{}]*?block\.param = \"([^\"]*)\""
)


def draw(name, kind, mean, deviation, shape):
    count = int(np.prod(shape, dtype=int))
    if kind == "constant":
        values = np.full(count, mean)
    elif kind == "uniform":
        values = mean + deviation * np.sqrt(12.0) * (seeded.uniform(SEED, name, count) - 0.5)
    else:
        values = mean + deviation * seeded.normal(SEED, name, count)
    return values.astype(np.float32).reshape(shape)


def check_family(family):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path, weights = folder / "model.mlir", folder / "weights.safetensors"
        flags = (f"--family={family}", f"--seed={SEED}", f"--weights-out={weights}")
        ir = tools.generate(path, *FLAGS, *flags)
        stored = safetensors_io.read(weights)
        inits = {name: rule for *rule, name in INIT.findall(ir)}
        if not inits or inits.keys() != stored.keys():
            raise tools.Failure(f"names differ: {sorted(inits.keys() ^ stored.keys())}")
        for name, (kind, mean, deviation) in inits.items():
            want = draw(name, kind, float(mean or 0), float(deviation or 1), stored[name].shape)
            # The libraries' logarithms may differ in the last bit.
            if not np.allclose(stored[name], want, rtol=2e-7, atol=1e-12):
                raise tools.Failure(f"{name} is not what its seed gives")
        one = tools.execute(path, folder, f"--seed={SEED}")
        other = tools.execute(path, folder, f"--seed={SEED}", f"--weights={weights}")
        if any(not np.array_equal(one[name], other[name]) for name in one):
            raise tools.Failure("--seed and --weights-out are not the same weights")
    return f"{len(inits)} tensors"


if __name__ == "__main__":
    sys.exit(tools.report([(family, family) for family in sys.argv[1:]], check_family))
