#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs clang-tidy over the sources of lib/ and tools/, each of which is a test.

    run_clang_tidy.py [--jobs N] [--slice K/N] [--seconds N] [--results FILE] BUILD [PART...]

BUILD is a build tree that is built, PART a part of a path, such as lib/Analysis.
Prints the findings and writes the outcomes as JUnit's XML, for summarize.py. The
checks are listed in .clang-tidy. Sources that it has not begun after --seconds are skipped.
They are compiled without the precompiled headers: a source includes what it uses.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parent.parent
CLANG_TIDY = "clang-tidy-22"

sys.path.insert(0, str(ROOT / "test" / "support"))
import tiers


def read_commands(build):
    """The commands of the build tree, one for each source: those that it compiles several at a time are
    in a file that includes them."""
    for command in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        joined = pathlib.Path(command["file"])
        if not joined.match("Unity/unity_*.cxx"):
            yield command
            continue
        for file in re.findall(r'^#include "(.*)"$', joined.read_text(encoding="utf-8"), re.MULTILINE):
            yield {**command, "file": file, "command": command["command"].replace(str(joined), file)}


def find_sources(build, parts):
    """The sources that the build tree compiles, below lib/ and tools/."""
    for path in sorted({pathlib.Path(command["file"]) for command in read_commands(build)}):
        if path.suffix != ".cpp" or not path.is_relative_to(ROOT):
            continue
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(("lib/", "tools/")) and (not parts or any(part in name for part in parts)):
            yield name


def write_commands(build, folder):
    """Writes the commands of the build tree without precompiled headers into `folder`, for clang-tidy's -p."""
    text = json.dumps(list(read_commands(build)))
    (folder / "compile_commands.json").write_text(re.sub(r" -Xclang -include(-pch)? -Xclang [^ ]+", "", text))


LATE = "no time left"


def check(commands, name, deadline):
    begin = time.monotonic()
    if begin > deadline:
        return name, LATE, 0
    done = subprocess.run(
        [CLANG_TIDY, "--quiet", "-p", commands, name], cwd=ROOT, capture_output=True, text=True, check=False
    )
    # Errors of the compiler itself are on the other stream.
    output = (done.stdout if done.stdout.strip() else done.stderr) if done.returncode else ""
    return name, output.strip() or ("no output" if done.returncode else ""), time.monotonic() - begin


def write_results(path, tests):
    suite = xml.Element("testsuite", name="clang-tidy")
    for name, output, seconds in tests:
        folder, _, file = name.rpartition("/")
        case = xml.SubElement(suite, "testcase", classname=f"clang-tidy.{folder}", name=file, time=f"{seconds:.2f}")
        if output == LATE:
            xml.SubElement(case, "skipped", message=LATE)
        elif output:
            xml.SubElement(case, "failure").text = output
    xml.ElementTree(suite).write(path, encoding="unicode")


def main():
    parser = argparse.ArgumentParser(description="runs clang-tidy over lib/ and tools/")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--slice", type=tiers.Slice, default="1/1")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("parts", nargs="*")
    options = parser.parse_args()

    build = options.build.resolve()
    names = [name for name in find_sources(build, options.parts) if options.slice.has(name)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        commands = pathlib.Path(folder)
        write_commands(build, commands)
        deadline = time.monotonic() + options.seconds
        tests = list(pool.map(lambda name: check(commands, name, deadline), names))
    found = [output for _, output, _ in tests if output and output != LATE]
    for output in found:
        print(output)
    if options.results:
        write_results(options.results, tests)
    print(f"clang-tidy: {len(tests)} sources, {len(found)} with findings")
    return 0 if tests and not found else 1


if __name__ == "__main__":
    sys.exit(main())
