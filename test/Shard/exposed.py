# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts of exposed sums for each form of layers, on two ranks."""

import json
import subprocess
import sys

MODEL = sys.argv[1]
#: The sums of layers and how many of them are exposed, by layer, then the number with those outside.
CASES = {
    "": ([(2, 2)] * 3, 7),
    "parallelize=blocks=all": ([(1, 1)] * 3, 4),
    "parallelize=blocks=all pairing=shifted": ([(1, 1)] * 4, 5),
    # Each branch reads the stream before the sum, but there is none behind the last one.
    "parallelize=blocks=all pairing=ladder": ([(2, 0), (2, 0), (2, 1)], 2),
    # Serial layers below rungs wait, except for the last sum, which the first rung does not read.
    "parallelize=blocks=2 pairing=ladder": ([(2, 2), (2, 1), (2, 1)], 5),
}
failed = passed = 0
if len(sys.argv) > 2:
    # Models whose kernels could add both sums of a rung at once.
    CASES = {key: value for key, value in CASES.items() if key.endswith("blocks=all pairing=ladder")}
for conversion, (layers, whole) in CASES.items():
    for kernels in ("", "--block-optimize"):
        if kernels and not conversion:
            continue
        flags = [f"--block-{conversion}"] if conversion else []
        command = ["block-opt", MODEL, *flags, *([kernels] if kernels else []), "--block-shard=ranks=2",
                   "--block-report=format=json file=-", "-o", "/dev/null"]
        report = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        sums = [layer["collectives"] for layer in report["layers"]]
        found = [(each["all_reduce"], each["exposed"]) for each in sums], report["model"]["exposed_sums"]
        good = found == (layers, whole)
        passed, failed = passed + good, failed + (not good)
        if not good:
            print("FAILED:", conversion, kernels, "expected", (layers, whole), "got", found)
print(f"{passed} passed, {failed} failed")
