#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assembles PTX and checks what tests ask of every kernel.

No spills, no stack, no advice with a C75xx number from ptxas, no more shared
memory than the chip has (ptxas does not know the dynamic part), and counts of
machine instructions: `--require 'HGMMA=8'`, `'gemm:LDGSTS>=16'`, `'LDL=0'`.
Without the name of a kernel a count is of the whole file. Prints a line per
kernel. Needs ptxas and nvdisasm on PATH.

With PARABLOCK_PTX_CACHE in the environment, what these versions of them have
said of the same PTX is kept in that folder, and taken from there.
"""

import argparse
import functools
import gzip
import hashlib
import json
import operator
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

import machine_code

SHARED_LIMIT = {"sm_80": 163 * 1024, "sm_90a": 227 * 1024}
SHOWN = ("HGMMA", "HMMA", "FFMA", "LDSM", "STSM", "UTMALDG", "UTMASTG", "LDGSTS", "LDL", "STL", "MUFU")
COMPARE = {"=": operator.eq, ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
REQUIREMENT = re.compile(r"(?:([\w$.]+):)?([A-Z][A-Z0-9]*)(>=|<=|=|>|<)(\d+)")


class Kernel:
    def __init__(self, name):
        self.name = name
        self.registers = self.stack = self.spill_stores = self.spill_loads = self.static_shared = 0
        self.code = machine_code.Code(name)

    @property
    def instructions(self):
        return self.code.counts


def fail(message):
    print(f"ptx_checks: error: {message}", file=sys.stderr)
    sys.exit(1)


def run(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        fail(f"cannot find {command[0]} on PATH")
    if done.returncode:
        fail(f"{command[0]} failed: {(done.stdout + done.stderr).strip()}")
    return done.stdout + done.stderr


def number(pattern, text):
    match = re.search(r"(\d+) " + pattern, text)
    return int(match.group(1)) if match else 0


def read_log(log):
    """Kernels by name, and the lines with a C75xx number."""
    kernels = {}
    for part in re.split(r"(?=ptxas info\s*: Compiling entry function)", log)[1:]:
        kernel = Kernel(re.search(r"entry function '([^']+)'", part).group(1))
        own = re.search(rf"properties for {re.escape(kernel.name)}\n(.*)", part)
        kernel.stack = number("bytes stack frame", own.group(1))
        kernel.spill_stores = number("bytes spill stores", own.group(1))
        kernel.spill_loads = number("bytes spill loads", own.group(1))
        kernel.registers = number("registers", part)
        kernel.static_shared = number("bytes smem", part)
        kernels[kernel.name] = kernel
    return kernels, [line.strip() for line in log.split("\n") if re.search(r"\(?C75\d\d\b", line)]


def assemble(path, chip):
    """What ptxas says of a PTX file, and nvdisasm of what it makes."""
    with tempfile.TemporaryDirectory() as folder:
        cubin = os.path.join(folder, "kernels.cubin")
        return run("ptxas", f"-arch={chip}", "-v", path, "-o", cubin), run("nvdisasm", "-c", cubin)


@functools.cache
def get_versions():
    return run("ptxas", "--version") + run("nvdisasm", "--version")


def assemble_once(path, chip):
    """The same, once for all files of these instructions where a folder keeps it."""
    folder = os.environ.get("PARABLOCK_PTX_CACHE")
    if not folder:
        return assemble(path, chip)
    code = re.sub(r"\s*//.*", "", pathlib.Path(path).read_text(encoding="utf-8"))
    key = hashlib.sha256("\n".join((get_versions(), chip, code)).encode())
    kept = pathlib.Path(folder) / f"{key.hexdigest()}.json.gz"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        written = kept.with_suffix(f".{os.getpid()}.{threading.get_ident()}")
        written.write_bytes(gzip.compress(json.dumps(assemble(path, chip)).encode(), compresslevel=3))
        written.rename(kept)
    return json.loads(gzip.decompress(kept.read_bytes()))


def measure(path, chip):
    """(kernels by name, C75xx lines) of a PTX file."""
    log, listing = assemble_once(path, chip)
    kernels, advice = read_log(log)
    for name, code in machine_code.read(listing).items():
        if name in kernels:
            kernels[name].code = code
    return kernels, advice


def dynamic_sizes(arguments, kernels):
    """Bytes per kernel from `kernel=bytes` or, for all kernels, `bytes`."""
    sizes = {}
    for argument in arguments:
        name, _, size = argument.rpartition("=")
        if name and name not in kernels:
            fail(f"--dynamic-shared={argument}: expected one of {', '.join(kernels)}, got '{name}'")
        for kernel in [name] if name else kernels:
            sizes[kernel] = int(size)
    return sizes


def check_resources(kernels, advice, dynamic, limit, max_stack):
    yield from advice
    for kernel in kernels.values():
        if kernel.spill_stores or kernel.spill_loads:
            yield f"{kernel.name}: {kernel.spill_stores} bytes of spills, {kernel.spill_loads} bytes loaded"
        if kernel.stack > max_stack:
            yield f"{kernel.name}: a stack of {kernel.stack} bytes, expected at most {max_stack}"
        shared = kernel.static_shared + dynamic.get(kernel.name, 0)
        if shared > limit:
            yield f"{kernel.name}: {shared} bytes of shared memory, expected at most {limit}"


def check_counts(kernels, requirements):
    for requirement in requirements:
        match = REQUIREMENT.fullmatch(requirement)
        if not match:
            fail(f"--require={requirement}: expected such as 'HGMMA>=8' or 'kernel:LDL=0'")
        name, opcode, sign, wanted = match.groups()
        if name and name not in kernels:
            fail(f"--require={requirement}: expected one of {', '.join(kernels)}, got '{name}'")
        chosen = [kernels[name]] if name else kernels.values()
        count = sum(kernel.instructions[opcode] for kernel in chosen)
        if not COMPARE[sign](count, int(wanted)):
            yield f"{name or 'all kernels'}: expected {opcode} {sign} {wanted}, got {count}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ptx", help="the PTX file")
    parser.add_argument("--chip", required=True, choices=sorted(SHARED_LIMIT))
    parser.add_argument("--dynamic-shared", action="append", default=[], metavar="[KERNEL=]BYTES")
    parser.add_argument("--require", action="append", default=[], metavar="[KERNEL:]OPCODE>=N")
    parser.add_argument("--max-stack", type=int, default=0, metavar="BYTES")
    options = parser.parse_args()

    with open(options.ptx, encoding="utf-8") as file:
        if ".extern .shared" in file.read() and not options.dynamic_shared:
            fail(f"{options.ptx} has dynamic shared memory: expected --dynamic-shared")
    kernels, advice = measure(options.ptx, options.chip)
    if not kernels:
        fail(f"{options.ptx} has no kernel")
    dynamic = dynamic_sizes(options.dynamic_shared, kernels)
    for kernel in kernels.values():
        shown = "".join(f", {op} {kernel.instructions[op]}" for op in SHOWN if kernel.instructions[op])
        print(
            f"{kernel.name}: registers {kernel.registers}, shared {kernel.static_shared} + "
            f"{dynamic.get(kernel.name, 0)}, instructions {kernel.instructions.total()}{shown}"
        )
    limit = SHARED_LIMIT[options.chip]
    complaints = list(check_resources(kernels, advice, dynamic, limit, options.max_stack))
    complaints += check_counts(kernels, options.require)
    for complaint in complaints:
        print(f"ptx_checks: {complaint}", file=sys.stderr)
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
