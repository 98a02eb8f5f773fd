#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants faults in the backward passes of models, one at a time, each of which block-run has
to find: exit code 3, and at least one gradient that is off.

    plant_model_faults.py TEMPORARY
"""

import re
import subprocess
import sys

SIZES = "--layers=1 --width=16 --heads=2 --vocab=11 --positions=8 --batch=2 --seq=5".split()
VALUE = r"%\w+(?:#\d+)?"
# Flags of block-gen; then what is wrong, as a pattern in the backward pass and what it becomes.
FAULTS = {
    "llama": [
        ("a rotation that is not inverse", r"block\.rope inverse ", "block.rope "),
        ("queries for keys in a rotation", r"(block\.rope inverse %\d+)#1", r"\1#0"),
        ("another base of a rotation", r"(rope inverse .*)dim = 8", r"\1dim = 4"),
        ("gate and value swapped", rf"(gate_grad {VALUE} of) ({VALUE}), ({VALUE})", r"\1 \3, \2"),
        ("gradients of gate and value swapped", "%gate_gradient, %up_gradient = ", "%up_gradient, %gate_gradient = "),
        ("another activation", "(gate_grad .*)silu", r"\1quick_gelu"),
        ("a gain forgotten", rf"(norm_grad .*) gamma {VALUE}", r"\1"),
        ("another epsilon", r"(norm_grad .*)1\.0e-06", r"\g<1>1.0e-02"),
        ("epsilon at another place", r"(norm_grad .*eps = [^,]*)", r"\1, eps_form = outside_root"),
        ("a gain's gradient without the norm", rf"(column_sums {VALUE}) times {VALUE}", r"\1"),
        ("a scale of the embedding", "(embedding_grad .*){wrt", r"\1{scale = 0.5, wrt"),
        ("a weight's rows and columns", rf"weight_grad\((%\d+)\) of\(({VALUE})\) : (tensor<2x5x16xf32>, tensor<2x5x16xf32>)$",
         r"weight_grad(\2) of(\1) : \3"),
        ("weights of two projections swapped", rf"(linear_sum\(.*,.*,.*\) weights\()({VALUE}), ({VALUE})", r"\1\3, \2"),
        ("a projection's part twice", rf"(linear_sum\()({VALUE}), {VALUE}, ", r"\1\2, \2, "),
        ("the stream twice for stream and branch", rf"(block\.residual )({VALUE}), {VALUE}", r"\1\2, \2"),
        ("the scale of scores", r"(sdpa_grad .*scale = )0\.35355\d*", r"\g<1>0.25"),
        ("the mask of scores", "(sdpa_grad .*), causal = true", r"\1"),
        ("queries and keys swapped", rf"(sdpa_grad {VALUE} of) ({VALUE}), ({VALUE})", r"\1 \3, \2"),
        ("keys and values swapped", rf"(sdpa_grad {VALUE} of {VALUE}), ({VALUE}), ({VALUE})", r"\1, \3, \2"),
    ],
    "gemma2": [
        ("another soft cap", r"(sdpa_grad .*)softcap = 50\.0", r"\1softcap = 5.0"),
        ("a soft cap forgotten", r"(sdpa_grad .*), softcap = 50\.0, order = scale_cap_bias", r"\1"),
        ("another window", "(sdpa_grad .*)window = 4096", r"\1window = 2"),
        ("a gain that is one more", "(norm_grad .*), gamma_form = one_plus", r"\1"),
        ("the embedding's scale forgotten", r"(embedding_grad .*)scale = 4\.0, ", r"\1"),
    ],
    "gpt2": [
        ("the mean's term dropped", rf"(norm_grad .*) mean {VALUE}(.*)kind = layer", r"\1\2kind = rms"),
        ("another GELU", "(activation_grad .*)gelu_tanh", r"\1gelu_erf"),
        ("positions that begin at one", "(embedding_grad .*){wrt", r"\1{position_offset = 1, wrt"),
    ],
    "t5-decoder": [
        ("another scale beside a table", r"(sdpa_grad .* relative .*scale = )1\.0", r"\g<1>0.5"),
        ("a mask beside a table", "(sdpa_grad .* relative .*), causal = true", r"\1"),
    ],
    "shaped": [
        ("two gains swapped", rf"(sdpa_grad .* alpha )({VALUE}) beta ({VALUE})", r"\1\3 beta \2"),
        ("epsilon in the root", "(norm_grad .*), eps_form = outside_root", r"\1"),
    ],
    "gpt2 --loss=cross-entropy --loss-divisor": [
        ("the loss's divisor forgotten", rf"(cross_entropy_grad .*) divisor {VALUE}", r"\1"),
        ("the loss's scale", "(cross_entropy_grad .*){", r"\1{scale = 0.5, "),
        ("the loss's cap", "(cross_entropy_grad .*){", r"\1{softcap = 9.0, "),
    ],
}


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def make_step(family):
    """The step of a model as text, and the place where its backward pass begins."""
    model = run("block-gen", *f"--family={family}".split(), *SIZES).stdout
    loss = "" if "--loss" in family else " loss=sum"
    step = run("block-opt", "--unbroken-lines", f"--block-differentiate=wrt=params{loss}", text=model)
    assert step.returncode == 0, step.stderr
    text = step.stdout
    assert check(text).returncode == 0, f"{family}: a right step did not pass"
    # The loss and the last norm stand before the first backward layer.
    return text, text.index("cross_entropy_grad" if "--loss" in family else " backward")


def check(text):
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(text)
    return run("block-run", sys.argv[1], "--function=main_step", "--check-gradients", "--seed=1")


def plant(text, begin, pattern, replacement):
    """`text` with the first match from the line of `begin` on replaced; empty without one."""
    begin = text.rindex("\n", 0, begin)
    changed, count = re.subn(pattern, replacement, text[begin:], count=1, flags=re.MULTILINE)
    return text[:begin] + changed if count else ""


def main():
    found = 0
    for family, faults in FAULTS.items():
        text, begin = make_step(family)
        for name, pattern, replacement in faults:
            changed = plant(text, begin, pattern, replacement)
            assert changed, f"{family}: there is no place for {name}"
            result = check(changed)
            assert result.returncode == 3 and "FAIL" in result.stdout, (
                f"{family}: {name}: exit code {result.returncode}\n{result.stderr}")
            print(f"{family}: {name}: " + result.stdout.splitlines()[-1])
            found += 1
    print(f"found {found} of {sum(map(len, FAULTS.values()))}")


if __name__ == "__main__":
    main()
