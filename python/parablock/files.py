# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models in files of IR, those of other tools among them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from parablock.arguments import read_path, read_text
from parablock.errors import Error
from parablock.model import Model
from parablock.origin import FiledWeights
from parablock.rewriting import Imports
from parablock.native import get_core_module
from parablock.weights import read_file

if TYPE_CHECKING:
    from parablock._core import Module, TensorInfo


def from_mlir(
    path: str | Path,
    weights: str | Path | None = None,
    *,
    options: str = "",
) -> Model:
    """The model of a file of IR: this project's, or TOSA, linalg or StableHLO.

    What is no block yet is recognised by block-raise, which takes `options`.
    Parameters are tensors of the safetensors file `weights`.

        parablock.from_mlir("model.mlir").save("model.pbk")
    """
    path, options = read_path("path", path), read_text("options", options)
    weights = None if weights is None else read_path("weights", weights)
    core = get_core_module()
    module = core.Module.load(core.Context(), str(path))
    module.raise_blocks(options)
    tensors, metadata = read_file(weights) if weights else ({}, {})

    def find(info: TensorInfo) -> Any:
        if info.name not in tensors:
            got = f"none in '{weights}'" if weights else "no such file"
            raise Error(f"expected '{info.name}' in --weights, got {got}")
        return tensors[info.name].fit(str(weights), info)

    def load_exactly() -> Module:
        again: Module = core.Module.load(core.Context(), str(path))
        again.raise_blocks(f"{options} exact-numbers=true".strip())
        return again

    source = FiledWeights(f"'{weights}'", metadata, find) if weights else find
    return Model(module, source, name=path.stem, imports=Imports(load_exactly))
