#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes from logits what the loss of targets has to be, and compares.

    check_loss.py [DIVISOR] < lines of print_safetensors.py: logits, loss, targets
"""

import math
import sys


def main():
    tensors = {}
    for line in sys.stdin:
        name, _, rest = line.split(" ", 2)
        shape, values = rest.split("] ")
        tensors[name] = [int(size) for size in shape[1:].split(", ") if size], [float(v) for v in values.split()]
    (*_, vocabulary), logits = tensors["logits"]
    targets = [int(value) for value in tensors["targets"][1]]
    terms = []
    for row, target in enumerate(targets):
        own = logits[row * vocabulary : (row + 1) * vocabulary]
        if target != -100:
            terms.append(math.log(sum(map(math.exp, own))) - own[target])
    want = sum(terms) / float(sys.argv[1] if len(sys.argv) > 1 else len(terms))
    got = tensors["loss"][1][0]
    assert abs(got - want) <= 1e-12 * want, f"expected a loss of {want}, got {got}"
    print(f"{len(terms)} of {len(targets)} targets: the loss is that of the logits")


main()
