#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs what pack.py made; see hardware.sh."""

import argparse
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys

import numpy
import tensors
from launcher import INPUT, PARAMETER, RESULT, LaunchError, Launcher

WARM, REPEATS = 10, 50
FLUSH_BYTES = 256 << 20
LIMITS = {"gemm": 1e-2, "attention": 1e-2, "norm": 1e-2, "layer": 2e-2}


class Results:
    """Written after every case: what was measured stays, whatever comes."""

    def __init__(self, path, facts):
        self.path, self.data, self.failures = path, {"schema": 1, **facts, "cases": []}, 0

    def add(self, entry, good, text):
        self.failures += not good
        print(("ok   " if good else "FAIL ") + text, flush=True)
        self.data["cases"].append(entry)
        self.path.write_text(json.dumps(self.data, indent=1) + "\n")


# ---- the device matrix: carried inputs, weights and expectations
def run_matrix_case(launcher, folder, case, chip):
    program = launcher.load(folder / case["package"], chip)
    try:
        program.load_weights(folder / f"{case['name']}.weights")
        program.start()
        for name, (_, array) in tensors.read(folder / f"{case['name']}.inputs").items():
            program.set_input(name, numpy.ascontiguousarray(array).tobytes())
        program.replay()
        program.replay()  # again on what the first run left
        expected = tensors.read(folder / f"{case['name']}.expected")
        errors = {}
        for name, dtype, shape, size in program.tensors(RESULT):
            raw = numpy.frombuffer(program.get_result(name, size), tensors.TYPES[dtype.upper()]).reshape(shape)
            errors[name] = tensors.relative_error(tensors.to_float(dtype.upper(), raw), expected[name][1])
        return program.chip, program.facts()["num_launches"], errors
    finally:
        program.close()


def run_matrix(launcher, folder, cases, results):
    for case in cases:
        for chip in [None, "sm_80"]:
            entry = {"kind": "matrix", "name": case["name"]}
            try:
                entry["chip"], entry["launches"], entry["rel_l2"] = run_matrix_case(launcher, folder, case, chip)
                good = all(error <= case["limits"][name] for name, error in entry["rel_l2"].items())
                text = f"{case['name']} {entry['chip']} {entry['rel_l2']}"
            except LaunchError as error:
                entry["error"], good, text = str(error), False, f"{case['name']}: {error}"
            results.add(entry, good, text)


# ---- compute-sanitizer
def run_sanitizer(folder, cases, results):
    tool = shutil.which("compute-sanitizer") or shutil.which("compute-sanitizer", path="/usr/local/cuda/bin")
    if not tool:
        results.data["sanitizer"] = "not installed: not run"
        print("compute-sanitizer is not installed: not run")
        return
    for case in cases[:6]:
        for check in ["memcheck", "racecheck", "synccheck", "initcheck"]:
            done = subprocess.run(
                [tool, f"--tool={check}", "--error-exitcode=9", folder / "block-launch", folder / case["package"],
                 f"--inputs={folder}/{case['name']}.inputs", f"--weights={folder}/{case['name']}.weights",
                 "--graph=off", "--json=/dev/null"], capture_output=True, text=True)
            entry = {"kind": "sanitizer", "name": case["name"], "tool": check, "exit": done.returncode}
            if done.returncode:
                entry["output"] = (done.stdout + done.stderr)[-2000:]
            results.add(entry, done.returncode == 0, f"{check} {case['name']}")


