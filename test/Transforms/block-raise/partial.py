#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models with one broken piece each: the others become blocks, the function runs as before, and the report says where.

partial.py FOLDER [--full]     on both levels, and by both engines each
"""

import json
import pathlib
import re
import sys

from tools import call as run

SMALL = "--layers=2 --width=16 --heads=2 --vocab=17 --positions=32 --batch=2 --seq=5".split()
# Family, level, the place that is changed (a line's pattern, what it becomes), the pieces that are left to be
# recognised (attention, sdpa, mlp, norm), and what is said of which piece, at a line that matches.
MODELS = [
    ("gpt2", "linalg", r"arith.constant 0.03567\d*", "arith.constant 4.0e-02", (2, 0, 0, 5), ("mlp", "unknown-activation"), "matmul|collapse_shape|expand_shape|generic"),
    ("gpt2", "tosa", r"(?<=dense<)-3.40282347E\+38", "-1.0", (0, 0, 2, 5), ("attention", "mask-does-not-absorb"), "matmul"),
    ("gpt2", "linalg", r"arith.constant -3.40282347E\+38", "arith.constant -2.0", (0, 0, 2, 5), ("attention", "mask-does-not-absorb"), "matmul"),
    ("llama", "tosa", r"tosa.cos", "tosa.sin", (0, 2, 2, 5), ("rope", "not-a-rotation"), "concat|add"),
    ("llama", "linalg", r"math.cos", "math.sin", (0, 2, 2, 5), ("rope", "not-a-rotation"), "concat|generic"),
]


# Whole models, one value of which is changed, or also read elsewhere


class Function:
    """The text of a function, by the lines that define its values."""

    def __init__(self, text):
        self.lines = []
        for line in text.splitlines():
            # A long line goes on in the next, four further in.
            if self.lines and re.match(r" *", line).end() == re.match(r" *", self.lines[-1]).end() + 4:
                self.lines[-1] += " " + line.strip()
            else:
                self.lines.append(line)

    def find(self, pattern, number=0):
        """The line of a match."""
        return [k for k, line in enumerate(self.lines) if re.search(pattern, line)][number]

    def get_value(self, line):
        """What is defined by an operation from `line` on: its name, its type, the line behind it."""
        name, last = re.match(r"\s*(%\w+) =", self.lines[line]).group(1), line
        while self.lines[last].endswith("{") or last > line and not self.lines[last].startswith("    }"):
            last += 1
        return name, re.findall(r"tensor<[^>]*>", self.lines[last])[-1], last + 1

    def replace(self, line, text):
        """Behind the operation: VALUE of TYPE becomes %changed for all that read it later."""
        name, kind, below = self.get_value(line)
        later = [re.sub(rf"{name}\b", "%changed", each) for each in self.lines[below:]]
        self.lines[below:] = [f"    {text}".replace("VALUE", name).replace("TYPE", kind), *later]
        return kind

    def add_argument(self, kind):
        self.lines = [line.replace("@main(", f'@main(%extra: {kind} {{block.input = "extra"}}, ') for line in self.lines]

    def add_result(self, line):
        name, kind, _ = self.get_value(line)
        last = self.find(r"^    return ")
        self.lines[last] = re.sub(r"return (%\w+) : (.*)", rf"return \1, {name} : \2, {kind}", self.lines[last])
        at = self.find("@main")
        self.lines[at] = re.sub(r"-> \(?(tensor<[^>]*>(?: \{[^}]*\})?)\)? \{$", rf"-> (\1, {kind}) {{", self.lines[at])


UNKNOWN = "%changed = math.atan VALUE : TYPE"
PRODUCT = {"tosa": '%factor = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>\n    %changed = tosa.mul VALUE, %extra, %factor : (TYPE, TYPE, tensor<1xi8>) -> TYPE',
           "linalg": "%changed = arith.mulf VALUE, %extra : TYPE"}


def get_scores(function, level, number):
    """The line that defines what a softmax begins with."""
    if level == "tosa":
        name = re.search(r"reduce_max (%\w+)", function.lines[function.find("tosa.reduce_max", number)]).group(1)
    else:
        name = re.search(r"ins\((%\w+)", function.lines[function.find("arith.maximumf", number) - 2]).group(1)
    return function.find(rf"^ *{name} =")


def get_weights(function, level, number):
    """The line that defines the softmax."""
    first, last, above = ("tosa.reduce_max", "tosa.reciprocal", -1) if level == "tosa" else ("arith.maximumf", "arith.divf", 2)
    after = function.find(first, number)
    return next(k for k in range(after, len(function.lines)) if last in function.lines[k]) - above


def get_activation(function, level, number):
    """The line that defines what the second projection of an MLP reads, behind gelu's tangent."""
    after = function.find(r"\.tanh", number)
    product, above = ("tosa.mul", 0) if level == "tosa" else ("arith.mulf", 2)
    return [k for k in range(after, len(function.lines)) if product in function.lines[k]][1] - above


def unknown_before_softmax(function, level):
    function.replace(get_scores(function, level, 1), UNKNOWN)


