#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles every installed header: headers.py PREFIX --compiler=C.

What any of them includes of this project has to be there. One file includes all in their
order, and on the next day in the opposite order. Each header alone is a file that takes
seconds: a hundredth of them a day, an eighth in a full run, another one each week.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys

import tiers

INCLUDED = re.compile(r'^\s*#\s*include "(parablock[^"]+)"', re.M)


def find_flags(module):
    """What pkg-config prints for compiling."""
    done = subprocess.run(["pkg-config", "--cflags", module], check=True, capture_output=True, text=True)
    return shlex.split(done.stdout)


def compile_headers(command, headers, source):
    """What the compiler prints of a file that includes `headers` where it fails; None where it does not."""
    source.write_text("".join(f'#include "{header}"\n' for header in headers), encoding="utf-8")
    done = subprocess.run(["ccache", *command, "-c", source, "-o", source.with_suffix(".o")],
                          capture_output=True, text=True)
    return (done.stderr or "no message") if done.returncode else None


def find_headers(include):
    """Paths below `include`: those in C++, and those in C."""
    every = sorted(path.relative_to(include) for path in include.rglob("*.h"))
    c = [path for path in every if path.parts[0] != "parablock"]
    return [path for path in every if path not in c], c


def find_missing(include, headers):
    """What headers include of this project that is not there, by header."""
    return {
        header: f"fatal error: '{name}' file not found"
        for header in headers
        for name in INCLUDED.findall((include / header).read_text())
        if not (include / name).exists()
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prefix", type=pathlib.Path)
    parser.add_argument("--compiler", required=True)
    arguments = parser.parse_args()
    os.environ["PKG_CONFIG_PATH"] = str(arguments.prefix.resolve() / "lib/pkgconfig")
    include = arguments.prefix / "include"
    cpp, c = find_headers(include)
    missing = find_missing(include, cpp)
    for header, failure in missing.items():
        print(f"{header} does not compile alone:\n{failure}")
    if missing:
        sys.exit(1)

    command = [arguments.compiler, "-x", "c++", *find_flags("parablock")]
    alone = cpp[tiers.TURN // 7 % 8 :: 8] if tiers.FULL else tiers.take_turn(cpp, 100)
    groups = [*tiers.take_turn([cpp, cpp[::-1]], 2), *([header] for header in alone)]
    jobs = [(group, command) for group in groups]
    jobs += [([header], [arguments.compiler, "-x", language, *find_flags("parablock-c"), "-Wall", "-Werror"])
             for header in c for language in ("c", "c++")]
    folder = arguments.prefix / "headers"
    folder.mkdir(exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = list(pool.map(
            lambda job: compile_headers(job[1][1], job[1][0], folder / f"{job[0]}.cpp"), enumerate(jobs)))
    for (group, _), failure in zip(jobs, failures):
        if failure:
            how = f"{group[0]} does not compile alone" if len(group) == 1 else "not all compile together"
            print(f"{how}:\n{failure}")
    print(f"{len(cpp)} headers in C++ and {len(c)} in C: {len(jobs)} compilations, "
          f"{sum(map(bool, failures))} failed")
    sys.exit(any(failures))
