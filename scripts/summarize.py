#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the time per folder, long and skipped tests and the counts of the runs in a directory.

    summarize.py [--failed-steps N] [--long SECONDS] DIRECTORY

DIRECTORY holds one NAME.xml per run, in JUnit's format, which lit, pytest and
run_clang_tidy.py write. The last line printed is `N passed, N failed`, with
`, N skipped` if tests were skipped; these are named before, by reason.
"""

import argparse
import collections
import pathlib
import sys
import xml.etree.ElementTree as xml

# Tests that a filter or a tier leaves out are not counted at all.
LEFT_OUT = "Test not selected"


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


def main():
    parser = argparse.ArgumentParser(description="counts results of tests")
    parser.add_argument("--failed-steps", type=int, default=0)
    parser.add_argument("--long", type=float, default=float("inf"), help="names tests that take more seconds")
    parser.add_argument("directory", type=pathlib.Path)
    options = parser.parse_args()

    passed, failed = 0, options.failed_steps
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
            if reason:
                skipped[reason].append(name)
            elif case.find("failure") is not None or case.find("error") is not None:
                failed += 1
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

    count = sum(map(len, skipped.values()))
    print(f"{passed} passed, {failed} failed" + (f", {count} skipped" if count else ""))
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
