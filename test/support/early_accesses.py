# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels do with global memory before they wait for the launch before, as PTX says it.

Paths are followed from a kernel's beginning to its first griddepcontrol.wait; an
address belongs to the parameters that it is computed from.
"""

import re

LABEL = re.compile(r"(\$\w+):")
BRANCH = re.compile(r"(@!?%p\d+\s+)?bra(?:\.uni)?\s+(\$\w+);")
GLOBAL = re.compile(r"(?:ld|st|atom|red|cp)\b[.\w:]*\.global\b|prefetch\.global")
BULK = re.compile(r"cp\.async\.bulk\b")
DEFINITION = re.compile(r"(?:@!?%p\d+\s+)?([a-z][\w.:]*)\s+(\{?[%\w, ]+\}?), (.*);")
PARAMETER = re.compile(r"\b\w+_param_(\d+)\b")
REGISTER = re.compile(r"%\w+")


def split_kernels(ptx):
    """Texts of kernels by name."""
    parts = ptx.split(".visible .entry ")[1:]
    return {part[:part.index("(")]: part[part.index("\n{"):] for part in parts}


def _find_sources(lines):
    """The numbers of the parameters that each register may come from, by register."""
    sources, changed = {}, True
    while changed:
        changed = False
        for line in lines:
            if not (match := DEFINITION.match(line)):
                continue
            found = {int(number) for number in PARAMETER.findall(match[3])}
            for register in REGISTER.findall(match[3]):
                found |= sources.get(register, set())
            for register in REGISTER.findall(match[2]):
                known = sources.setdefault(register, set())
                changed |= not found <= known
                known |= found
    return sources


def _follow(lines):
    """Lines that may run before any wait."""
    places = {match[1]: number for number, line in enumerate(lines) if (match := LABEL.match(line))}
    todo, seen = [0], set()
    while todo:
        number = todo.pop()
        while number < len(lines) and number not in seen:
            seen.add(number)
            line = lines[number]
            if "griddepcontrol.wait" in line or line == "ret;":
                break
            if branch := BRANCH.match(line):
                todo.append(places[branch[2]])
                if not branch[1]:
                    break
            number += 1
    return [lines[number] for number in sorted(seen)]


def find_early(kernel):
    """(instruction, numbers of parameters) of each access to global memory that may come before the wait."""
    lines = [line.strip() for line in kernel.splitlines()]
    sources = _find_sources(lines)
    for line in _follow(lines):
        if not (GLOBAL.search(line) or BULK.search(line)):
            continue
        # A copy between memories names the global one last; others have one address.
        addresses = re.findall(r"\[([^\]]*)\]", line)
        global_one = next((a for a in addresses if "{" in a), addresses[0]) if BULK.search(line) else addresses[-1]
        base = REGISTER.findall(global_one.partition("{")[0])
        yield line, set().union(*(sources.get(register, set()) for register in base))
