# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the products and attentions that a layer's step takes after the exact rewrites."""

import re
import sys

from tools import require as run

EXPECTED = {"gptj": (3, 5), "nanogpt-palm": (3, 5), "gpt2": (5, 9), "llama": (5, 9)}
ROOTS = re.compile(r'block\.kernel "(?:linear|linear_sum|sdpa)"|= block\.weight_grad|= block\.sdpa_grad')
NORMS = re.compile(r"= block\.(?:normalize|norm_grad) ")


def layers(text):
    """The forward and the backward layer of @main_step."""
    step = text[text.index("@main_step") :]
    starts = [found.start() for found in re.finditer(r'= block\.layer "', step)]
    # Both end where two spaces less than their body's begin a line.
    return [step[start : step.index("\n    }\n", start)] for start in starts]


def main(folder):
    for family, expected in EXPECTED.items():
        model, step = f"{folder}.{family}.mlir", f"{folder}.{family}.step.mlir"
        run("block-gen", f"--family={family}", *"--layers=1 --width=64 --heads=4 --batch=2 --seq=9 --vocab=37".split(), "-o", model)
        text = run("block-opt", model, "--block-differentiate=wrt=params loss=sum", "--block-optimize=chip=sm_90a")
        counted = tuple(len(ROOTS.findall(layer)) for layer in layers(text))
        if counted != expected:
            sys.exit(f"{family}: {counted} products and attentions, expected {expected}")
        left = [len(NORMS.findall(layer)) for layer in layers(text)]
        if family != "nanogpt-palm" and any(left):
            sys.exit(f"{family}: {left} norms are left in forward and backward")
        print(f"{family}: {counted[0]} + {counted[1]}")


if __name__ == "__main__":
    main(sys.argv[1])
