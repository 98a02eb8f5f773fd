#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every construct in every spelling, as every tool writes it, becomes its block op with the same numbers.

    constructs.py FOLDER [--tools=T,..] [--only=WORDS]
    constructs.py --table DOCUMENT [--write]    the document's list is that of the spellings
"""

import pathlib
import re
import sys
import textwrap

import attention_spellings, bias_spellings, block_spellings, rope_spellings, step_spellings  # noqa: F401
import spelling
from hlo_writer import StableHlo
from linalg_writers import Linalg, Mapped, Primitive
from tosa_writers import TfLite, Tosa
from tools import call as run

TABLE = re.compile(r"(?<=<!-- spellings -->\n).*?(?=<!-- end -->)", re.DOTALL)
FEWEST = 3
WRITERS = {"tosa": Tosa, "tflite": TfLite, "linalg": Linalg, "primitive": Primitive, "mapped": Mapped, "stablehlo": StableHlo}


def write(spellings, tool):
    """One function with a result for each spelling."""
    writer = WRITERS[tool]()
    x = writer.argument("x", (spelling.B, spelling.T, spelling.D), attributes='block.input = "x"')
    results = [s.function(spelling.Case(writer, x, f"p{k}")) for k, s in enumerate(spellings)]
    return writer.module(results)


def get_definitions(text):
    """What defines each result of the function, with the lines of its region."""
    lines, last = {}, ""
    for line in text.splitlines():
        match = re.match(r"    (%[\w#]+)(?::\d+)? = (.*)", line)
        last = match.group(1) if match else last
        if match or last in lines:
            lines[last] = lines.get(last, "") + (match.group(2) if match else " " + line.strip())
    names = re.split(r",\s+", re.search(r"^\s*return (.*?)\s+:", text, re.MULTILINE | re.DOTALL).group(1))
    return [lines.get(name, name) for name in names]


def check(folder, spellings, tool):
    """The problem of each spelling, or nothing."""
    before, after = folder / f"{tool}.mlir", folder / f"{tool}.raised.mlir"
    before.write_text(write(spellings, tool))
    raised = run("block-opt", before, "--block-raise", "-o", after)
    if raised.returncode:
        return [f"block-opt: {raised.stderr.strip()[:300]}"] * len(spellings)
    problems = []
    for each, line in zip(spellings, get_definitions(after.read_text())):
        problems.append("" if re.search(each.expect, line) else f"no /{each.expect}/ in: {line[:260]}")
    compared = run("block-run", after, "--engine=reference", "--seed=7", f"--baseline={before}")
    for number in re.findall(r"^FAIL out(\d+)", compared.stdout, re.MULTILINE):
        problems[int(number)] = problems[int(number)] or "other numbers"
    if compared.returncode and not any(problems):
        problems[0] = f"block-run: {compared.stdout}{compared.stderr}"[:300]
    return problems


def explain(folder, each, tool):
    """The IR of one spelling alone, and what block-raise made of it."""
    alone = folder / f"{tool}.alone.mlir"
    alone.write_text(write([each], tool))
    return alone.read_text() + run("block-opt", alone, "--block-raise", "--block-raise-dump", "-o", "/dev/null").stderr


def check_all(folder, tools, only):
    folder.mkdir(parents=True, exist_ok=True)
    passed = failed = 0
    for tool in tools:
        chosen = [s for s in spelling.SPELLINGS if tool in s.tools and re.search(only, f"{s.construct} {s.how}")]
        for each, problem in zip(chosen, check(folder, chosen, tool) if chosen else []):
            failed += bool(problem)
            passed += not problem
            if problem:
                print(f"FAILED {tool}: {each.construct}: {each.how}: {problem}\n{explain(folder, each, tool)}")
    print(f"{passed} passed, {failed} failed")
    return failed


def make_table():
    rows = {}
    for each in spelling.SPELLINGS:
        rows.setdefault(each.construct, []).append(each.how)
    few = [construct for construct, ways in rows.items() if len(ways) < FEWEST]
    if few:
        sys.exit(f"fewer than {FEWEST} spellings: {', '.join(few)}")
    return "".join(
        textwrap.fill(f"- **{construct}**: {' · '.join(ways)}", 120, subsequent_indent="  ", break_on_hyphens=False) + "\n"
        for construct, ways in rows.items())


def check_table(document, writes):
    text = document.read_text()
    if writes:
        document.write_text(TABLE.sub(lambda _: make_table(), text))
        return False
    found = TABLE.search(text)
    if not found or found.group() != make_table():
        print(f"{document}: the list of spellings differs: constructs.py --table {document} --write")
        return True
    return False


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    options = dict(word[2:].partition("=")[::2] for word in sys.argv[1:] if word.startswith("--"))
    if "table" in options:
        return check_table(pathlib.Path(words[0]), "write" in options)
    tools = options.get("tools", ",".join(WRITERS)).split(",")
    return 1 if check_all(pathlib.Path(words[0]), tools, options.get("only", "")) else 0


if __name__ == "__main__":
    sys.exit(main())
