# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folders of checkpoints by block-gen and block-run."""

import subprocess
from pathlib import Path

import experts
import safetensors.torch as safetensors
import torch
from build_tree import BIN


def _run(folder: Path, ids: torch.Tensor) -> "subprocess.CompletedProcess[str]":
    module, given = folder / "m.mlir", folder / "ids.st"
    safetensors.save_file({"input_ids": ids}, given)
    batch, tokens = ids.shape
    config = f"--config={folder / 'config.json'}"
    subprocess.run([BIN / "block-gen", config, f"--batch={batch}", f"--seq={tokens}", "-o", module], check=True)
    weights, inputs = f"--weights={folder / 'model.safetensors'}", f"--inputs={given}"
    command = [BIN / "block-run", module, "--engine=reference", weights, inputs, f"--outputs={folder / 'results.st'}"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def run_tools(folder: Path, ids: torch.Tensor) -> torch.Tensor:
    """Returns the logits of a folder by the tools."""
    done = _run(folder, ids)
    assert done.returncode == 0, done.stderr
    assert "not used" not in done.stderr
    return safetensors.load_file(folder / "results.st")["logits"]


def refuse_tools(folder: Path) -> str:
    """Returns the error of the tools for a folder."""
    done = _run(folder, experts.draw_ids())
    assert done.returncode == 1 and not (folder / "results.st").exists()
    return done.stderr
