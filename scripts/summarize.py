#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the time per folder, long, skipped and failed tests and the counts of the runs in a directory.

    summarize.py [--failed-step NAME]... [--long SECONDS] DIRECTORY

DIRECTORY holds one NAME.xml per run, in JUnit's format, which lit, pytest and
run_clang_tidy.py write. The last line printed is `N passed, N failed`, with
`, N skipped` if tests were skipped; these are named before, by reason. What failed is
named last, each with the end of its output: of a long log often only the end is kept.
"""

import argparse
import collections
import pathlib
import sys
import xml.etree.ElementTree as xml

# Tests that a filter or a tier leaves out are not counted at all.
LEFT_OUT = "Test not selected"
# Tests that failed are named with the end of their output, and many tests that failed without.
LAST_LINES, MOST_WITH_OUTPUT = 20, 10


def split_name(case):
    """The folder that a test is counted under, and its whole name."""
    suite, _, path = case.get("classname").partition(".")
    path = path.replace(".", "/") if suite == "python" else path
    name = f"{path}/{case.get('name')}"
    folders = path.split("/")
    if suite == "Parablock":
        return "/".join(folders[:2]), name
    return f"{suite}/{folders[-1] if suite == 'python' else folders[0]}", f"{suite}/{name}"


def find_skip(case):
    """The reason why a test was skipped, or None; pytest reports an expected failure as skipped, too."""
    skipped = case.find("skipped")
    if skipped is None or skipped.get("type") == "pytest.xfail":
        return None
    return skipped.get("message") or "no reason given"


def find_failure(case):
    """The output of a test that failed, or None."""
    for kind in ("failure", "error"):
        found = case.find(kind)
        if found is not None:
            return found.text or found.get("message") or ""
    return None


def print_failures(failures):
    for index, (name, output) in enumerate(failures):
        print(f"failed: {name}")
        if index < MOST_WITH_OUTPUT:
            # lit ends an output with lines of nothing but dashes.
            lines = [line for line in output.splitlines() if line.strip(" -")]
            for line in lines[-LAST_LINES:]:
                print(f"  {line}")


def main():
    parser = argparse.ArgumentParser(description="counts results of tests")
    parser.add_argument("--failed-step", action="append", default=[], help="the name of a step that is no test")
    parser.add_argument("--long", type=float, default=float("inf"), help="names tests that take more seconds")
    parser.add_argument("directory", type=pathlib.Path)
    options = parser.parse_args()

    passed, failures = 0, [(name, "") for name in options.failed_step]
    long, skipped = [], collections.defaultdict(list)
    for file in sorted(options.directory.glob("*.xml")):
        seconds, counts = collections.Counter(), collections.Counter()
        for case in xml.parse(file).iter("testcase"):
            reason = find_skip(case)
            if reason and reason.startswith(LEFT_OUT):
                continue
            folder, name = split_name(case)
            took = float(case.get("time"))
            seconds[folder] += took
            counts[folder] += 1
            if took > options.long:
                long.append((took, name))
            failure = find_failure(case)
            if reason:
                skipped[reason].append(name)
            elif failure is not None:
                failures.append((name, failure))
            else:
                passed += 1
        for folder in sorted(counts, key=lambda key: -seconds[key]):
            print(f"{seconds[folder]:8.1f} s  {counts[folder]:4} tests  {file.stem}: {folder}")

    for took, name in sorted(long, reverse=True):
        print(f"{took:8.1f} s  in one test, more than {options.long:g}: {name}")
    for reason, names in sorted(skipped.items()):
        print(f"skipped, {reason}:")
        for name in names:
            print(f"  {name}")

    print_failures(failures)

    count = sum(map(len, skipped.values()))
    print(f"{passed} passed, {len(failures)} failed" + (f", {count} skipped" if count else ""))
    return 0 if passed and not failures else 1


if __name__ == "__main__":
    sys.exit(main())
