#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs clang-tidy over the sources of lib/ and tools/, each of which is a test.

    run_clang_tidy.py [--jobs N] [--results FILE] BUILD [PART...]

BUILD is a build tree that is built, PART a part of a path, such as lib/Analysis.
Prints what is found and writes the outcomes as lit does, for summarize.py. What is
looked for is in .clang-tidy.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CLANG_TIDY = "clang-tidy-22"


def find_sources(build, parts):
    """The sources that the build tree compiles, below lib/ and tools/."""
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    for path in sorted({pathlib.Path(command["file"]) for command in commands}):
        if path.suffix != ".cpp" or not path.is_relative_to(ROOT):
            continue
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(("lib/", "tools/")) and (not parts or any(part in name for part in parts)):
            yield name


def check(build, name):
    begin = time.monotonic()
    done = subprocess.run(
        [CLANG_TIDY, "--quiet", "-p", build, name], cwd=ROOT, capture_output=True, text=True, check=False
    )
    code = "PASS" if done.returncode == 0 else "FAIL"
    # What a compiler could not read is on the other stream.
    output = done.stdout if done.stdout.strip() or code == "PASS" else done.stderr
    return {"name": f"clang-tidy :: {name}", "code": code, "output": output, "elapsed": time.monotonic() - begin}


def main():
    parser = argparse.ArgumentParser(description="runs clang-tidy over lib/ and tools/")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("parts", nargs="*")
    options = parser.parse_args()

    build = options.build.resolve()
    names = list(find_sources(build, options.parts))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tests = list(pool.map(lambda name: check(build, name), names))
    for test in tests:
        if test["code"] == "FAIL":
            print(test["output"].strip())
    if options.results:
        options.results.write_text(json.dumps({"tests": tests}), encoding="utf-8")
    failed = sum(test["code"] == "FAIL" for test in tests)
    print(f"clang-tidy: {len(tests)} sources, {failed} with findings")
    return 0 if tests and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
