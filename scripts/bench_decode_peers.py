#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Continues prompts with a decoder, by our own engine or another framework, for block-bench.

    bench_decode_peers.py ENGINE FOLDER --dtype f32 --threads 1 --repeat 5 --json OUT

FOLDER is what block-bench wrote (decode/problem.py). OUT holds {"name", "workloads"}, by the names of case.json
{"tokens", "first_ms", "time_ms": {"min", "median"}}, a time being that of a step: all new tokens without the first one,
and "differs" where the engine does other work than was asked for; or {"name", "skipped"}. The engine `check` reads
tokens of engines from found.json, a list of such by workload, and writes {"verdicts": [{"cost", "mean_cost", "wrong"}]} of
the same order, by float64.
"""

import argparse
import importlib
import importlib.util
import json
import os
import pathlib
import statistics
import sys
import time

from bench_peers import end_with_parent, is_installed

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

#: The module and class of an engine, what it needs, and the columns that it has.
ENGINES = {
    "parablock": ("ours", "Parablock", ["numpy", "parablock"], None),
    "torch": ("torch_peers", "Loop", ["numpy", "torch", "transformers"], None),
    "torch.generate": ("torch_peers", "Generate", ["numpy", "torch", "transformers"], None),
    "torch.compile": ("torch_peers", "Loop", ["numpy", "torch", "transformers"], ("f32", "bf16")),
    "ctranslate2": ("ctranslate2_peer", "CTranslate2", ["numpy", "ctranslate2"], ("f32", "bf16", "int8")),
    "openvino": ("openvino_peer", "OpenVino", ["numpy", "openvino"], None),
    "openvino-genai": ("openvino_genai_peer", "OpenVinoGenai", ["numpy", "openvino", "openvino_genai"], None),
    "onnxruntime-genai": ("onnx_peer", "OnnxRuntime", ["numpy", "onnx", "onnxruntime_genai"], ("f32", "int8", "int4-g128")),
    "llama.cpp": ("llama_cpp_peer", "LlamaCpp", ["numpy", "gguf", "xllamacpp"], None),
}
#: What an engine does that was not asked for: its time is told, and no bar.
DIFFERS = {
    ("ctranslate2", "int8"): "has codes for the head as well, and rounds rows to 8 bits",
    ("llama.cpp", "int8"): "rounds rows to 8 bits",
    ("llama.cpp", "int4-g128"): "rounds rows to 8 bits",
}


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
    library = json.loads((options.folder / "case.json").read_text(encoding="utf-8"))["counter"]
    if library and library not in os.environ.get("LD_PRELOAD", ""):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "LD_PRELOAD": library})


def hush():
    """What a peer says of itself is no result; it may write to the process's own files."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(nowhere, number)


def measure(options):
    """The fields of one entry, but for its name."""
    if options.peer not in ENGINES:
        return {"skipped": "does not generate"}
    module, name, needs, columns = ENGINES[options.peer]
    missing = [each for each in needs if not is_installed(each)]
    if missing:
        return {"skipped": "not installed: " + ", ".join(missing)}
    if columns is not None and options.dtype not in columns:
        return {"skipped": " and ".join(columns) + " only"}
    from decode.problem import Problem

    problem = Problem(options.folder)
    engine = getattr(importlib.import_module(f"decode.{module}"), name)(problem, options)
    fields = {"workloads": {each.name: time_workload(engine, problem, each, options.repeat) for each in problem.workloads}}
    if hasattr(engine, "describe"):
        fields |= engine.describe()
    if (options.peer, options.dtype) in DIFFERS:
        fields["differs"] = DIFFERS[options.peer, options.dtype]
    return fields


def check(options):
    """What is right of the tokens that engines found."""
    from decode.exact import Checker
    from decode.problem import Problem

    problem = Problem(options.folder)
    checker = Checker(problem)
    reason = checker.check_exact()
    if reason:
        raise RuntimeError(reason)
    verdicts = []
    for found in json.loads((problem.folder / "found.json").read_text(encoding="utf-8")):
        cost, mean, wrong = checker.judge(found)
        verdicts.append({"cost": cost, "mean_cost": mean, "wrong": wrong})
    return {"verdicts": verdicts}


def main():
    end_with_parent()
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("peer")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--dtype", default="f32")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", required=True)
    options = parser.parse_args()
    if options.peer == "parablock":
        start_counting(options)
    elif options.peer != "check":
        hush()
    try:
        fields = check(options) if options.peer == "check" else measure(options)
    except Exception as error:  # a peer's failure is a result, not ours
        message = str(error).strip().split("\n")[0]
        fields = {"skipped": f"failed: {type(error).__name__}: {message}"[:300]}
    pathlib.Path(options.json).write_text(json.dumps({"name": options.peer, **fields}), encoding="utf-8")


if __name__ == "__main__":
    main()
