# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the project's tools for tests, and reads what they write."""

import pathlib
import re
import subprocess
import sys
import tempfile

import expert_families
import kept_code
import safetensors_io

ARGUMENT = re.compile(r"%\w+: tensor<([^>]*)> \{[^{}]*?block\.(input|param) = \"([^\"]*)\"[^{}]*\}")


DIFFERENT = 3  # the exit code of outputs out of tolerance


class Failure(Exception):
    """A test's finding, in one line."""


class Different(Failure):
    """Other numbers than expected: what a control has to end with."""


def call(*command):
    """Runs a program, and returns how it ended and what it printed. One run of the tests compiles a function for the
    CPU engine once."""
    words = [str(word) for word in command]
    if words[0] == "block-run" and "--engine=cpu" in words and not any(word.startswith("--code-cache") for word in words):
        words += kept_code.make_flags()
    return subprocess.run(words, capture_output=True, text=True, check=False)


def _finish(command, code):
    done = call(*command)
    if done.returncode != code:
        printed = done.stderr[-3000:] + done.stdout[-3000:]
        sys.exit(f"{' '.join(map(str, command))}: expected exit code {code}, got {done.returncode}\n{printed}")
    return done


def require(*command, code=0):
    """Standard output of a program that has to end with this exit code; otherwise the test ends with all it printed."""
    return _finish(command, code).stdout


def messages(*command, code=0):
    """Standard error of such a program."""
    return _finish(command, code).stderr


def run(*command, code=0):
    """Standard output of a tool that has to end with this exit code; a Failure otherwise."""
    try:
        done = call(*command)
    except OSError as error:
        raise Failure(f"{command[0]}: {error.strerror}") from error
    if done.returncode != code:
        lines = [line for line in done.stderr.splitlines() if "remark" not in line] or [""]
        kind = Different if done.returncode == DIFFERENT else Failure
        raise kind(f"{command[0]} ended with {done.returncode}, not {code}: {lines[0]}")
    return done.stdout


def generate(path, *flags):
    """Text of the IR that block-gen writes to `path`."""
    run("block-gen", *flags, "-o", path)
    return path.read_text(encoding="utf-8")


def arguments(ir, kind):
    """Names and shapes of the inputs or parameters of @main; `?` stays text."""
    found = {}
    for text, this_kind, name in ARGUMENT.findall(ir):
        if this_kind == kind:
            sizes = text.split("x")[:-1]
            found[name] = tuple(size if size == "?" else int(size) for size in sizes)
    return found


def execute(ir_path, folder, *flags):
    """Outputs of the reference engine as arrays."""
    outputs = folder / "outputs.safetensors"
    run("block-run", ir_path, "--engine=reference", f"--outputs={outputs}", *flags)
    return safetensors_io.read(outputs)


def check_broken(check, case):
    """Checks a control: it has to end with other numbers, and not otherwise."""
    try:
        told = check(case)
    except Different as found:
        return f"found: {found}"
    raise Failure(f"not found: {told}")


def report(cases, check, scope=""):
    """Checks named cases, one line each; the exit code of a test. The scope ends the line of counts."""
    passed = failed = 0
    for name, case in cases:
        try:
            print(f"PASS {name}: {check(case)}")
            passed += 1
        except Failure as failure:
            print(f"FAILED {name}: {failure}")
            failed += 1
    print(f"{passed} passed, {failed} failed{scope}")
    return 1 if failed or not passed else 0


def check_all(cases, check):
    """Checks named cases, each with the same folder for its files, and prints those that fail; the exit code of a
    test."""
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


def families():
    """Names of all families of block-gen but those with experts."""
    return expert_families.leave_out(run("block-gen", "--list-families").split())


def compare(got, baseline, *flags, seed=7):
    """The exit code of block-run, 0 or DIFFERENT, and the last line that it prints."""
    done = call("block-run", got, "--engine=reference", f"--baseline={baseline}", f"--seed={seed}", *flags)
    if done.returncode not in (0, DIFFERENT):
        raise Failure(f"block-run: exit {done.returncode}: {done.stderr.splitlines()[0]}")
    return done.returncode, (done.stdout.splitlines() or [""])[-1]
