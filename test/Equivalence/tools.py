# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the equivalence tests share: running the tools, and reporting findings."""

import pathlib
import subprocess
import tempfile

DIFFERENT = 3  # block-run's exit code for outputs out of tolerance


class Failure(Exception):
    """A test's finding, in one line."""


def call(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def run(*command):
    """Standard output of a tool that has to succeed."""
    done = call(*command)
    if done.returncode:
        lines = (done.stderr or done.stdout).splitlines() or [""]
        raise Failure(f"{' '.join(map(str, command))}: exit {done.returncode}: {lines[0]}")
    return done.stdout


def families():
    return run("block-gen", "--list-families").split()


def compare(got, baseline, *flags):
    """The exit code of block-run, 0 or DIFFERENT, and the last line that it says."""
    done = call("block-run", got, "--engine=reference", f"--baseline={baseline}", "--seed=7",
                *flags)
    if done.returncode not in (0, DIFFERENT):
        raise Failure(f"block-run: exit {done.returncode}: {done.stderr.splitlines()[0]}")
    return done.returncode, (done.stdout.splitlines() or [""])[-1]


def report(cases, check):
    """Checks named cases in a folder of their own; the exit code of a test."""
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, case in cases:
            try:
                check(pathlib.Path(folder), case)
                passed += 1
            except Failure as failure:
                print(f"FAILED {name}: {failure}")
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0
