#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of one layer of each family, at the sizes it was published with, for many tokens, for one, and for a
number of them that comes later.

    layers.py              a short list
    PARABLOCK_FULL=1       all families, or those of PARABLOCK_SHARD: minutes
    --only=TEXT            those with this in their name, as "phi many"

Each is compiled for sm_90a, and has neither spills nor a stack nor advice of ptxas, but for what cases.LAYER_SPILLS
says, which is not more than there is. Needs the build's tools on PATH.
"""

import argparse
import concurrent.futures
import functools
import os
import sys
import tempfile

import cases
import limits
import tiers
import tools

PHASES = {"many": "--batch=4 --seq=2048", "one": "--batch=1 --seq=1", "open": "--batch=? --seq=?"}
# Families whose products are followed by most: sources and biases, rotation of a part of a head, gate and up.
SHORT = ("gpt-neox many", "phi many", "phi one", "stablelm many", "stablelm one", "falcon-40b open")


def list_cases(everything):
    """Names of families and phases."""
    if not everything:
        return list(SHORT)
    return [f"{family} {phase}" for family in tools.families() for phase in PHASES]


def check(name, fewer):
    family, phase = name.split()
    with tempfile.TemporaryDirectory() as folder:
        try:
            kernels, advice = limits.compile_model(folder, f"--family={family} {PHASES[phase]}", replace=None)
        except (RuntimeError, tools.Failure) as error:
            return 0, f"{name}: {error}\n"
    found = "".join(f"{name}: {line}\n" for line in advice)
    for kernel in kernels.values():
        label = f"{name} {kernel.name}"
        known = max(cases.LAYER_SPILLS.get(label, 0) - fewer, 0)
        if kernel.spill_stores != known or (kernel.spill_loads or kernel.stack) and not known:
            found += (f"{label}: {kernel.spill_stores} bytes of spills, {kernel.spill_loads} bytes loaded, "
                      f"a stack of {kernel.stack}, expected {known}\n")
    return len(kernels), found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--fewer", type=int, default=0, help="so many bytes less than are known, which has to fail")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    names = [name for name in list_cases(tiers.FULL) if options.only in name]
    names = names if options.only else tiers.take_shard(names)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(functools.partial(check, fewer=options.fewer), names))
    print("".join(found for _, found in results), end="")
    complaints = sum(bool(found) for _, found in results)
    print(f"{len(names)} layers, {sum(count for count, _ in results)} kernels, {complaints} complaints")
    sys.exit(1 if complaints or not names else 0)


if __name__ == "__main__":
    main()
