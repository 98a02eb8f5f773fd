# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two steps of train_tasks.py --tied: all layers have the matrices of the first one, and norms of their own."""

import json
import pathlib
import re
import sys

import numpy as np
import tools

from models import Checks, folder, read_tensors, run

checks = Checks()
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "examples" / "trained" / "train_tasks.py"
with folder():
    sizes = {}
    for form in ("tied", "own"):
        tools.call(sys.executable, SCRIPT, *(["--tied"] if form == "tied" else []), "--steps=2", "--batch=2", "--kinds=brackets",
                   f"--out={form}")
        training = json.loads(pathlib.Path(form, "training.json").read_text())
        sizes[form] = training["parameters"]
        checks.check(f"{form}: recorded", training.get("tied", False) == (form == "tied"), training)
        weights = read_tensors(f"{form}/model.safetensors")
        for name, values in weights.items():
            first = re.sub(r"(?<=layers\.)\d+", "0", name)
            if name != first and name.endswith("_proj.weight"):
                checks.check(f"{form}: {name}", np.array_equal(values, weights[first]) == (form == "tied"))
    # Each of six layers has the same matrices: q and o, k and v, gate, up and down.
    matrices = 2 * 96 * 96 + 2 * 48 * 96 + 3 * 96 * 256
    checks.check("counted once", sizes["own"] - sizes["tied"] == 5 * matrices, sizes)
    run("block-gen", "--config=tied/config.json", "--seq=48", "-o", "model.mlir")
    run("block-run", "model.mlir", "--engine=cpu", "--weights=tied/model.safetensors", "--seed=1")
checks.finish()
