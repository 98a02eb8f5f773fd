# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Continues prompts by our own engine or another framework, and checks the tokens.

The input is a folder that block-bench wrote (decode/problem.py). An entry has "workloads", by the names of case.json
{"tokens", "first_ms", "time_ms"}, a time being that of a step: all new tokens without the first one. The check reads
tokens of engines from found.json, a list of such by workload, and gives verdicts of the same order, by float64.
"""

import importlib
import json
import os
import pathlib
import statistics
import sys
import time


def time_workload(engine, problem, workload, repeat):
    """Prompts alone and with all new tokens, in turns."""
    prompts = problem.draw_prompts(workload)
    tokens = engine.generate(prompts, workload.new)
    engine.generate(prompts, 1)
    first, steps = [], []
    for _ in range(max(2, repeat)):
        start = time.perf_counter()
        engine.generate(prompts, 1)
        first.append((time.perf_counter() - start) * 1e3)
        if workload.new > 1:
            start = time.perf_counter()
            again = engine.generate(prompts, workload.new)
            whole = (time.perf_counter() - start) * 1e3
            if again.tolist() != tokens.tolist():
                raise RuntimeError("other tokens the second time")
            steps.append(whole)
    times = first
    if steps:
        times = [(each - min(first)) / (workload.new - 1) for each in steps]
        # Where the machine is too busy to tell, more than a step takes.
        times = [each if each > 0 else whole / workload.new for each, whole in zip(times, steps)]
    return {
        "tokens": tokens.tolist(),
        "first_ms": min(first),
        "time_ms": {"min": min(times), "median": statistics.median(times), "repeat": len(times)},
    }


def start_counting(options):
    """Starts this again, with what counts how often memory is asked for."""
    library = json.loads(pathlib.Path(options.input, "case.json").read_text(encoding="utf-8"))["counter"]
    if library and library not in os.environ.get("LD_PRELOAD", ""):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "LD_PRELOAD": library})


def hush():
    """What a peer says of itself is no result; it may write to the process's own files."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(nowhere, number)


def measure(peer, options):
    """The fields of an entry."""
    from peers.decode.problem import Problem

    problem = Problem(options.input)
    module, name = peer.loop
    engine = getattr(importlib.import_module(f"peers.decode.{module}"), name)(problem, options)
    fields = {"workloads": {each.name: time_workload(engine, problem, each, options.repeat) for each in problem.workloads}}
    return fields | (engine.describe() if hasattr(engine, "describe") else {})


def check(options):
    """What is right of the tokens that engines found."""
    from peers.decode.exact import Checker
    from peers.decode.problem import Problem

    problem = Problem(options.input)
    checker = Checker(problem)
    reason = checker.check_exact()
    if reason:
        raise RuntimeError(reason)
    verdicts = []
    for found in json.loads((problem.folder / "found.json").read_text(encoding="utf-8")):
        cost, mean, wrong = checker.judge(found)
        verdicts.append({"cost": cost, "mean_cost": mean, "wrong": wrong})
    return {"verdicts": verdicts}
