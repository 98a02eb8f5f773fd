#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the machine code of kernels for sm_90a against the limits in cases.py.

    limits.py                 what is over its limit, and a line per kernel; and rows of the tables of
                              docs/measured/PerformanceGpu.md that are others
    limits.py --renew         writes these tables
    PARABLOCK_FULL=1          all models, rather than cases.EVERYDAY; as with --renew

Nothing is run: what stands here is counted in what ptxas made. Every kernel of
every model, with or without a row of its own, has no advice of ptxas, no spills, no
call in the code of a row and no barrier of the whole GPU in a loop. Needs the build's
tools on PATH.
"""

import argparse
import concurrent.futures
import os
import pathlib
import sys
import tempfile

TEST = pathlib.Path(__file__).resolve().parents[1]

import cases
import machine_code
import ptx_checks
import tiers
from tools import Failure, run

CHIP = "sm_90a"
DOCUMENT = TEST.parent / "docs" / "measured" / "PerformanceGpu.md"
BEGIN, END = "<!-- tables of test/MachineCode/limits.py: begin -->", "<!-- end -->"


def compile_model(folder, model, replace):
    """Kernels by name, and the advice of ptxas; texts of the PTX are replaced before."""
    source, kernels, ptx = (os.path.join(folder, name) for name in ("m.mlir", "k.mlir", "k.ptx"))
    run("block-gen", *cases.LAYER.split(), *model.split(), "-o", source)
    run("block-opt", source, f"--block-optimize=chip={CHIP}", "-o", kernels)
    run("block-translate", "--block-to-ptx", f"--chip={CHIP}", kernels, "-o", ptx)
    if replace:
        text = pathlib.Path(ptx).read_text(encoding="utf-8")
        if replace[0] not in text:
            raise RuntimeError(f"the PTX has no '{replace[0]}'")
        pathlib.Path(ptx).write_text(text.replace(*replace), encoding="utf-8")
    return ptx_checks.measure(ptx, CHIP)


def count_stored(loop):
    """Bits that one lane stores in a round."""
    return sum(i.bits for i in loop.instructions if i.name == "STG")


def is_remainder(loop, others):
    """Whether it does one row at a time of those that another loop does several of, for less."""
    def does(other, times):
        return (len(other) < times * len(loop) < 2 * len(other) and count_stored(other) == times * count_stored(loop)
                and all(other.counts[name] == times * loop.counts[name] for name in ("MUFU", "F2FP", "STG")))

    return any(does(other, times) for other in others for times in (2, 4, 8))


class Facts:
    """What is counted in one kernel."""

    def __init__(self, kernel):
        code, loop = kernel.code, kernel.code.main_loop
        self.registers = kernel.registers
        self.membars = code.membars_in_loops("GPU")
        self.products = self.beside = self.exponentials = self.loop = self.hidden = 0
        self.shapes = self.order = ""
        if loop:
            self.loop = len(loop) - loop.products
            self.products = loop.products
            shapes = {}
            for i in loop.instructions:
                if i.name in machine_code.PRODUCTS:
                    shape = i.opcode.split(".")[1]
                    shapes[shape] = shapes.get(shape, 0) + 1
            self.shapes = ", ".join(f"{count} x {shape}" for shape, count in shapes.items())
            self.beside, self.exponentials = machine_code.exponentials_beside_products(loop)
            self.order = machine_code.order(loop)
            # The same products, and more done to what comes of them.
            self.hidden = max(len(other) - other.products for other in code.product_loops
                              if other.products == loop.products)
        rows = [rows for rows in code.row_loops if not is_remainder(rows, code.row_loops)]
        self.row, self.accesses = max((self.measure_rows(loop) for loop in rows), default=(0, ""))
        self.stores = [code.counts[name] for name in ("STSM", "UTMASTG")]
        if not rows:
            self.accesses = "{} STSM, {} TMA stores a warp".format(*self.stores)

    @staticmethod
    def measure_rows(loop):
        """(instructions for each 8 bytes that a lane stores, its accesses of shared and of global memory)."""
        stored = count_stored(loop)
        widths = {}
        for i in loop.instructions:
            if i.name in ("LDS", "STG"):
                widths.setdefault(i.name, set()).add(i.bits // 8)
        text = "; ".join(f"{name} {', '.join(map(str, sorted(found)))}" for name, found in sorted(widths.items()))
        return len(loop) * 64 / stored, text


def check_kernels(model, kernels, advice):
    """What no kernel may have."""
    yield from (f"{model}: {line}" for line in advice)
    for kernel in kernels.values():
        if kernel.spill_stores or kernel.spill_loads or kernel.stack:
            yield f"{model}: {kernel.name} spills {kernel.spill_stores} bytes, with a stack of {kernel.stack}"
        if count := kernel.code.membars_in_loops("GPU"):
            yield f"{model}: {kernel.name} has {count} MEMBAR.ALL.GPU in loops"
        if count := sum(loop.counts["CALL"] for loop in kernel.code.row_loops):
            yield f"{model}: {kernel.name} has {count} calls in the code of a row"


def check_row(row, facts, tighter):
    if not facts.row and not facts.stores[1]:
        yield f"{row.model}: {row.kernel} has neither loops over rows nor TMA stores"
    if facts.loop > row.loop - tighter:
        yield f"{row.model}: {row.kernel} has a main loop of {facts.loop} more instructions, expected at most {row.loop - tighter}"
    if row.hidden and facts.hidden > row.hidden:
        yield (f"{row.model}: {row.kernel} has a loop over hidden keys of {facts.hidden} more instructions, "
               f"expected at most {row.hidden}")
    if facts.row > row.row:
        yield f"{row.model}: {row.kernel} takes {facts.row:.1f} instructions for 8 bytes of a row, expected at most {row.row}"


def measure_all(models, replace):
    """(facts by model and kernel, complaints)."""
    def measure(name):
        with tempfile.TemporaryDirectory() as folder:
            try:
                return name, *compile_model(folder, models[name], replace), None
            except (RuntimeError, Failure) as error:
                return name, {}, [], str(error)

    facts, complaints = {}, []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, kernels, advice, error in pool.map(measure, models):
            complaints += [f"{name}: {error}"] if error else check_kernels(name, kernels, advice)
            facts.update({(name, kernel.name): Facts(kernel) for kernel in kernels.values()})
    return facts, complaints


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def render(facts):
    """The tables of the document, as far as there are facts."""
    products, attention = [], []
    for row in cases.ROWS:
        found = facts.get((row.model, row.kernel))
        if not found:
            continue
        if row.kernel.startswith("sdpa"):
            attention.append((f"`{row.model}`: {row.what}", found.registers, found.shapes, found.loop,
                              found.hidden if found.hidden > found.loop else "", f"{found.beside} of {found.exponentials}"))
        else:
            products.append((f"`{row.model}` {row.kernel}: {row.what}", found.registers, found.shapes, found.loop,
                             found.membars, f"{found.row:.0f}" if found.row else "", found.accesses))
    products += [(who, "", shapes, loop, membars, "", rows) for who, shapes, loop, membars, rows in cases.PRODUCT_PEERS]
    attention += [(who, "", "", loop, "", beside) for who, loop, beside in cases.ATTENTION_PEERS]
    return "\n\n".join((
        table(("product", "registers", "products of the main loop", "other instructions", "GPU-wide barriers in loops",
               "instructions for 8 bytes of a row", "bytes of its accesses"), products),
        table(("attention", "registers", "products of the main loop", "other instructions",
               "where keys are hidden", "exponentials beside products"), attention)))


def split_document(document):
    before, rest = document.read_text(encoding="utf-8").split(BEGIN)
    old, after = rest.split(END)
    return before + BEGIN, old, END + after


def compare(document, facts):
    """Complains of rows that the document has otherwise, and where it has others."""
    old, new = (text.split("\n") for text in (split_document(document)[1], f"\n{render(facts)}\n"))
    yield from (f"{document.name} lacks {line}" for line in new if line not in old)
    if {model for model, _ in facts} >= set(cases.MODELS) and old != new:
        yield f"{document.name} has other tables: renew them with limits.py --renew"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("--only", default="", help="models with this word in the name")
    parser.add_argument("--tighter", type=int, default=0, help="so many instructions less in main loops")
    parser.add_argument("--replace", nargs=2, metavar=("OLD", "NEW"), help="in the PTX, which the limits have to find")
    parser.add_argument("--document", type=pathlib.Path, default=DOCUMENT, help="the file that has the tables")
    parser.add_argument("--order", action="store_true", help="prints the order of each main loop")
    options = parser.parse_args()

    is_full = options.renew or tiers.FULL
    names = cases.MODELS if is_full else cases.EVERYDAY
    models = {name: cases.MODELS[name] for name in names if options.only in name}
    facts, complaints = measure_all(models, options.replace)
    for row in cases.ROWS:
        if found := facts.get((row.model, row.kernel)):
            complaints += check_row(row, found, options.tighter)
        elif row.model in models:
            complaints.append(f"{row.model}: no kernel {row.kernel}")
    if options.renew:
        before, _, after = split_document(options.document)
        options.document.write_text(f"{before}\n{render(facts)}\n{after}", encoding="utf-8")
    elif not options.replace:
        complaints += compare(options.document, facts)
    # First, since FileCheck shows the beginning of what it reads.
    for complaint in complaints:
        print(complaint)
    for (model, name), found in facts.items():
        print(f"{model} {name}: registers {found.registers}, main loop {found.shapes or 'none'} + {found.loop}, "
              f"hidden {found.hidden}, "
              f"exponentials {found.beside} of {found.exponentials}, row {found.row:.1f} {found.accesses}")
        if options.order and found.order:
            print(f"    {found.order}")
    print(f"{len(models)} models, {len(facts)} kernels, {len(complaints)} complaints")
    sys.exit(1 if complaints or not facts else 0)


if __name__ == "__main__":
    main()
