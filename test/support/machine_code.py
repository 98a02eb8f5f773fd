#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads machine code as nvdisasm prints it: what is in which loop, in which order.

A kernel's loops are those of its control flow, not of its addresses: code of a
loop may lie behind the exit, and a branch back may belong to no loop. The main
loop is the innermost one with the most matrix products.
"""

import collections
import functools
import re

SECTION = re.compile(r"\s*\.section\s+\.text\.([^,\s]+)")
OTHER_SECTION = re.compile(r"\s*\.section\s")
LABEL = re.compile(r"\s*(\.L_\w+|\$\w+):")
INSTRUCTION = re.compile(r"\s*/\*([0-9a-f]{4,})\*/\s+(?:@(!?U?P\w+)\s+)?([A-Z][\w.]*)\s*(.*?)\s*;")
TARGET = re.compile(r"`\((\.L_\w+)\)")

PRODUCTS = ("HGMMA", "HMMA")
STAGED = 32  # stores to shared memory that are those of a part of a tile
SHARED = ("LDS", "STS", "LDSM", "STSM")
INTEGER = ("IADD3", "IMAD", "LOP3", "SHF", "LEA", "ISETP", "SEL", "PRMT", "PLOP3", "IMNMX", "VIADD", "VIMNMX")


class Instruction:
    """One line: `@!P0 MEMBAR.ALL.GPU` has the guard !P0 and the name MEMBAR."""

    def __init__(self, guard, opcode, operands):
        self.guard, self.opcode, self.operands = guard, opcode, operands
        self.name = opcode.partition(".")[0]

    @property
    def waits_for(self):
        """How many groups of products may still run behind it; None for no wait."""
        return int(self.operands.rsplit(",", 1)[1], 0) if self.opcode.startswith("WARPGROUP.DEPBAR") else None

    @property
    def is_exponential(self):
        return self.opcode == "MUFU.EX2"

    @property
    def is_membar(self):
        return self.name == "MEMBAR"

    @property
    def bits(self):
        """What one lane moves by a load or store."""
        widths = {"U8": 8, "S8": 8, "U16": 16, "S16": 16, "64": 64, "128": 128}
        return next((widths[part] for part in self.opcode.split(".") if part in widths), 32)


class Loop:
    """A natural loop: the blocks from which its head is reached again."""

    def __init__(self, code, blocks):
        self.blocks = frozenset(blocks)
        self.instructions = [i for block in sorted(blocks) for i in code.blocks[block]]
        self.counts = collections.Counter(i.name for i in self.instructions)

    def __len__(self):
        return len(self.instructions)

    def __contains__(self, other):
        return other.blocks < self.blocks

    @property
    def products(self):
        return sum(self.counts[name] for name in PRODUCTS)


class Code:
    """A kernel's instructions in blocks, and the loops among them."""

    def __init__(self, name):
        self.name = name
        self.instructions = []
        self.labels = {}

    @functools.cached_property
    def counts(self):
        return collections.Counter(i.name for i in self.instructions)

    @functools.cached_property
    def starts(self):
        """The first instruction of each block."""
        starts = {0, *self.labels.values()}
        starts |= {at + 1 for at, i in enumerate(self.instructions) if i.name in ("BRA", "EXIT", "RET")}
        return sorted(start for start in starts if start < len(self.instructions))

    @functools.cached_property
    def blocks(self):
        ends = [*self.starts[1:], len(self.instructions)]
        return [self.instructions[start:end] for start, end in zip(self.starts, ends)]

    @functools.cached_property
    def successors(self):
        number = {start: block for block, start in enumerate(self.starts)}
        result = []
        for block, body in enumerate(self.blocks):
            last, after = body[-1], set()
            if last.name == "BRA" and (target := TARGET.search(last.operands)):
                after.add(number[self.labels[target.group(1)]])
            if last.name not in ("BRA", "EXIT", "RET") or last.guard or "UP" in last.operands.split("`")[0]:
                after.add(block + 1)
            result.append(sorted(s for s in after if s < len(self.blocks)))
        return result

    @functools.cached_property
    def predecessors(self):
        result = [[] for _ in self.blocks]
        for block, after in enumerate(self.successors):
            for successor in after:
                result[successor].append(block)
        return result

    @functools.cached_property
    def dominators(self):
        """The blocks on every way to each block that can be reached."""
        reached, open_ = set(), [0]
        while open_:
            block = open_.pop()
            if block not in reached:
                reached.add(block)
                open_ += self.successors[block]
        result = {block: set(reached) for block in reached}
        result[0] = {0}
        changed = True
        while changed:
            changed = False
            for block in sorted(reached - {0}):
                before = [result[p] for p in self.predecessors[block] if p in reached]
                found = set.intersection(*before) | {block}
                changed |= found != result[block]
                result[block] = found
        return result

    @functools.cached_property
    def loops(self):
        """All loops, the smallest first; those of one head are one."""
        heads = collections.defaultdict(set)
        for block in self.dominators:
            for head in self.successors[block]:
                if head in self.dominators[block]:
                    heads[head] |= self.collect_loop(head, block)
        return sorted((Loop(self, blocks) for blocks in heads.values()), key=len)

    def collect_loop(self, head, last):
        body, open_ = {head}, [last]
        while open_:
            block = open_.pop()
            if block not in body and block in self.dominators:
                body.add(block)
                open_ += self.predecessors[block]
        return body

    @functools.cached_property
    def product_loops(self):
        """The innermost loops with products, the smallest first."""
        innermost = []
        for loop in self.loops:
            if loop.products and not any(inner in loop for inner in innermost):
                innermost.append(loop)
        return innermost

    @property
    def main_loop(self):
        """The innermost loop with the most products, or None; of such, the one that does the least besides."""
        return max(self.product_loops, key=lambda loop: loop.products, default=None)

    @property
    def row_loops(self):
        """Loops without products that store to memory, none inside another; not those that stage a part of a tile for
        the loop inside."""
        stores = [loop for loop in self.loops if loop.counts["STG"] and not loop.products]
        loops = [loop for loop in stores if loop.counts["STS"] < STAGED or not any(inner in loop for inner in stores)]
        return [loop for loop in loops if not any(loop in other for other in loops)]

    def membars_in_loops(self, scope):
        """Memory barriers of a scope, such as GPU, that are in any loop."""
        looped = {id(i): i for loop in self.loops for i in loop.instructions}
        return sum(i.is_membar and i.opcode.endswith(f".ALL.{scope}") for i in looped.values())


