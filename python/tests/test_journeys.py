# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The walks of test/Journeys that are written in Python, with what they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from build_tree import BIN, ROOT

_USER = """\
== an encoder from PyTorch, with a tokenizer's dictionary
recognised: 2 attention, 2 mlp, 4 norm
leftovers: 2 ops in no block or kernel: tensor.collapse_shape, tensor.extract_slice
encoder.layer.0, 1: exact, 7 launches -> 7
...
as PyTorch
as PyTorch
== an argument that is wrong is named
expected the inputs 'input_ids', 'token_type_ids', 'attention_mask' as in the example inputs, got no 'token_ty
input 'input_ids': expected i64, got i32
drift: no option 'add_biasses', did you mean 'add_biases'? There are engine (cpu or reference); blocks (pairs 
== torch.compile
as PyTorch
recognised 2 attentions
== its checkpoint, without PyTorch in the way
as PyTorch
== a decoder, by command
recognised: 2 attention, 2 mlp, 4 norm
model.layers.0, 1: exact, 8 launches -> 5
...
error: layer 'model.layers.0' does not have the required block-fuse-output-projections
exit 1
decoder.html
...
parablock ...
torch ...
== a package for a GPU, run as its device code on the CPU
['manifest.json', ... 'weights.safetensors', 'weights.safetensors.sha256']
as PyTorch
"""

_RESEARCHER = """\
== what each pair costs, and which fit a budget
8 pairs measured, some chosen
within the budget: True
== all of them, corrected, and the choice in a file
['0', '1', '2', '3', '4', '5', '6', '7']
refit ['choice.json', 'choice.safetensors']
== losses
serial < corrected < plain: True
half of the loss or more is recovered: True
the file gives the same: True
27 launches, serial 43
== the page, and the same by the tools
True
0 
0 logits f32 [1, 16, 128] ...
"""

_CHECKPOINT = """\
== a model of odd sizes, trained for eight steps, beside PyTorch
as PyTorch
it learns: True
== the saved weights, with and without PyTorch
recognised: 2 attention, 2 mlp, 4 norm
model.layers.0, 1: exact, 8 launches -> 8
as PyTorch
as PyTorch
as PyTorch
as PyTorch
== bf16, as far as bf16 goes
no worse than PyTorch's: True
== tokens, one by one
True
True
== codes, and layers side by side, cost what is said
int8 is near: True and not the same: True
['1'] True
as it was measured: True
"""


def _walk(name: str, *arguments: Path) -> str:
    done = subprocess.run(
        [sys.executable, str(ROOT / "test" / "Journeys" / name), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _compare(printed: str, said: str) -> None:
    """`...` stands for anything."""
    pattern = ".*".join(re.escape(part) for part in said.split("..."))
    assert re.fullmatch(pattern, printed, re.DOTALL), printed


def test_user(tmp_path: Path) -> None:
    _compare(_walk("user.py", tmp_path), _USER)


def test_researcher(tmp_path: Path) -> None:
    model = ROOT / "examples" / "trained" / "model"
    _compare(_walk("researcher.py", model, tmp_path), _RESEARCHER)


def test_checkpoint(tmp_path: Path) -> None:
    _compare(_walk("checkpoint.py", tmp_path), _CHECKPOINT)
