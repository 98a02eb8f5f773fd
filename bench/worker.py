#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one case after the other for hardware.py, which starts another worker where this one ends or hangs.

A line of JSON on stdin is a case; its result goes to stdout, in one line, maybe behind lines with `partial` results.
"""

import contextlib
import json
import os
import pathlib
import sys

try:
    import numpy
except ImportError as missing:
    print(json.dumps({"error": f"python3 without numpy: {missing}"}))
    sys.exit(4)
import tensors
from launcher import INPUT, PARAMETER, RESULT, LaunchError, Launcher

WARM, REPEATS = 10, 50
FLUSH_BYTES = 256 << 20
LIMITS = {"gemm": 1e-2, "attention": 1e-2, "norm": 1e-2, "layer": 2e-2}


# ---- the device matrix: carried inputs, weights and expectations
def run_matrix(launcher, folder, case):
    program = launcher.load(folder / case["package"], case["chip"])
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
        return {"chip": program.chip, "launches": program.facts()["num_launches"], "rel_l2": errors,
                "good": all(error <= case["limits"][name] for name, error in errors.items())}
    finally:
        program.close()


# ---- the benchmark
def read_constants(torch, path, device):
    """What a recipe has beside a checkpoint, as tables of rotations."""
    found = tensors.read(path) if path.exists() else {}
    return {name: torch.from_numpy(array.copy()).to(device) for name, (dtype, array) in found.items() if dtype != "BF16"}


def find_dims(folder, case):
    """The sizes of a package that come later, by name, are the case's."""
    manifest = json.loads((folder / case["package"] / "manifest.json").read_text())
    return {name: case["sizes"][name] for name in manifest["dims"]}


class Bench:
    """One case: data, our program and the functions beside it, checked and then timed in turns."""

    def __init__(self, torch, peers, launcher, folder, case, variant="as-made"):
        self.torch, self.peers, self.case, self.variant = torch, peers, case, variant
        self.cuda = torch.cuda.is_available()
        self.device = "cuda" if self.cuda else "cpu"
        torch.manual_seed(7)
        self.program = launcher.load(folder / case["package"])
        recipe = peers.Recipe((folder / case["package"] / "recipe.mlir").read_text(),
                              read_constants(torch, folder / case["package"] / "recipe.safetensors", self.device))
        self.sources = {name: peers.draw_source(name, shape, self.device).to(dtype)
                        for name, shape, dtype in recipe.sources}
        self.program.start(**find_dims(folder, case))
        if variant == "no-overlap":
            self.program.forbid_overlap()
        for name, value in recipe.pack(self.sources).items():
            self.program.set_weight(name, to_bytes(torch, value))
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
                self.program.bind(INPUT, name, value.data_ptr())
            else:
                self.program.set_input(name, to_bytes(self.torch, value))
        if self.cuda:
            for name, value in self.outputs.items():
                self.program.bind(RESULT, name, value.data_ptr())

    def launch(self):
        run = self.program.launch if self.variant == "no-graph" else self.program.replay
        run(self.torch.cuda.current_stream().cuda_stream if self.cuda else None)

    def result(self):
        self.launch()
        if self.cuda:
            self.torch.cuda.synchronize()
            return next(iter(self.outputs.values()))
        self.program.wait()
        name, _, shape, size = next(self.program.tensors(RESULT))
        data = self.torch.frombuffer(bytearray(self.program.get_result(name, size)), dtype=self.torch.bfloat16)
        return data.view(list(shape))

    def error(self, got, want):
        got = got.double().reshape(want.shape)
        return float((got - want).norm() / want.norm()) if bool(got.isfinite().all()) else float("inf")

    def graph(self, function):
        """A function that replays a CUDA graph of `function`, which has run before, and returns the same tensor each
        time."""
        if not self.cuda:
            return function
        graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(graph):
            keep = function()

        def replay():
            graph.replay()
            return keep
        replay().fill_(float("nan"))  # what is timed has to write it
        return replay

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

    def check_peers(self, want):
        """What is said of each peer, and functions of those that are right."""
        said, functions = {}, {}
        for name, make in self.peers.peers(self.case, self.inputs, self.sources).items():
            try:
                function = make()
                said[name] = {"rel_l2": self.error(function(), want)}
                function()
                if said[name]["rel_l2"] <= LIMITS[self.case["kind"]]:
                    functions[name] = self.check_timed(self.graph(function), want)
            except Exception as error:  # a peer that cannot is no fault of ours
                said[name] = {"error": " ".join(f"{type(error).__name__}: {error}".split())[:300]}
        return said, functions

    def check_timed(self, function, want):
        """What is timed computes all of it: a graph may lack a kernel, and copy what was there when it was made."""
        limit, kept = LIMITS[self.case["kind"]], {name: value.clone() for name, value in self.inputs.items()}
        for value in self.inputs.values():
            value.zero_()
        of_zeros = self.error(function(), want)
        for name, value in self.inputs.items():
            value.copy_(kept[name])
        again = self.error(function(), want)
        if of_zeros <= limit or again > limit:
            raise ValueError(f"its graph does not compute: of zeros {of_zeros:.1e}, of the inputs {again:.1e}")
        return function

    def check_variants(self, variants, want):
        """The same of this program with one thing changed."""
        said = {bench.variant: {"rel_l2": self.error(bench.result(), want)} for bench in variants}
        return said, {bench.variant: bench.launch for bench in variants
                      if said[bench.variant]["rel_l2"] <= LIMITS[self.case["kind"]]}

    def run(self, variants):
        limit = LIMITS[self.case["kind"]]
        want = self.peers.reference(self.case, self.inputs, self.sources)
        ours = {"chip": self.program.chip, **self.program.facts(), "rel_l2": self.error(self.result(), want)}
        entry = {"form": self.case["form"], "sizes": self.case["sizes"], "limit": limit, "ours": ours, "peers": {},
                 "good": ours["rel_l2"] <= limit}
        if not entry["good"]:
            return entry
        entry["peers"], functions = self.check_variants(variants, want) if variants else self.check_peers(want)
        entry["good"] = not variants or len(functions) == len(variants)
        if self.cuda:
            for name, milliseconds in self.time({"ours": self.launch, **functions}).items():
                (ours if name == "ours" else entry["peers"][name])["ms"] = milliseconds
        if self.cuda and entry["peers"]:
            best = min((peer["ms"] for peer in entry["peers"].values() if "ms" in peer), default=None)
            entry["faster_than_best_peer"] = best and best / ours["ms"]
        return entry