def read(listing):
    """Kernels by name."""
    kernels, current = {}, None
    for line in listing.split("\n"):
        if section := SECTION.match(line):
            name = section.group(1).strip('"')
            current = kernels.setdefault(name, Code(name))
        elif OTHER_SECTION.match(line):
            current = None
        elif current and (label := LABEL.match(line)):
            current.labels[label.group(1)] = len(current.instructions)
        elif current and (found := INSTRUCTION.match(line)):
            current.instructions.append(Instruction(*found.groups()[1:]))
    return kernels


def exponentials_beside_products(loop):
    """(those between the issue of the loop's products and the wait for all of them, all)."""
    beside, issued = 0, False
    for instruction in loop.instructions:
        if instruction.name == "HGMMA":
            issued = True
        elif instruction.waits_for == 0:
            issued = False
        elif instruction.is_exponential:
            beside += issued
    return beside, sum(i.is_exponential for i in loop.instructions)


def order(loop):
    """The loop as runs of what matters to its order, such as `HGMMA*8 wait(0) ex2*66`."""
    words = []
    for instruction in loop.instructions:
        word = None
        if instruction.name in ("HGMMA", "HMMA", "FMNMX"):
            word = instruction.name
        elif instruction.waits_for is not None:
            word = f"wait({instruction.waits_for})"
        elif instruction.is_exponential:
            word = "ex2"
        elif instruction.name in ("BAR", "MEMBAR"):
            word = instruction.opcode
        if word and words and words[-1][0] == word:
            words[-1][1] += 1
        elif word:
            words.append([word, 1])
    return " ".join(f"{word}*{count}" if count > 1 else word for word, count in words)
