# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packages of models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from parablock.calling import OF_SIZES
from parablock.errors import Error
from parablock.interrupts import call_interruptibly
from parablock.native import get_core_module
from parablock.output import make_scratch, replace_package, write_hash
from parablock.package import PACKED_WEIGHTS
from parablock.progress import show_progress
from parablock.rewriting import write_weights

if TYPE_CHECKING:
    from parablock._core import Module
    from parablock.rewriting import WeightSource


def refuse_size_inputs(module: Module, user: str) -> None:
    """Raises an error for inputs that the module's own code computes from sizes."""
    inputs = module.get_signature().inputs
    computed = [info.name for info in inputs if info.name.startswith(OF_SIZES)]
    if computed:
        raise Error(
            f"{user} has nothing that computes '{computed[0]}' from sizes, as PyTorch does "
            "before each call: import the model at known sizes"
        )


def write_model(path: Path, module: Module, weights: WeightSource, chips: str) -> None:
    """Writes a package with its weights, whole or not at all."""
    with replace_package(path) as folder, show_progress(f"compiling for {chips}"):
        call_interruptibly(module.write_package, str(folder), chips)
        with make_scratch() as scratch:
            original = Path(scratch, "weights.safetensors")
            write_weights(original, module, weights)
            get_core_module().pack_weights(
                module.context,
                str(folder / "recipe.mlir"),
                str(original),
                str(folder / PACKED_WEIGHTS),
            )
        write_hash(folder / PACKED_WEIGHTS)
