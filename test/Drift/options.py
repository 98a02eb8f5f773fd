# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every option changes what comes out, or is refused by its name."""

import contextlib
import os
import pathlib
import subprocess

from models import Checks, drift, folder, generate, run

DATA = ["--seed=4", "--dims=batch=64"]
checks = Checks()


def function():
    text = pathlib.Path("model.mlir").read_text()
    pathlib.Path("other.mlir").write_text(text.replace("@main", "@other"))
    main = drift("--seed=4")
    run("block-drift", "other.mlir", "--weights=model.safetensors", "--seed=4", "--function=other",
        "--engine=reference", "--json=other.json")
    same = pathlib.Path("other.json").read_text() == pathlib.Path("drift.json").read_text()
    checks.check("function: another name", same and main["layers"])
    error = run("block-drift", "other.mlir", "--weights=model.safetensors", "--function=main", code=1)
    checks.check("function: not there", "expected a function 'main', got other" in error, error)


def ridge():
    """Much of it leaves the weights where they are."""
    fits = {}
    for factor in ("1e-4", "1e6"):
        report = drift(*DATA, "--blocks=1", "--correction=output-refit", f"--ridge={factor}")
        fits[factor] = report["converted"][0]["fits"][0]
    ratio = fits["1e6"]["ridge"] / fits["1e-4"]["ridge"]
    checks.check("ridge: relative to the features", abs(ratio - 1e10) < 1, ratio)
    checks.check("ridge: nothing is explained", fits["1e6"]["residual"] > 0.999 > fits["1e-4"]["residual"], fits)
    chosen = drift(*DATA, "--blocks=1", "--correction=output-refit")["converted"][0]
    tried = {}
    for factor in (1e-4, 1e-3, 1e-2, 1e-1, 1, 10):
        report = drift(*DATA, "--blocks=1", "--correction=output-refit", f"--ridge={factor}")["converted"][0]
        tried[report["held_out_ratio"]] = report["fits"][0]["relative_ridge"]
    checks.check("ridge: the best on the select split", chosen["fits"][0]["relative_ridge"] == tried[min(tried)]
                 and chosen["held_out_ratio"] == min(tried) and len(tried) == 6, (chosen, tried))
    error = run("block-drift", "model.mlir", "--ridge=-1", code=1)
    checks.check("ridge: negative", "--ridge: expected a finite number of at least 0" in error, error)


def compared():
    flags = [*DATA, "--blocks=1", "--correction=output-refit"]
    alone = drift(*flags)["layers"][0]
    both = drift(*flags, "--compare-corrections")["layers"][0]
    checks.check("compare-corrections: more of them", list(alone["recovered"]) == ["output-refit"]
                 and sorted(both["recovered"]) == ["mean-jacobian", "output-refit", "refit"], alone["recovered"])
    checks.check("compare-corrections: the same number",
                 both["recovered"]["output-refit"] == alone["recovered"]["output-refit"])
    error = run("block-drift", "model.mlir", "--compare-corrections", code=1)
    checks.check("compare-corrections: with none", "--compare-corrections: expected a --correction" in error, error)


def files():
    error = run("block-drift", "model.mlir", "--seed=4", "--ir-out=missing/parallel.mlir", code=1)
    checks.check("ir-out: no such folder", error.startswith("error: missing/parallel.mlir"), error)


def read_terminal(reader):
    """Everything that was written: one read gives what the kernel has passed on so far."""
    parts = []
    with contextlib.suppress(OSError):  # EIO at the end
        while part := os.read(reader, 1 << 16):
            parts.append(part)
    return b"".join(parts).decode()


def progress():
    """On a terminal lines come and go; elsewhere there are none."""
    reader, terminal = os.openpty()
    done = subprocess.run(["block-drift", "model.mlir", "--seed=4"], stderr=terminal, stdout=subprocess.DEVNULL)
    os.close(terminal)
    shown = read_terminal(reader)
    quiet = run("block-drift", "model.mlir", "--seed=4")
    checks.check("progress", done.returncode == 0 and "measuring: sublayer 2 of 4" in shown and quiet == "", (shown, quiet))


with folder():
    generate("llama", "--layers=2", "--batch=4", "--seq=12")
    function()
    ridge()
    compared()
    files()
    progress()
checks.finish()
