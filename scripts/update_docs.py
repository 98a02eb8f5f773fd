#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/generated: Ops.md, Tile.md, Plan.md and Passes.md, from the .td files,
Reasons.md, from Reasons.def, and Families.md from block-gen.

The example of each pass (test/Transforms/<flag>/doc.mlir) is run, and stands in
Passes.md before and after. Needs block-opt and block-gen of the build tree.
"""

import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LLVM = pathlib.Path("/usr/lib/llvm-22")
PASS_FILES = sorted(ROOT.glob("include/parablock/**/Passes.td"))
NOTICE = "<!-- Made by scripts/update_docs.py from the .td files; do not edit. -->\n"
FAMILIES = """# Families

What `block-gen --family=` takes, with the sizes it has where no flag gives others (`--layers`, `--width`, `--heads`,
`--kv-heads`, `--head-dim`, `--hidden`, `--vocab`; `block-gen --describe-families` prints the table). Behind the heads, in
brackets, are those of keys where they are fewer; the MLP's width is the hidden one.

"""
REASONS = """# Reasons

Why a pass left something as it was: in the remarks of passes, in the report of `block-explain` and in its JSON, where
`reason` is one of these names. `block-opt --block-list-reasons` prints the names.

| reason | meaning |
|---|---|
"""
REASON = re.compile(r'^PARABLOCK_REASON\(\w+, "([^"]*)",\s*"([^"]*)"\)', re.MULTILINE)
EXAMPLE = re.compile(r"Example: (test/Transforms/([\w-]+)/doc\.mlir)\.?")


def fail(message):
    print(f"update_docs: error: {message}", file=sys.stderr)
    sys.exit(1)


def run(command):
    # From the root, with relative paths: locations in the output are the same everywhere.
    parts = [part.relative_to(ROOT) if isinstance(part, pathlib.Path) and part.is_relative_to(ROOT / "test")
             else part for part in command]
    done = subprocess.run([str(part) for part in parts], capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        fail(f"{command[0]} failed: {done.stderr.strip()}")
    return done


def tablegen(action, file, *options):
    includes = ["-I", ROOT / "include", "-I", LLVM / "include"]
    text = run([LLVM / "bin" / "mlir-tblgen", action, file, *includes, *options]).stdout
    text = re.sub(r"^<!--.*?-->\n", "", text, flags=re.DOTALL)
    # What a step says of itself, without the C++ around it.
    return re.sub(r"::parablock::(?:block::)?\w+::(?=\w+[,>])", "", text)


def options_of(path, flag):
    """What the first RUN line of the example gives block-opt beside the file."""
    for line in path.read_text(encoding="utf-8").split("\n"):
        match = re.search(r"RUN:\s*block-opt\s+(.*?)(?:\||2>|$)", line)
        if match and flag in line:
            words = shlex.split(match.group(1))
            return [w for w in words if w not in ("%s", "--unbroken-lines") and not w.startswith(">")]
    return fail(f"{path.relative_to(ROOT)}: no RUN line gives {flag} to block-opt")


def without_comments(text):
    lines = [line for line in text.split("\n") if not re.match(r"\s*//", line)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def unwrapped(text):
    """The inside of the printed module."""
    match = re.match(r"module \{\n(.*)\n\}\s*$", text, re.DOTALL)
    return re.sub(r"^  ", "", match.group(1), flags=re.MULTILINE) if match else text.strip()


def example(block_opt, match):
    path, flag = ROOT / match.group(1), match.group(2)
    if not path.exists():
        return match.group(0)  # test/lint/pass_docs.py says so
    options = options_of(path, flag)
    done = run([block_opt, path, *options])
    before = without_comments(path.read_text(encoding="utf-8"))
    after, report = unwrapped(done.stdout), done.stderr.strip()
    shown = " ".join(shlex.quote(option) for option in options)
    text = f"Example ([doc.mlir](../../{match.group(1)})):\n\n```mlir\n{before}\n```\n\n"
    text += f"`block-opt {shown}` makes of it"
    # A pass that says something may only report.
    if report and after == unwrapped(run([block_opt, path]).stdout):
        return text.replace(" makes of it", " says") + f"\n\n```\n{report}\n```"
    return text + f"\n\n```mlir\n{after}\n```"


def main():
    parser = argparse.ArgumentParser(description="writes docs/generated")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs" / "generated")
    build = os.environ.get("PARABLOCK_BUILD_DIR", "build")
    parser.add_argument("--block-opt", type=pathlib.Path, default=ROOT / build / "bin/block-opt")
    options = parser.parse_args()
    if not options.block_opt.exists():
        fail(f"{options.block_opt} does not exist: build it first")

    ops = tablegen("-gen-dialect-doc", ROOT / "include/parablock/Dialect/Block/BlockOps.td", "-dialect=block")
    ops = re.sub(r"\s+custom<Signature>\(.*\)$", " attr-dict `:` types", ops, flags=re.MULTILINE)
    ops = re.sub(r"\s+custom<NamedSignature>\(.*\)$", " (keyword $named)* attr-dict `:` types", ops, flags=re.MULTILINE)
    tile = tablegen("-gen-dialect-doc", ROOT / "include/parablock/Dialect/Tile/TileOps.td", "-dialect=tile")
    plan = tablegen("-gen-dialect-doc", ROOT / "include/parablock/Dialect/Plan/PlanOps.td", "-dialect=plan")
    passes = "# Passes\n\n" + "\n".join(tablegen("-gen-pass-doc", file) for file in PASS_FILES)
    passes = EXAMPLE.sub(lambda match: example(options.block_opt, match), passes)

    families = FAMILIES + run([options.block_opt.parent / "block-gen", "--describe-families"]).stdout

    definitions = (ROOT / "include/parablock/Analysis/Reasons.def").read_text(encoding="utf-8")
    reasons = REASONS + "".join(f"| `{name}` | {meaning} |\n" for name, meaning in sorted(REASON.findall(definitions)))

    sources = {families: "block-gen", reasons: "include/parablock/Analysis/Reasons.def"}
    options.output.mkdir(parents=True, exist_ok=True)
    for name, text in (("Ops.md", ops), ("Tile.md", tile), ("Plan.md", plan), ("Passes.md", passes), ("Families.md", families), ("Reasons.md", reasons)):
        tidy = "\n".join(line.rstrip() for line in text.strip().split("\n"))
        notice = NOTICE.replace("the .td files", sources.get(text, "the .td files"))
        (options.output / name).write_text(notice + tidy + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
