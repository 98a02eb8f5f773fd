#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every tool on everybody's IR: source x operation x sink.

    ways.py SCRATCH SOURCE.. [--torch] [--full] [--only=WORDS]

A source is a file of another tool, a folder of such, or with --torch what PyTorch exports. Every pair of a source, an
operation and a sink, other than sinks that are a part of another, runs once in six days. With --full every pair runs,
and every triple in five weeks; with --only all triples with these words. What a way cannot do is in refusals.py with
the words in which it is refused; anything else that fails, a crash, a refusal without such words, or one that did not
come, is a failure.
"""

import concurrent.futures
import os
import pathlib
import shutil
import sys

import covering
import refusals
import tiers
from operations import OPERATIONS
from sinks import SINKS
from steps import Problem, Refused, Source


def list_sources(words, scratch):
    paths = []
    for word in words:
        path = pathlib.Path(word)
        paths += [path] if path.suffix == ".mlir" else sorted(path.glob("*.mlir"))
    if "--torch" in sys.argv:
        import torch_sources

        paths += torch_sources.write(scratch / "torch")
    return {path.stem: Source(path, scratch) for path in paths}


def find_problem(source, operation, sink, folder):
    """What is wrong with one way, or nothing."""
    expected = refusals.find(source.name, operation, sink)
    try:
        files = OPERATIONS[operation](source, folder, SINKS[sink].chip)
        SINKS[sink].run(source, files, folder)
    except Refused as refused:
        if expected and expected.matches(refused.text):
            return ""
        return f"refused: {refused}"
    except Problem as problem:
        return str(problem)
    return "" if not expected or expected.may_hold else f"holds, where refusals.py says: {expected.words}"


def check(case):
    source, operation, sink, folder = case
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    problem = find_problem(source, operation, sink, folder)
    if not problem:
        shutil.rmtree(folder)
    return f"FAILED {source.name} {operation} {sink}: {problem}" if problem else ""


def raise_source(source):
    try:
        source.raise_blocks()
    except (Problem, Refused) as problem:
        return f"FAILED {source.name} raise: {problem}"
    return ""


def choose(sources, flags):
    lists = list(sources), list(OPERATIONS), list(SINKS)
    if "--only" in flags:
        words = flags["--only"].split(",")
        return [way for way in covering.all_triples(*lists) if all(word in way for word in words)]
    if "--full" in flags:
        return tiers.take_shard(covering.triples_of_week(*lists, tiers.TURN // 7))
    whole = [name for name, sink in SINKS.items() if not sink.is_part]
    return tiers.take_turn(covering.cover_pairs(*lists[:2], whole, cost=lambda sink: SINKS[sink].cost), 6)


def main():
    scratch = pathlib.Path(sys.argv[1])
    scratch.mkdir(parents=True, exist_ok=True)
    flags = {word.partition("=")[0]: word.partition("=")[2] for word in sys.argv[2:] if word.startswith("--")}
    sources = list_sources([word for word in sys.argv[2:] if not word.startswith("--")], scratch)
    ways = choose(sources, flags)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        needed = {way[0] for way in ways}
        failures = [text for text in pool.map(raise_source, (sources[name] for name in sorted(needed))) if text]
        cases = [(sources[s], o, k, scratch / f"{s}.{o}.{k}") for s, o, k in ways if sources[s].is_raised]
        failures += [text for text in pool.map(check, cases) if text]
    print("\n".join(failures))
    print(f"{len(sources)} sources, {len(OPERATIONS)} operations, {len(SINKS)} sinks")
    print(f"{len(ways) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
