#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every pass says its class, shows an example that runs, and has its options tested.

Passes are the records of Passes.td files, however they are defined. A pass that block-opt lists and mlir-opt does not
list must be among them, and each of them must be listed.
"""

import functools
import json
import pathlib
import re
import subprocess

import tree

LLVM = pathlib.Path("/usr/lib/llvm-22")
CLASSES = ("exact", "exact-up-to-eps", "approximate", "analysis", "interchange")
LISTED = re.compile(r"^ {6}--([\w-]+) .*?- ", re.MULTILINE)


@functools.cache
def read_records(root, path):
    """Flag, text and names of options of each pass of a file."""
    includes = ["-I", root / "include", "-I", LLVM / "include"]
    command = [LLVM / "bin" / "llvm-tblgen", "--dump-json", *includes, path]
    records = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    passes = [records[name] for name in records["!instanceof"]["PassBase"]]
    return [
        (record["argument"], record["description"],
         [records[option["def"]]["argument"] for option in record["options"]])
        for record in passes
    ]


def list_passes(tool):
    """Passes that a tool lists, without pipelines."""
    text = subprocess.run([tool, "--help"], capture_output=True, check=True, text=True).stdout
    return set(LISTED.findall(text.partition("    Passes:\n")[2].partition("    Pass Pipelines:\n")[0]))


def run_lines(root):
    """RUN and DEFINE lines of all tests, continuation lines joined."""
    text = ""
    for path in tree.files(root, "test/*.mlir", "test/*.test"):
        text += path.read_text(encoding="utf-8") + "\n"
    text = re.sub(r"\\\n\s*(//|#)?\s*(RUN|DEFINE):", " ", text)
    return [line for line in text.split("\n") if "RUN:" in line or "DEFINE:" in line]


def list_options(runs, flag):
    """Options that RUN lines give to a pass, as --flag=... or as flag{...}."""
    given = re.compile(rf"--{flag}=(?:\"([^\"]*)\"|'([^']*)'|(\S*))|(?<![\w-]){flag}\{{([^}}]*)\}}")
    whole = re.compile(rf"[\"']--{flag}=([^\"']*)[\"']")
    for line in runs:
        for match in [*given.finditer(line), *whole.finditer(line)]:
            yield from re.findall(r"(?:^|[\s{])([\w-]+)=", next(part or "" for part in match.groups() if part is not None))


def check_pass(root, runs, flag, text, options):
    example = f"test/Transforms/{flag}/doc.mlir"
    if example not in text:
        yield f"{flag}: the description does not name {example}"
    if not (root / example).exists():
        yield f"{flag}: {example} does not exist"
    if not re.search(rf"Class: ({'|'.join(CLASSES)})\b", text):
        yield f"{flag}: expected 'Class: ' and one of {', '.join(CLASSES)}"
    tested = set(list_options(runs, flag)) if options else set()
    for option in options:
        if option not in tested:
            yield f"{flag}: no RUN line gives {option}="


def check(root):
    runs = run_lines(root)
    # A fixture has a tool of its own.
    own = root / "bin" / "block-opt"
    listed = list_passes(own if own.exists() else "block-opt")
    found = set()
    for path in tree.files(root, "include/*Passes.td"):
        for flag, text, options in read_records(root, path):
            found.add(flag)
            for complaint in check_pass(root, runs, flag, text, options):
                yield f"{path.relative_to(root)}: {complaint}"
    if not found:
        yield f"{root}: no pass found"
    for flag in sorted(found - listed):
        yield f"{flag}: block-opt --help does not list it"
    for flag in sorted(listed - list_passes(LLVM / "bin" / "mlir-opt") - found):
        yield f"{flag}: block-opt --help lists it, no Passes.td defines it"


if __name__ == "__main__":
    tree.main(__doc__, check)
