# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bytes of a report are those that launches move, before norms are folded and after."""

import json
import re
import sys
from pathlib import Path

from tools import require as run

SIZES = "--scope=block --layers=1 --width=64 --heads=4 --batch=2 --seq=17".split()
FOLDED = "--block-expand --block-share-norm-stats --block-fold-norm".split()
MERGED = [*FOLDED, "--block-fuse-input-projections"]
BYTES = {"f32": 4, "bf16": 2, "f16": 2}


def report(path, *passes):
    """Returns the bytes of the layer."""
    text = run("block-opt", path, *passes, "--block-report=format=json file=-", "-o", "/dev/null")
    (layer,) = json.loads(text)["layers"]
    return layer["bytes"]


def explain_before(path, *passes):
    """Returns the bytes before rewrites, of a file that has no log of them."""
    text = re.sub(r"\s+attributes \{log = \[.*?\]\}", "", run("block-opt", path, *passes), flags=re.S)
    assert "#block.decision" not in text
    bare = path.with_suffix(".bare.mlir")
    bare.write_text(text)
    text = run("block-opt", bare, "--block-explain=format=json file=-", "-o", "/dev/null")
    (layer,) = json.loads(text)["layers"]
    return layer["bytes"]["before"]


def count_plan(path):
    """Returns the bytes of activations that the launches of a call read and write."""
    text = run("block-opt", path, "--block-to-cpu")
    tensors = {
        name: BYTES[dtype] * batch * rows * width
        for name, dtype, *sizes in re.findall(
            r"(%\S+) = plan\.tensor \S+ (?:input \d+|temporary) : (\w+) \[(\d+), (\d+), (\d+)\]", text
        )
        for batch, rows, width in [map(int, sizes)]
        if width > 1
    }
    calls = text.split("plan.run {", 1)[1].split("plan.return", 1)[0]
    launches = re.findall(r"plan\.launch \S+?\(([^)]*)\)\s*-> \(([^)]*)\)", calls)
    assert launches
    moved = [name for launch in launches for side in launch for name in side.split(", ")]
    return sum(tensors.get(name, 0) for name in moved)


def main(folder):
    counts = 0
    for family in ("gpt2", "llama", "gemma2", "gptj"):
        found = {}
        for dtype in BYTES:
            path = Path(folder) / f"{family}-{dtype}.mlir"
            run("block-gen", f"--family={family}", *SIZES, f"--dtype={dtype}", "-o", path)
            drawn, *rewritten = (report(path, *passes) for passes in ([], FOLDED, MERGED))
            fused = report(path, "--block-optimize")
            assert fused == count_plan(path), (family, dtype, fused, count_plan(path))
            for before in ([], FOLDED, MERGED):
                assert explain_before(path, "--block-expand", *before[1:]) == drawn, (family, dtype, before)
            # The row that a norm of its own writes is not written.
            assert fused < min(rewritten) and max(rewritten) < drawn, (family, dtype)
            found[dtype] = [drawn, *rewritten, fused]
            counts += 1
        halves = [count // 2 for count in found["f32"]]
        assert found["bf16"] == found["f16"] == halves, (family, found)
    print(counts, "models move what their reports count")


if __name__ == "__main__":
    main(*sys.argv[1:])
