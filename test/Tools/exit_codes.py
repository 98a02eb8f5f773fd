#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exit codes of every tool: 0 fine, 1 bad usage or input, 3 numbers out of tolerance, 4 something that is missing.

usage: exit_codes.py FOLDER

Each row is a command line, its exit code, and a part of what it prints on standard error. A code beside 0 and 1 that
the tool's --help does not list is a fault, and so is one that it lists and no row has. A command that fails leaves no
output.
"""

import os
import pathlib
import re
import subprocess
import sys

#: Tools, each with a command line of bad input and what is wrong with it.
BAD_INPUT = {
    "block-bench": ("--suite=none --json=OUT", "--suite: expected cpu, train, decode, compile or emulate, got 'none'"),
    "block-drift": ("none.mlir --seed=1 --json=OUT", "cannot open input file 'none.mlir'"),
    "block-gen": ("--family=none -o OUT", "none"),
    "block-launch": ("none.pbk --outputs=OUT", "none.pbk/manifest.json: No such file or directory"),
    "block-lsp-server": ("none.mlir", "Unknown command line argument 'none.mlir'"),
    "block-opt": ("broken.mlir -o OUT", "broken.mlir:1:"),
    "block-reduce": ("model.mlir -o OUT", "for the --test option: must be specified at least once!"),
    "block-run": ("broken.mlir --engine=reference --outputs=OUT", "broken.mlir:1:"),
    "block-translate": ("model.mlir --block-to-ptx --chip=sm_12 -o OUT", "sm_12"),
    "block-weights": ("--recipe=none in.safetensors -o OUT", "none: No such file or directory"),
}
#: What else ends with each code; `REAL` is a tool without the rest of PATH, `WRONG` one with a wrong math library.
ROWS = [
    ("block-gen --family=gpt2 --layers=1 --width=16 --heads=2 --seq=4 -o OUT", 0, ""),
    ("block-gen", 1, "expected --family or --config, got neither"),
    ("block-opt model.mlir --block-optimize -o OUT", 0, ""),
    ("block-opt none.mlir -o OUT", 1, "cannot open input file 'none.mlir'"),
    ("block-opt model.mlir --block-parallelize=blocks=7 -o OUT", 1, "7"),
    ("block-opt model.mlir --block-require=fusions=block-shard -o OUT", 1, "does not have the required block-shard"),
    ("block-opt model.mlir --verify-rewrites --block-optimize -o OUT", 0, ""),
    ("block-run fused.mlir --engine=reference --baseline=model.mlir", 0, ""),
    ("block-run parallel.mlir --engine=reference --baseline=model.mlir --outputs=OUT", 3, ""),
    ("block-run model.mlir --engine=reference --expect=other.safetensors --outputs=OUT", 3, ""),
    ("block-run model.mlir --engine=reference --weights=none.safetensors --outputs=OUT", 1, "none.safetensors"),
    ("block-run model.mlir --engine=cuda --outputs=OUT", 4, "no CUDA driver"),
    ("block-run model.mlir --engine=none --outputs=OUT", 1, "none"),
    ("block-translate model.mlir --block-to-ptx --chip=sm_90a -o OUT", 0, ""),
    ("block-translate model.mlir --chip=sm_90a -o OUT", 1, "expected --block-to-ptx"),
    ("REAL block-translate model.mlir --block-to-cubin --chip=sm_90a --cuda-path=/none -o OUT", 4, "cannot find ptxas"),
    ("block-launch package.pbk --outputs=OUT", 4, "no CUDA driver"),
    ("block-launch package.pbk --no-such-flag", 1, "unknown flag '--no-such-flag'"),
    ("block-weights in.safetensors -o OUT", 1, "expected a --recipe"),
    ("block-bench --suite=compile --case=none --json=OUT", 1, "no case of suite 'compile' holds 'none'"),
    ("WRONG block-bench --suite=cpu --case=gpt2-layer/f32/T1/1 --peers=none --json=OUT", 3, "FAIL hidden_states f32"),
    ("block-drift model.mlir --seed=1 --budget-kl=-1 --json=OUT", 1, "--budget-kl: expected at least 0"),
    ("block-drift model.mlir --seed=1 --scale= --json=OUT", 1, "for the --scale option: expected a number, got ''"),
    ("block-drift model.mlir --seed=1 --from=top --json=OUT", 1, "model.mlir:2:3: error: expected from to be half"),
    ("block-reduce model.mlir --test=none -o OUT", 1, "none"),
]
#: A code that no row can bring about: that of a wrong rewrite (unittests/Compare/RewriteVerifierTest.cpp).
UNREACHED = {("block-opt", 3)}


def run(folder, command):
    """Runs a command line without a driver, a ptxas or a device."""
    words = command.replace("OUT", "out").split()
    environment = {**os.environ, "CUDA_HOME": "/none", "CUDA_VISIBLE_DEVICES": "", "PARABLOCK_FAKE_PACKAGES": "/none"}
    if words[0] == "REAL":
        found = subprocess.run(["which", words[1]], capture_output=True, text=True, check=True).stdout.strip()
        words, environment["PATH"] = [found, *words[2:]], "/none"
    elif words[0] == "WRONG":
        words = words[1:]
        asan = f"{environment.get('ASAN_OPTIONS', '')}:verify_asan_link_order=0"
        environment |= {"LD_PRELOAD": str(folder / "wrong.so"), "ASAN_OPTIONS": asan}
    return subprocess.run(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def check(folder, command, code, part):
    out = folder / "out"
    out.unlink(missing_ok=True)
    done = run(folder, command)
    if done.returncode != code:
        yield f"{command}: expected exit code {code}, got {done.returncode}: {done.stderr[-300:]}"
    if part not in done.stderr:
        yield f"{command}: expected {part!r} on standard error, got {done.stderr[:300]!r}"
    if "OUT" in command and out.exists() != (code == 0):
        yield f"{command}: expected {'an' if code == 0 else 'no'} output file"


def list_codes(text):
    """Codes that --help lists."""
    section = re.search(r"exit codes:(.*)", text, re.IGNORECASE | re.DOTALL)
    return {int(code) for code in re.findall(r"(?:^\s*|, |: | )(\d) [a-z]", section[1], re.MULTILINE)} if section else set()


def prepare(folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "broken.mlir").write_text("func.func @main(")
    small = "--family=gpt2 --layers=1 --width=16 --heads=2 --vocab=11 --positions=8 --batch=1 --seq=4"
    for command in (
        f"block-gen {small} -o model.mlir",
        "block-opt model.mlir --block-optimize -o fused.mlir",
        "block-opt model.mlir --block-parallelize=blocks=all -o parallel.mlir",
        "block-run model.mlir --engine=reference --seed=9 --outputs=other.safetensors",
        "block-translate model.mlir --block-to-package --chip=sm_80 -o package.pbk",
    ):
        done = run(folder, command)
        if done.returncode:
            sys.exit(f"{command}: {done.stderr}")
    source = pathlib.Path(__file__).with_name("Inputs") / "wrong-tanh.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-fno-builtin", "-o", "wrong.so", source], cwd=folder, check=True)


def main():
    folder = pathlib.Path(sys.argv[1])
    prepare(folder)
    rows = list(ROWS)
    for tool, (flags, part) in BAD_INPUT.items():
        rows += [(f"{tool} --help", 0, ""), (f"{tool} --version", 0, ""), (f"{tool} --no-such-flag", 1, "--no-such-flag")]
        rows += [(f"{tool} -h", 0, ""), (f"{tool} --hiden=64", 1, "--hiden=64")]
        rows.append((f"{tool} {flags}", 1, part))
    faults = [fault for row in rows for fault in check(folder, *row)]
    for tool in BAD_INPUT:
        had = {code for command, code, _ in rows if tool in command.split()[:2]}
        had |= {code for name, code in UNREACHED if name == tool}
        listed = list_codes(run(folder, f"{tool} --help").stdout)
        if had != listed:
            faults.append(f"{tool}: --help lists {sorted(listed)}, expected {sorted(had)}")
    print("\n".join(faults))
    print(f"{len(rows)} command lines of {len(BAD_INPUT)} tools, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
