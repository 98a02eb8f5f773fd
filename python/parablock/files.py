# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models in files of IR, also of other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from parablock.arguments import read_path, read_text
from parablock.errors import Error
from parablock.native import get_core_module
from parablock.origin import FiledWeights
from parablock.public import Model
from parablock.rewriting import Imports
from parablock.weights import read_file

if TYPE_CHECKING:
    from parablock._core import Module, TensorInfo


def from_mlir(
    path: str | Path,
    weights: str | Path | None = None,
    *,
    options: str = "",
    function: str = "",
) -> Model:
    """Returns the model of a file of IR: this project's, TOSA, linalg or StableHLO.

    What is no block yet is recognised by block-raise, which takes `options`.
    Parameters are tensors of the safetensors file `weights`. Of a file of several
    models, `function` names one; by default it is `main` or the only one.

        parablock.from_mlir("model.mlir").save("model.pbk")
    """
    path, options = read_path("path", path), read_text("options", options)
    function = read_text("function", function)
    weights = None if weights is None else read_path("weights", weights)
    core = get_core_module()

    def load(options: str) -> Module:
        module: Module = core.Module.load(core.Context(), str(path))
        if function:
            module.get_signature(function)
            module.run_passes(f"symbol-privatize{{exclude={function},prepack}},symbol-dce")
        module.raise_blocks(options)
        return module

    module = load(options)
    tensors, metadata = read_file(weights) if weights else ({}, {})
    parameters = [info.name for info in module.get_signature().parameters]
    if weights and not any(name in tensors for name in parameters):
        raise Error(
            f"{weights}: expected tensors with the names of the model's parameters, got "
            f"{_list_first(list(tensors))}; the model has {_list_first(parameters)}"
        )

    def find(info: TensorInfo) -> Any:
        if info.name not in tensors:
            got = f"none in '{weights}'" if weights else "no such file"
            raise Error(f"expected '{info.name}' in --weights, got {got}")
        return tensors[info.name].fit(str(weights), info)

    def load_exactly() -> Module:
        return load(f"{options} exact-numbers=true".strip())

    source = FiledWeights(f"'{weights}'", metadata, find) if weights else find
    return Model(module, source, name=path.stem, imports=Imports(load_exactly))


def _list_first(names: list[str]) -> str:
    """Returns the first names of a list, and the number of the others.

    >>> _list_first([]), _list_first(list("abcde"))
    ('none', "'a', 'b', 'c', 'd' and 1 more")
    """
    if not names:
        return "none"
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    return ", ".join(f"'{name}'" for name in names[:4]) + more
