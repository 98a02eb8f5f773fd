#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a case of block-bench in another framework, on the same numbers.

    bench_peers.py SUITE PEER INPUT --dtype f32 --threads 1 --repeat 5 --json OUT

SUITE is cpu (a layer of GPT-2), train (a step) or decode (generation); peers/layer.py, train.py
and generation.py say what INPUT is. A peer's numbers are checked before its time is told. OUT
holds {"name", "version"} with {"time_ms": {"min", "median", "repeat"}, "rel_l2"} or
{"workloads"}, or {"name", "skipped"}, and "differs" where the peer does other work than was
asked for. The peer `check` of decode gives the verdicts on tokens.
"""

import argparse
import ctypes
import importlib
import importlib.metadata
import importlib.util
import json
import pathlib
import signal
import statistics
import time

from peers import generation
from peers.table import PEERS, UNKNOWN


def is_installed(module):
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def describe_versions(modules):
    """Packages that modules are of, with their versions."""
    owners = importlib.metadata.packages_distributions()
    names = dict.fromkeys(name for module in modules for name in owners.get(module.split(".")[0], ()))
    return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names)


def time_runs(run, repeat):
    times = []
    for _ in range(max(3, repeat)):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1e3)
    return {"min": min(times), "median": statistics.median(times), "repeat": len(times)}


def measure_once(suite, options):
    """The fields of a call that is checked, then timed."""
    run, check, limit = importlib.import_module(f"peers.{suite}").prepare(options)
    error = check(run())
    if not error <= limit:
        return {"skipped": f"wrong numbers: relative L2 error {error:.2e}"}
    return {"time_ms": time_runs(run, options.repeat), "rel_l2": error}


def measure(options):
    """The fields of one entry, but for its name."""
    peer = PEERS[options.suite].get(options.peer)
    if peer is None:
        return {"skipped": UNKNOWN[options.suite]}
    missing = [module for module in ("numpy", *peer.needs) if not is_installed(module)]
    if missing:
        return {"skipped": "not installed: " + ", ".join(missing)}
    if peer.columns and options.dtype not in peer.columns:
        return {"skipped": " and ".join(peer.columns) + " only"}
    if options.suite == "decode":
        fields = generation.measure(peer, options)
    else:
        fields = measure_once("layer" if options.suite == "cpu" else "train", options)
    if "skipped" in fields:
        return fields
    fields["version"] = describe_versions(peer.needs)
    if options.dtype in peer.differs:
        fields["differs"] = peer.differs[options.dtype]
    return fields


def end_with_parent():
    """Has the system end this process when block-bench is ended: nothing else would."""
    set_signal = 1  # PR_SET_PDEATHSIG
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(set_signal, signal.SIGKILL)


def main():
    end_with_parent()
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("suite", choices=sorted(PEERS))
    parser.add_argument("peer")
    parser.add_argument("input")
    parser.add_argument("--dtype", default="f32")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", required=True)
    options = parser.parse_args()
    is_check = options.suite == "decode" and options.peer == "check"
    if options.suite == "decode" and options.peer == "parablock":
        generation.start_counting(options)
    elif options.suite == "decode" and not is_check:
        generation.hush()
    try:
        fields = generation.check(options) if is_check else measure(options)
    except Exception as error:  # a peer's failure is a result, not ours
        message = str(error).strip().split("\n")[0]
        fields = {"skipped": f"failed: {type(error).__name__}: {message}"[:300]}
    pathlib.Path(options.json).write_text(json.dumps({"name": options.peer, **fields}), encoding="utf-8")


if __name__ == "__main__":
    main()
