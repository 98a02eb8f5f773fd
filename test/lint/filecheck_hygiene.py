#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines of tests that look like checks and are none.

FileCheck passes over a directive it does not know (a misspelt one, one whose
prefix no RUN line gives), over a variable that is captured twice, and over an
operand that may be anything. Each of these makes a test that cannot fail.
"""

import re

import tree

SUFFIXES = ("", "-NEXT", "-SAME", "-NOT", "-DAG", "-LABEL", "-EMPTY", "-COUNT")
EXPECTED = {f"expected-{kind}{tail}" for kind in ("error", "warning", "note", "remark")
            for tail in ("", "-re")}
LIT_WORDS = {"RUN", "REQUIRES", "UNSUPPORTED", "XFAIL", "DEFINE", "REDEFINE", "END"}

# A directive stands in a comment or, in a .test file, also by itself.
COMMENT = re.compile(r"^\s*(?://+|#)\s*([A-Za-z][\w-]*)(\s*:|\s|$)(.*)")
PLAIN = re.compile(r"^\s*([A-Z][\w-]*)(\s*:)(.*)")
PREFIX_OPTION = re.compile(r"--?check-prefix(?:es)?[= ]([\w,-]+)")
#: What lit takes one of two of.
CHOICE = re.compile(r"%if \S+ %\{(.*?)%\}(?: %else %\{(.*?)%\})?")
CAPTURE = re.compile(r"\[\[#?([A-Za-z_]\w*)\s*:")
WILD = re.compile(r"%\{\{[^}]*\}\}")


def distance(a, b):
    """Edits, with neighbours swapped as one, from `a` to `b`."""
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]


def prefixes_of(run):
    """The prefixes of each FileCheck call of the RUN lines."""
    found = set()
    versions = CHOICE.sub(r"\1", run) + "\n" + CHOICE.sub(lambda match: match[2] or "", run)
    for call in re.split(r"\|\||&&|[|;\n]", versions):
        # A call with another file than the test has its directives there.
        match = re.search(r"\bFileCheck\b(.*)", call)
        if not match or not re.search(r"%s(?!\w)", match.group(1)):
            continue
        given = PREFIX_OPTION.findall(call)
        found |= {name for names in given for name in names.split(",")} or {"CHECK"}
    return found


def is_near(word, known):
    """A misspelling of something known, and not simply a shorter word."""
    limit = 2 if len(word) > 6 else 1
    return any(abs(len(word) - len(k)) <= limit and distance(word, k) <= limit for k in known)


def looks_like_directive(word):
    """All in capitals, and no name of a thing such as ISO-8601."""
    return word not in LIT_WORDS and word.upper() == word and not re.search(r"-\d+$", word)


def check_file(name, text):
    plain = name.endswith(".test")
    lines = text.split("\n")
    run = "\n".join(line.split("RUN:", 1)[1] for line in lines if "RUN:" in line)
    prefixes = prefixes_of(run.replace("\\\n", " "))
    known = {p + s for p in prefixes for s in SUFFIXES}
    used, captured = set(), {}
    verifies = "verify-diagnostics" in run

    for number, line in enumerate(lines, 1):
        match = COMMENT.match(line) or (plain and PLAIN.match(line))
        if not match:
            continue
        word, mark, rest = match.groups()
        where = f"{name}:{number}"
        base = re.sub(r"-COUNT-\d+$", "-COUNT", word)
        if word.startswith("expected-"):
            if word not in EXPECTED:
                yield f"{where}: '{word}' is none of {', '.join(sorted(EXPECTED))}"
            elif not verifies:
                yield f"{where}: no RUN line gives --verify-diagnostics"
            continue
        if base in known:
            if ":" not in mark:
                yield f"{where}: '{word}' without a colon checks nothing"
                continue
            prefix = next(p for p in prefixes for s in SUFFIXES if base == p + s)
            used.add(prefix)
            yield from check_directive(where, base[len(prefix):], prefix, rest, captured)
        elif ":" in mark and looks_like_directive(word):
            stem = re.sub(r"-(NEXT|SAME|NOT|DAG|LABEL|EMPTY|COUNT)$", "", base)
            if is_near(base, known | {"CHECK" + s for s in SUFFIXES} | {"RUN"}):
                yield f"{where}: '{word}' is a misspelt directive"
            elif stem != base or "CHECK" in word:
                yield f"{where}: no RUN line gives the prefix '{stem}'"

    for prefix in sorted(prefixes - used):
        yield f"{name}: no line checks anything under the prefix '{prefix}'"


def check_directive(where, suffix, prefix, rest, captured):
    if suffix == "-LABEL":
        captured[prefix] = set()
    seen = captured.setdefault(prefix, set())
    for variable in CAPTURE.findall(rest):
        if variable in seen:
            yield f"{where}: '{variable}' is captured a second time since the last label"
        seen.add(variable)
    if suffix == "-NOT":
        return
    operands = rest.split("=", 1)[-1] if re.match(r"\s*%", rest) else rest
    if len(WILD.findall(operands)) > 1 and "%" not in WILD.sub("", operands):
        yield f"{where}: every operand may be anything: bind them with [[NAME:...]]"


def check(root):
    found = False
    for path in tree.files(root, "test/*.mlir", "test/*.test"):
        found = True
        if {"Inputs", "downstream"} & set(path.relative_to(root).parts):
            continue
        text = path.read_text(encoding="utf-8")
        yield from check_file(path.relative_to(root).as_posix(), text)
        if not re.search(r"\bRUN:", text):
            yield f"{path.relative_to(root)}: no RUN line"
    if not found:
        yield f"{root}: no tests found"


if __name__ == "__main__":
    tree.main(__doc__, check)
