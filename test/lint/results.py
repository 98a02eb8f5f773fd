# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bench/results has what bench/keep.py keeps: a line for each case, under one about the file."""

import json

import tree

#: Of all files together, and of a line, which a reader takes in at once.
MOST_LINES, MOST_CHARACTERS = 350, 1200
FIRST_LINE = ("schema", "date", "commit", "suite")
PROCESSORS = ("cpu", "gpu", "processor")


def check_line(line, number):
    if len(line) > MOST_CHARACTERS:
        yield f"{len(line)} characters, at most {MOST_CHARACTERS}"
    try:
        record = json.loads(line)
    except ValueError:
        yield "not JSON; every line is one record"
        return
    if number > 1:
        return
    for name in FIRST_LINE:
        if name not in record:
            yield f"the first line has no '{name}'"
    if not any(name in record for name in PROCESSORS):
        yield f"the first line names no processor, expected one of {', '.join(PROCESSORS)}"


def check(root):
    total = 0
    for path in tree.files(root, "bench/results/*"):
        name = path.relative_to(root)
        if path.suffix != ".jsonl":
            yield f"{name}: expected .jsonl, which bench/keep.py makes of a report"
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        total += len(lines)
        for number, line in enumerate(lines, 1):
            for complaint in check_line(line, number):
                yield f"{name}:{number}: {complaint}"
    if total > MOST_LINES:
        yield f"bench/results: {total} lines, at most {MOST_LINES}: keep what a table or a page uses"


if __name__ == "__main__":
    tree.main(__doc__, check)