def unknown_behind_softmax(function, level):
    function.replace(get_weights(function, level, 1), UNKNOWN)


def dropout_of_weights(function, level):
    function.add_argument(function.replace(get_weights(function, level, 0), PRODUCT[level]))


def dropout_of_hidden(function, level):
    function.add_argument(function.replace(get_activation(function, level, 1), PRODUCT[level]))


def returned_weights(function, level):
    function.add_result(get_weights(function, level, 2))


def returned_scores(function, level):
    function.add_result(get_scores(function, level, 0))


def returned_hidden(function, level):
    function.add_result(get_activation(function, level, 1))


THREE = "--layers=3 --width=16 --heads=2 --vocab=17 --positions=32 --batch=2 --seq=5".split()
# Family, what is changed, and as above; without a reason, everything is recognised.
CHANGES = [
    ("gpt2", unknown_before_softmax, (2, 0, 3, 7), ("attention", "unknown-scores"), "math.atan"),
    ("llama", unknown_behind_softmax, (2, 0, 3, 7), ("attention", "unknown-scores"), "math.atan"),
    ("gpt2", dropout_of_weights, (2, 0, 3, 7), ("attention", "unknown-scores"), "matmul"),
    ("gptj", dropout_of_hidden, (3, 0, 2, 4), ("mlp", "unknown-activation"), "matmul|generic|reshape|add"),
    ("llama", returned_weights, (3, 0, 3, 7), None, ""),
    ("gpt2", returned_scores, (3, 0, 3, 7), None, ""),
    ("gpt2", returned_hidden, (3, 0, 3, 7), None, ""),
]

def raise_changed(folder, number, family, flags, level, change):
    """Files of the changed function, of what is raised from it, and the report; or what went wrong."""
    before, after, report = (folder / f"{number}.{name}" for name in ("mlir", "raised.mlir", "json"))
    made = run("block-gen", f"--family={family}", *flags, f"--level={level}", "-o", before)
    if made.returncode:
        return None, made.stderr
    before.write_text(change(before.read_text()))
    raised = run("block-opt", before, "--block-raise", f"--block-explain=format=json file={report}", "-o", after)
    return (before, after, json.loads(report.read_text())) if not raised.returncode else None, raised.stderr


def check_report(text, found, lines, pieces, said, place):
    """What is wrong with what is recognised, and with what is said of the rest."""
    counts = tuple(len(re.findall(rf"(?<!#)block\.{kind}\b", text)) for kind in ("attention", "sdpa", "mlp", "norm"))
    if counts != pieces:
        return f"expected {pieces}, got {counts}, {found['missed']}"
    recognised = found["recognised"]
    if (recognised["attention"], recognised["mlp"]) != (counts[0] + counts[1], counts[2]):
        return f"the report says {recognised}, there are {counts}"
    if not said:
        return f"expected nothing missed, got {found['missed']}" if found["missed"] else ""
    missed = [miss for miss in found["missed"] if (miss["kind"], miss["reason"]) == said]
    if not missed:
        return f"expected {said}, got {found['missed']}"
    for miss in missed:
        at = re.fullmatch(r"(.*):(\d+):\d+", miss["location"])
        if not at or not re.search(place, lines[int(at.group(2)) - 1]):
            return f"expected a line with {place}, got {miss['location']}"
    return ""


def check(folder, number, family, flags, level, change, engines, pieces, said, place):
    files, problem = raise_changed(folder, number, family, flags, level, change)
    if not files:
        return problem
    before, after, found = files
    problem = check_report(after.read_text(), found, before.read_text().splitlines(), pieces, said, place)
    for engine in engines:
        if problem:
            break
        compared = run("block-run", after, f"--engine={engine}", "--seed=7", f"--baseline={before}")
        problem = f"{engine}: {compared.stdout}{compared.stderr}" if compared.returncode else ""
    return problem


def get_cases(full):
    """Names, and the arguments of a check."""
    for family, level, pattern, changed, *rest in MODELS:
        yield f"{family} {level} {rest[1][1]}", (family, SMALL, level, lambda text, p=pattern, c=changed: re.sub(p, c, text), ["reference"], *rest)
    for number, (family, change, *rest) in enumerate(CHANGES):
        for level in ("tosa", "linalg") if full else (("tosa", "linalg")[number % 2],):
            def apply(text, change=change, level=level):
                function = Function(text)
                change(function, level)
                return "\n".join(function.lines) + "\n"
            engines = ["reference", "cpu"] if full else ["cpu" if number < 2 else "reference"]
            yield f"{family} {level} {change.__name__}", (family, THREE, level, apply, engines, *rest)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    cases = list(get_cases("--full" in sys.argv))
    for number, (name, arguments) in enumerate(cases):
        problem = check(folder, number, *arguments)
        failed += bool(problem)
        print(f"{'FAILED' if problem else 'ok'} {name} {problem.strip()[:300]}")
        if problem:
            before = folder / f"{number}.mlir"
            print(before.read_text() + run("block-opt", before, "--block-raise", "--block-raise-dump", "-o", "/dev/null").stderr)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
