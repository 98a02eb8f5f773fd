# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Published checkpoints, without PyTorch."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parablock.errors import Error
from parablock.model import Model
from parablock.native import get_core_module
from parablock.weights import Checkpoint

if TYPE_CHECKING:
    from parablock._core import TensorInfo

_log = logging.getLogger("parablock")


def from_pretrained(
    directory: str | Path,
    *,
    dtype: str = "f32",
    padding: bool = False,
    layers_only: bool = False,
) -> Model:
    """The model of a folder with config.json and safetensors weights.

    Weights stay in the files until they are used, in the type they have there;
    where `dtype` is another, they are converted. With `padding` the model takes
    the lengths of right-padded rows as well.

        model = parablock.from_pretrained("checkpoint", dtype="bf16")
    """
    folder = Path(directory)
    config = folder / "config.json"
    if not config.is_file():
        raise Error(f"'{folder}': expected a folder with a config.json, got none")
    core = get_core_module()
    context = core.Context()
    module = core.Module.from_config(context, str(config), dtype, padding, layers_only)
    for diagnostic in context.take_diagnostics():
        _log.info("%s: %s", config, diagnostic.message)
    checkpoint = Checkpoint(folder)
    for info in module.get_signature("main").parameters:
        checkpoint.find(info.name)
    if unused := checkpoint.list_unused():
        _log.info("%s: not used: %s", folder, ", ".join(unused))

    def find(info: TensorInfo) -> Any:
        stored = checkpoint.find(info.name)
        if stored.kind != info.type:
            _log.info("'%s': %s becomes %s", info.name, stored.kind, info.type)
        return stored.fit(str(folder), info)

    return Model(module, find, name=folder.resolve().name)
