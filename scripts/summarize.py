#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the time per folder, long tests and the counts of the lit runs in a directory.

    summarize.py [--failed-steps N] [--long SECONDS] DIRECTORY

DIRECTORY holds one NAME.json of lit per run. Times are those that processors were busy
with a test, where they are told, else those that passed. The last line printed is
`N passed, N failed`, with `, N skipped` where tests were, and `, N kept of earlier runs`
where some of them were not run again (test/kept_results.py).
"""

import argparse
import collections
import json
import pathlib
import sys

PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def folder_of(name):
    """`Parablock :: Dialect/ops.mlir` belongs to `Dialect`; the unit tests, which are a
    suite of their own, to `Unit` and their folder."""
    suite, _, path = name.rpartition(" :: ")
    folders = path.split("/")[:-1]
    return "/".join((["Unit"] if suite == "Unit" else []) + folders[: 1 if suite == "Unit" else 2]) or "."


def find_seconds(test):
    return test.get("metrics", {}).get("processor_seconds") or test["elapsed"] or 0


def main():
    parser = argparse.ArgumentParser(description="counts lit results")
    parser.add_argument("--failed-steps", type=int, default=0)
    parser.add_argument("--long", type=float, default=float("inf"), help="names tests that take more seconds")
    parser.add_argument("directory", type=pathlib.Path)
    options = parser.parse_args()

    passed, failed, skipped, kept = 0, options.failed_steps, 0, 0
    long = []
    for file in sorted(options.directory.glob("*.json")):
        seconds, counts = collections.Counter(), collections.Counter()
        for test in json.loads(file.read_text(encoding="utf-8"))["tests"]:
            code, folder = test["code"], folder_of(test["name"])
            if code == "EXCLUDED":
                continue
            took = find_seconds(test)
            kept += test.get("metrics", {}).get("kept", 0)
            seconds[folder] += took
            if took > options.long:
                long.append((took, test["name"].split(" :: ")[-1]))
            counts[folder] += 1
            if code in PASSED:
                passed += 1
            elif code in SKIPPED:
                skipped += 1
            else:
                failed += 1
        for folder in sorted(counts, key=lambda key: -seconds[key]):
            print(f"{seconds[folder]:8.1f} s  {counts[folder]:4} tests  {file.stem}: {folder}")

    for took, name in sorted(long, reverse=True):
        print(f"{took:8.1f} s  in one test, more than {options.long:g}: {name}")

    tail = f", {skipped} skipped" if skipped else ""
    tail += f", {kept} kept of earlier runs" if kept else ""
    print(f"{passed} passed, {failed} failed{tail}")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
