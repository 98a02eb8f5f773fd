#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of gradients of attention, and of attention that drops weights, compiled for both chips: neither spills
nor a stack, nor advice of ptxas. On sm_90a, gradients of WHOLE multiply by wgmma alone, and no others.

usage: gradients.py [FORM SIZE ROWS...]

Forms of scores by their number in gradient_forms.py, sizes of heads, and rows, 0 for an open number; without
arguments, those of SHORT and attention of FORWARD, and in a full run all forms with both sizes of heads.
"""

import concurrent.futures
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

import ptx_checks
import tiers
from gradient_forms import FORMS, PAST_FORMS, Shape, write

CHIPS = ("sm_80", "sm_90a")
ALL_FORMS = [*FORMS, *PAST_FORMS]
# Rows whose number is open.
OPEN = 0
WHOLE = [*itertools.product((0, 1), (64, 128), (512, 500)),
         *itertools.product((2, 3, 12, 13, 21, 23), (64, 128), (512,)), (0, 128, OPEN), (12, 128, OPEN)]
SHORT = [*WHOLE, (5, 128, 512), (14, 128, 512), (15, 64, 512), (18, 64, 512), (22, 64, 512), (6, 64, 512)]
OTHERS = [case for case in itertools.product(range(len(ALL_FORMS)), (64, 128), (512,)) if case not in SHORT]
FORWARD = [("dropout", 64, 512), ("dropout", 128, 512)]
# The most bytes of spills and of a stack that are known, of one kernel each: of keys that queries of several heads
# read, before the loop that looks at no mask, beside lengths or masks of windows and packed sequences, of dropout, of
# queries with a relative table below a soft cap, and of gains and tables that come together.
KNOWN = {((1, 128, 512), "sm_90a", "sdpa_grad_0_keys"): (28, 16),
         ((2, 128, 512), "sm_90a", "sdpa_grad_0_keys"): (52, 56),
         ((3, 128, 512), "sm_90a", "sdpa_grad_0_keys"): (88, 80),
         ((21, 128, 512), "sm_90a", "sdpa_grad_0_keys"): (96, 88),
         ((13, 128, 512), "sm_90a", "sdpa_grad_0_keys"): (28, 24),
         ((12, 128, OPEN), "sm_90a", "sdpa_grad_0_keys"): (40, 24),
         ((23, 64, 512), "sm_90a", "sdpa_grad_0_queries"): (52, 8),
         ((23, 128, 512), "sm_90a", "sdpa_grad_0_queries"): (4, 8),
         ((23, 128, 512), "sm_90a", "sdpa_grad_0_keys"): (44, 24),
         ((5, 64, 512), "sm_90a", "sdpa_grad_0_queries"): (40, 32),
         ((6, 64, 512), "sm_90a", "sdpa_grad_0_queries"): (40, 32),
         ((15, 128, 512), "sm_90a", "sdpa_grad_0_keys"): (4, 8),
         ((24, 128, 512), "sm_90a", "sdpa_grad_0_keys"): (44, 32),
         ((28, 64, 512), "sm_90a", "sdpa_grad_0_queries"): (12, 16),
         ((36, 64, 512), "sm_90a", "sdpa_grad_0_queries"): (4, 8),
         (("dropout", 64, 512), "sm_90a", "sdpa_0"): (36, 32)}


def write_forward(shape):
    """Attention that drops weights."""
    rows = f"tensor<1x4096x{4 * shape.size}xbf16>"
    inputs = ", ".join(f'%{name}: {rows} {{block.input = "{name}"}}' for name in "qkv")
    return f"""func.func @main({inputs}, %s: tensor<1xi64> {{block.input = "s"}}) -> ({rows} {{block.output = "y"}}) {{
  %y = block.sdpa %q, %k, %v seed %s {{heads = 4 : i64, kv_heads = 4 : i64,
      scores = #block.scores<scale = 0.125, causal = true>, dropout = #block.dropout<rate = 0.1, site = 3>}}
    : ({rows}, {rows}, {rows}, tensor<1xi64>) -> {rows}
  return %y : {rows}
}}
"""


def exceeds(kernel, spills, stack):
    """Whether a kernel spills more bytes than these, or has a larger stack."""
    return max(kernel.spill_stores, kernel.spill_loads) > spills or kernel.stack > stack


def check(case):
    """What is wrong, or an empty string."""
    (number, size, rows), chip = case
    form = number if number == "dropout" else ALL_FORMS[number]
    shape = Shape(batch=1, queries=rows, keys=rows, heads=2, kv_heads=1, size=size, value_size=size,
                  past=384, is_open=rows == OPEN)
    with tempfile.TemporaryDirectory() as folder:
        source, ptx = pathlib.Path(folder) / "m.mlir", pathlib.Path(folder) / "k.ptx"
        text = write_forward(shape) if form == "dropout" else write(form, shape, "bf16")
        source.write_text(text, encoding="utf-8")
        done = subprocess.run(["block-translate", "--block-to-ptx", f"--chip={chip}", source, "-o", ptx],
                              capture_output=True, text=True)
        if done.returncode:
            return f"{form} {size} {rows} {chip}: {done.stderr.strip()[:500]}"
        kernels, advice = ptx_checks.measure(str(ptx), chip)
    found = [f"{kernel.name}: {kernel.spill_stores} bytes of spills, {kernel.spill_loads} loaded, "
             f"a stack of {kernel.stack}"
             for kernel in kernels.values() if exceeds(kernel, *KNOWN.get((*case, kernel.name), (0, 0)))]
    if form != "dropout":
        expected = {"HGMMA"} if case[0] in WHOLE and chip == "sm_90a" else {"HMMA"}
        found += [f"{kernel.name}: expected products by {expected}, got {units}" for kernel in kernels.values()
                  if "_grad_" in kernel.name
                  and (units := {"HGMMA", "HMMA"} & kernel.instructions.keys()) and units != expected]
    return f"{form} {size} {rows} {chip}: {'; '.join([*found, *advice])}" if found or advice else ""


def main():
    words = [int(word) for word in sys.argv[1:]]
    named = list(zip(words[::3], words[1::3], words[2::3]))
    cases = list(itertools.product(named or [*SHORT, *FORWARD, *(OTHERS if tiers.FULL else [])], CHIPS))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [text for text in pool.map(check, cases) if text]
    print("\n".join([*found, f"{len(cases)} modules, {len(found)} complaints"]))
    sys.exit(1 if found or not cases else 0)


if __name__ == "__main__":
    main()