# ---- the benchmark
class Bench:
    """One case: data, our program and the functions beside it, checked and then timed in turns."""

    def __init__(self, torch, peers, launcher, folder, case):
        self.torch, self.peers, self.case = torch, peers, case
        self.cuda = torch.cuda.is_available()
        self.device = "cuda" if self.cuda else "cpu"
        torch.manual_seed(7)
        self.program = launcher.load(folder / case["package"])
        recipe = json.loads((folder / case["package"] / "recipe.json").read_text())
        self.sources = {source["name"]: peers.draw_source(source["name"], source["shape"], self.device)
                        .to(peers.TYPES[source["dtype"]]) for source in recipe["sources"]}
        self.program.start()
        for packed in recipe["packed"]:
            value = peers.evaluate(packed["value"], self.sources)
            assert list(value.shape) == packed["shape"], packed["name"]
            self.program.set_weight(packed["name"], to_bytes(torch, value))
        self.inputs, self.outputs = {}, {}
        for name, dtype, shape, _ in self.program.tensors(INPUT):
            self.inputs[name] = torch.randn(shape, device=self.device).to(peers.TYPES[dtype])
        for name, dtype, shape, _ in self.program.tensors(RESULT):
            self.outputs[name] = torch.full(shape, float("nan"), device=self.device, dtype=peers.TYPES[dtype])
        self.provide()

    def provide(self):
        """On a GPU both sides read the same memory; the emulator has its own."""
        for name, value in self.inputs.items():
            if self.cuda:
                self.program.bind(name, value.data_ptr())
            else:
                self.program.set_input(name, to_bytes(self.torch, value))
        if self.cuda:
            for name, value in self.outputs.items():
                self.program.bind(name, value.data_ptr())

    def launch(self):
        self.program.replay(self.torch.cuda.current_stream().cuda_stream if self.cuda else None)

    def result(self):
        self.launch()
        self.program.wait()
        if self.cuda:
            self.torch.cuda.synchronize()
            return next(iter(self.outputs.values()))
        name, _, shape, size = next(self.program.tensors(RESULT))
        data = self.torch.frombuffer(bytearray(self.program.get_result(name, size)), dtype=self.torch.bfloat16)
        return data.view(list(shape))

    def error(self, got, want):
        got = got.double().reshape(want.shape)
        return float((got - want).norm() / want.norm()) if bool(got.isfinite().all()) else float("inf")

    def graph(self, function):
        """A function that replays a CUDA graph of `function`, which has run before."""
        if not self.cuda:
            return function
        graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(graph):
            keep = function()
        return lambda keep=keep: graph.replay()

    def time(self, functions):
        """Median milliseconds, taking turns, with the caches flushed before each."""
        torch = self.torch
        flush = torch.zeros(FLUSH_BYTES // 4, device=self.device)
        for function in functions.values():
            for _ in range(WARM):
                function()
        pairs = {name: [] for name in functions}
        for _ in range(REPEATS):
            for name, function in functions.items():
                start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
                flush.sum()
                start.record()
                function()
                end.record()
                pairs[name].append((start, end))
        torch.cuda.synchronize()
        return {name: sorted(start.elapsed_time(end) for start, end in events)[REPEATS // 2]
                for name, events in pairs.items()}

    def run(self):
        limit = LIMITS[self.case["kind"]]
        want = self.peers.reference(self.case, self.inputs, self.sources)
        ours = {"chip": self.program.chip, **self.program.facts(), "rel_l2": self.error(self.result(), want)}
        entry = {**{key: self.case[key] for key in ("kind", "name", "form", "sizes")}, "limit": limit, "ours": ours,
                 "peers": {}}
        if not ours["rel_l2"] <= limit:
            return entry, False
        functions = {"ours": self.launch}
        for name, function in self.peers.peers(self.case, self.inputs, self.sources).items():
            try:
                entry["peers"][name] = {"rel_l2": self.error(function(), want)}
                function()
                if entry["peers"][name]["rel_l2"] <= limit:
                    functions[name] = self.graph(function)
            except Exception as error:  # a peer that cannot is no fault of ours
                entry["peers"][name] = {"error": f"{type(error).__name__}: {error}"[:300]}
        if self.cuda:
            for name, milliseconds in self.time(functions).items():
                (ours if name == "ours" else entry["peers"][name])["ms"] = milliseconds
        return entry, True


def to_bytes(torch, value):
    return value.contiguous().cpu().view(torch.uint8).numpy().tobytes() if value.numel() else b""


def describe(entry):
    parts = [f"{entry['name']} ours {entry['ours'].get('ms', 0):.4f} ms error {entry['ours']['rel_l2']:.1e}"]
    for name, peer in entry["peers"].items():
        parts.append(f"{name} {peer['ms']:.4f} ms" if "ms" in peer else
                     f"{name} {peer.get('error', 'right, not timed' if peer.get('rel_l2', 1) <= entry['limit'] else 'wrong')}")
    return "; ".join(parts)


def run_unchecked(launcher, folder, case):
    """Random data through a package: whether it runs at all."""
    random = numpy.random.default_rng(7)
    program = launcher.load(folder / case["package"])
    try:
        program.start()
        for role, give in [(PARAMETER, program.set_weight), (INPUT, program.set_input)]:
            for name, dtype, shape, _ in program.tensors(role):
                give(name, tensors.from_float(dtype.upper(), random.normal(0, 1, shape)).tobytes())
        program.replay()
        program.wait()
        results = [tensors.to_float(dtype.upper(), numpy.frombuffer(program.get_result(name, size),
                                                                    tensors.TYPES[dtype.upper()]))
                   for name, dtype, _, size in program.tensors(RESULT)]
        return all(numpy.isfinite(values).all() and values.any() for values in results)
    finally:
        program.close()


def run_benchmark(launcher, folder, cases, results):
    try:
        import torch
    except ImportError:
        results.data["benchmark"] = "no PyTorch: nothing checked, nothing timed"
        print("no PyTorch: the packages run, nothing is checked or timed")
        for case in cases:
            good = run_unchecked(launcher, folder, case)
            results.add({"kind": case["kind"], "name": case["name"], "runs": good}, good, f"{case['name']} runs")
        return
    import peers
    results.data["torch"] = torch.__version__
    for case in cases:
        bench = None
        try:
            bench = Bench(torch, peers, launcher, folder, case)
            with torch.no_grad():
                entry, good = bench.run()
            results.add(entry, good, describe(entry))
        except Exception as error:  # one case that fails does not cost the others
            results.add({"kind": case["kind"], "name": case["name"], "error": f"{type(error).__name__}: {error}"}, False,
                        f"{case['name']}: {type(error).__name__}: {error}")
        finally:
            if bench:
                bench.program.close()
            if torch.cuda.is_available():
                torch.cuda.empty_cache()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--here", type=pathlib.Path, required=True)
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--skip", default="")
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    flags = parser.parse_args()
    folder = (flags.folder or flags.here).resolve()
    packed = json.loads((folder / "packed.json").read_text())
    if flags.dry_run:
        os.environ["PARABLOCK_CUDA_DRIVER"] = (folder / "driver").read_text()
        os.environ["PARABLOCK_FAKE_PACKAGES"] = str(folder)
    try:
        launcher = Launcher(folder / "libparablock-launch.so")
    except LaunchError as error:
        print(f"error: {error}", file=sys.stderr)
        return 4
    now = datetime.datetime.now(datetime.timezone.utc)
    path = flags.results or folder / f"results-{now:%Y%m%d-%H%M%S}.json"
    results = Results(path, {"date": now.isoformat(timespec="seconds"), "gpu": launcher.name,
                             "commit": packed["commit"], "dry_run": flags.dry_run})
    skipped = flags.skip.split(",")
    matrix = [case for case in packed["cases"] if case["kind"] == "matrix"]
    if "matrix" not in skipped:
        run_matrix(launcher, folder, matrix, results)
    if "sanitizer" not in skipped:
        run_sanitizer(folder, matrix, results)
    if "benchmark" not in skipped:
        run_benchmark(launcher, folder, [case for case in packed["cases"] if case["kind"] != "matrix"], results)
    count = len(results.data["cases"])
    print(f"{count - results.failures} passed, {results.failures} failed; {path}")
    return 1 if results.failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