def to_bytes(torch, value):
    return value.contiguous().cpu().view(torch.uint8).numpy().tobytes() if value.numel() else b""


def run_unchecked(launcher, folder, case, by_graph=True):
    """Random data through a package: whether it runs at all."""
    random = numpy.random.default_rng(7)
    program = launcher.load(folder / case["package"])
    try:
        program.start(**find_dims(folder, case))
        for role, give in [(PARAMETER, program.set_weight), (INPUT, program.set_input)]:
            for name, dtype, shape, _ in program.tensors(role):
                give(name, tensors.from_float(dtype.upper(), random.normal(0, 1, shape)).tobytes())
        (program.replay if by_graph else program.launch)()
        program.wait()
        results = [tensors.to_float(dtype.upper(), numpy.frombuffer(program.get_result(name, size),
                                                                    tensors.TYPES[dtype.upper()]))
                   for name, dtype, _, size in program.tensors(RESULT)]
        return {"unchecked": "no PyTorch", "good": all(numpy.isfinite(each).all() and each.any() for each in results)}
    finally:
        program.close()


def run_once(launcher, folder, case):
    """Kernel by kernel, for a tool that counts what happens in them."""
    return run_unchecked(launcher, folder, case, by_graph=False)


def run_door(folder, case, report):
    """By Python, with the package that lies in the folder or is installed."""
    try:
        import torch
    except ImportError:
        return {"unchecked": "no PyTorch", "good": True}
    if (folder / "site").exists() and str(folder / "site") not in sys.path:
        sys.path.insert(0, str(folder / "site"))
    import doors
    try:
        return doors.run_door(case, report)
    finally:
        torch._dynamo.reset()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()


def run_benchmark(launcher, folder, case):
    try:
        import torch
    except ImportError:
        return run_unchecked(launcher, folder, case)
    import peers
    benches = []
    # A stream of its own: the default one has no handle that a session could be launched on.
    stream = torch.cuda.stream(torch.cuda.Stream()) if torch.cuda.is_available() else contextlib.nullcontext()
    try:
        with torch.no_grad(), stream:
            for variant, package in {"as-made": case["package"], **case.get("variants", {})}.items():
                benches.append(Bench(torch, peers, launcher, folder, {**case, "package": package}, variant))
            return {"torch": torch.__version__, **benches[0].run(benches[1:])}
    finally:
        for bench in benches:
            bench.program.close()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()


def main():
    folder = pathlib.Path(sys.argv[1])
    # What others print does not get between the results.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        launcher = Launcher(folder / "libparablock-launch.so")
    except LaunchError as error:
        print(json.dumps({"error": str(error)}), file=answers, flush=True)
        return 4

    def answer(result):
        print(json.dumps(result), file=answers, flush=True)

    answer({"gpu": launcher.name})
    for line in sys.stdin:
        case = json.loads(line)
        try:
            if case["kind"] == "door":
                result = run_door(folder, case, lambda entry: answer({"partial": entry}))
            else:
                result = {"matrix": run_matrix, "counters": run_once}.get(case["kind"], run_benchmark)(launcher, folder, case)
        except Exception as error:  # one case that fails does not cost the others
            result = {"good": False, "error": f"{type(error).__name__}: {error}"[:2000]}
        answer(result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
