#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what steps of a stack of GPT-2's layers take of memory, beside PyTorch.

    step_memory.py [--layers=6] [--width=384] [--batch=8] [--tokens=256] [--type=f32] [--threads=1] [--turns=1]

Peaks are above parameters. Those above gradients, too, are of steps whose gradients are let go as they come: of PyTorch
it is how far a process of its own grows then, of the compiled step what the engine counted, arena and scratch among it.
Budgets are shares of what lies between the least peak and that with everything kept; more work is what block-checkpoint
has backward do again, of the work of forward and backward. Times are those of the fastest of five steps, behind a first
one, which looks for gradients that a module keeps back; where neighbours share the machine, single times vary by a
quarter: of several turns through all budgets each has its fastest step, and PyTorch its smallest peak.
"""

import argparse
import json
import subprocess
import sys
import time

MIB = 1 << 20
BUDGETS = ("100%", None, "40%", "20%", "15%", "min")
STEPS = 2
TIMED_STEPS = 5


def make_model(sizes):
    import torch
    from transformers import GPT2Config, GPT2Model

    torch.manual_seed(0)
    config = GPT2Config(
        n_layer=sizes.layers, n_embd=sizes.width, n_head=sizes.width // 64, vocab_size=256, n_positions=sizes.tokens
    )
    # One op of PyTorch's, where that of GPT-2 is written out and keeps more.
    config.activation_function = "gelu_pytorch_tanh"
    config.use_cache = False
    model = GPT2Model(config).eval()
    if sizes.type == "bf16":
        model = model.to(torch.bfloat16)
    return model, torch.arange(sizes.batch * sizes.tokens).reshape(sizes.batch, sizes.tokens) % 256


def let_go(parameter):
    parameter.grad = None


def measure(sizes, budget):
    """The figures of one budget, or of PyTorch itself where that is "torch"."""
    import torch

    import parablock
    from parablock_studies.trainer.memory import forget_peak, read_status

    torch.set_num_threads(sizes.threads)
    model, ids = make_model(sizes)
    is_torch = budget == "torch"
    call = model
    if not is_torch:
        made = parablock.from_torch(model, (ids,))
        call = made.compile("cpu", threads=sizes.threads, training=True, memory_budget=budget)
    adjoint = torch.ones(sizes.batch, sizes.tokens, sizes.width, dtype=next(model.parameters()).dtype)
    times = []

    def step():
        results = call(ids).last_hidden_state
        results.backward(adjoint)

    step()
    for _ in range(TIMED_STEPS):
        model.zero_grad()
        begun = time.process_time()
        step()
        times.append((time.process_time() - begun) * 1e3)
    found = {}
    if not is_torch:
        memory, counts = call.memory(), call.count()
        work = 3 * counts["model"]["flops_per_token"] * sizes.batch * sizes.tokens
        found["predicted"], found["allocated"] = memory.predicted.total, memory.allocated.total
        found["work"] = counts["step"]["recompute_flops"] / work
    model.zero_grad()
    for parameter in model.parameters():
        parameter.register_post_accumulate_grad_hook(let_go)
    if is_torch:
        forget_peak()
    else:
        call.forget_peak()
    rest = read_status("VmRSS")
    for _ in range(STEPS):
        step()
    found["rest"] = read_status("VmHWM") - rest if is_torch else call.memory().allocated.total
    return {**found, "ms": min(times)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, usual in (("layers", 6), ("width", 384), ("batch", 8), ("tokens", 256), ("threads", 1), ("turns", 1)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--type", choices=("f32", "bf16"), default="f32")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    sizes = parser.parse_args()
    if sizes.case:
        print(json.dumps(measure(sizes, json.loads(sizes.case))))
        return

    def run(budget):
        command = [sys.executable, __file__, *sys.argv[1:], f"--case={json.dumps(budget)}"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        return json.loads(done.stdout.splitlines()[-1])

    cases = ("torch", *BUDGETS)
    turns = [[run(case) for case in cases] for _ in range(sizes.turns)]
    fastest = [min(times) for times in zip(*([found["ms"] for found in turn] for turn in turns))]
    own = min(turn[0]["rest"] for turn in turns)
    print("| budget | more work | peak predicted, MiB | allocated | above gradients | of PyTorch's | ms on the processor |")
    print("|---|---|---|---|---|---|---|")
    print(f"| PyTorch | | | | {own / MIB:.1f} | 1.00 | {fastest[0]:.0f} |")
    # The same in every turn, but for times.
    for budget, found, ms in zip(BUDGETS, turns[0][1:], fastest[1:]):
        peaks = " | ".join(f"{found[key] / MIB:.1f}" for key in ("predicted", "allocated", "rest"))
        print(f"| {budget or 'none'} | {100 * found['work']:.1f} % | {peaks} | {found['rest'] / own:.2f} | {ms:.0f} |")


if __name__ == "__main__":
    main()
