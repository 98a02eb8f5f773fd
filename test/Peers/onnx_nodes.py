#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX's own test cases for what blocks are made of, on every engine.

usage: onnx_nodes.py FOLDER

Cases and their numbers are those of the `onnx` package. Each node is written down in
our dialect, run, and held against what the case expects. A case that cannot be written
so is in a list here with its reason, and the list has to be right. Without
PARABLOCK_FULL, a few cases of each kind are run, in turn by the reference and for
sm_80, or on the CPU and for sm_90a.
"""

import collections
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import warnings

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
import safetensors_io
import tiers

from onnx_programs import PROGRAMS, Inexpressible

ENGINES = {"reference": [], "cpu": ["--threads=1"], "sm_80": [], "sm_90a": []}
SAMPLE = """
attention_4d_gqa_causal attention_4d_diff_heads_sizes_attn_mask attention_3d_gqa_softcap
attention_4d_gqa_with_past_and_present_fp16 attention_4d_diff_heads_mask4d_padded_kv attention_4d_causal_bf16
attention_23_boolmask_fullymasked_row_nan_robustness attention_local_window_with_past attention_bidirectional_window
rotary_embedding_with_interleaved_rotary_dim rms_normalization_4d_axis2 layer_normalization_3d_axis1_epsilon
gelu_tanh_2 gelu_default_1 swish softmax_axis_1 hardswish mish softplus
""".split()
# Why each of these is not a program of ours.
SCORES = "scores or weights are a result"
LISTED = {SCORES: """
attention_23_fullymasked_qk_matmul_output_mode3_zero attention_24_fullymasked_qk_matmul_output_mode3_zero
attention_24_qk_matmul_output_mode3_softmax_precision attention_3d_with_past_and_present_qk_matmul
attention_3d_with_past_and_present_qk_matmul_bias attention_3d_with_past_and_present_qk_matmul_softcap
attention_3d_with_past_and_present_qk_matmul_softmax attention_4d_with_past_and_present_qk_matmul
attention_4d_with_past_and_present_qk_matmul_bias attention_4d_with_past_and_present_qk_matmul_bias_3d_mask
attention_4d_with_past_and_present_qk_matmul_bias_3d_mask_causal
attention_4d_with_past_and_present_qk_matmul_bias_4d_mask
attention_4d_with_past_and_present_qk_matmul_bias_4d_mask_causal attention_4d_with_qk_matmul
attention_4d_with_qk_matmul_bias attention_4d_with_qk_matmul_softcap attention_4d_with_qk_matmul_softmax
attention_local_window_gqa_rank4_mask
""".split()}


def load_cases():
    """Name to case, of the operators that are known here."""
    with warnings.catch_warnings():
        # What other operators' cases overflow.
        warnings.simplefilter("ignore")
        from onnx.backend.test import loader
        cases = loader.load_model_tests(kind="node")
    found = {}
    for case in cases:
        nodes = case.model.graph.node
        if len(nodes) == 1 and nodes[0].op_type in PROGRAMS:
            found[case.name.removeprefix("test_")] = case
    return found


def translate(case):
    """The program of a case; raises where there is none."""
    import onnx
    node = case.model.graph.node[0]
    attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    given, expected = case.data_sets[0]
    inputs = dict(zip([name for name in node.input if name], given))
    # By their places, whatever they are called.
    operands = [inputs.get(name) for name in node.input]
    outputs = dict(zip([name for name in node.output if name], expected))
    return PROGRAMS[node.op_type](operands, attributes, [outputs.get(name) for name in node.output])


def find_error(got, expected, case):
    """What is wrong with a result, or an empty string."""
    rounding = {"float32": 2**-23, "float16": 2**-10, "bfloat16": 2**-7}[expected.dtype.name]
    got, expected = got.astype(np.float64), expected.astype(np.float64)
    if got.shape != expected.shape:
        return f"expected {expected.shape}, got {got.shape}"
    scale = np.abs(expected).max(initial=0)
    limit = case.atol + case.rtol * np.abs(expected) + 4 * rounding * scale
    excess = np.abs(got - expected) - limit
    return "" if (excess <= 0).all() else f"beyond the limit by {np.nanmax(excess):.2e}"


def run(name, case, program, engine, folder):
    """What went wrong, or an empty string."""
    stem = folder / f"{name}-{engine}"
    source, given, made = (stem.with_suffix(kind) for kind in (".mlir", ".in", ".out"))
    source.write_text(program.text)
    safetensors_io.write(given, program.inputs)
    chip = [f"--chip={engine}"] if engine.startswith("sm_") else []
    flags = [f"--engine={'emulate' if chip else engine}", *chip, *ENGINES[engine]]
    done = subprocess.run(["block-run", source, *flags, f"--inputs={given}", f"--outputs={made}"],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        return f"{name} on {engine}: {(done.stderr or done.stdout)[-600:]}"
    results = program.finish(safetensors_io.read(made))
    errors = [find_error(results[key], program.expected[key], case) for key in program.expected]
    return "".join(f"{name} on {engine}: {error}" for error in errors if error)


def check_list(cases):
    """Programs of all cases that have one; and what is wrong with the list."""
    programs, unexpressed, faults = {}, {}, []
    for name, case in cases.items():
        try:
            programs[name] = translate(case)
        except Inexpressible as reason:
            unexpressed[name] = str(reason)
    listed = {name: reason for reason, names in LISTED.items() for name in names}
    for name in sorted({*listed, *unexpressed}):
        if listed.get(name) != unexpressed.get(name):
            faults.append(f"{name}: listed as '{listed.get(name)}', found '{unexpressed.get(name)}'")
    faults += [f"{name}: no such case" for name in SAMPLE if name not in cases]
    return programs, unexpressed, faults


def choose_engines(number, program):
    engines = list(program.engines or ENGINES)
    return engines if tiers.FULL or len(engines) == 1 else engines[number % 2 :: 2]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    cases = load_cases()
    programs, unexpressed, faults = check_list(cases)
    chosen = [name for name in programs if tiers.FULL or name in SAMPLE]
    todo = [(name, engine) for number, name in enumerate(chosen) for engine in choose_engines(number, programs[name])]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda word: run(word[0], cases[word[0]], programs[word[0]], word[1], folder), todo)
        wrong = {job: fault for job, fault in zip(todo, found) if fault}
    counts = collections.defaultdict(collections.Counter)
    for name, case in cases.items():
        op = case.model.graph.node[0].op_type
        isWrong = any(job[0] == name for job in wrong)
        kind = "unexpressed" if name in unexpressed else "wrong" if isWrong else "equal" if name in chosen else "left out"
        counts[op][kind] += 1
    for op, count in sorted(counts.items()):
        print(f"{op}: " + ", ".join(f"{number} {kind}" for kind, number in sorted(count.items())))
    print("\n".join([*faults, *wrong.values(), f"{len(todo)} runs, {len(wrong)} wrong, {len(faults)} faults in the list"]))
    sys.exit(1 if faults or wrong or not todo else 0)


if __name__ == "__main__":
    main()
