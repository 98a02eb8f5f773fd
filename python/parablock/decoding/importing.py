# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decoders of transformers, imported for any number of rows and tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from parablock.errors import Error
from parablock.frontend.export import export_module
from parablock.frontend.from_torch import model_from_program
from parablock.frontend.imported import Choices
from parablock.model import Model
from parablock.progress import show_progress

if TYPE_CHECKING:
    from parablock._core import TensorInfo

#: Windows that masks are looked at beyond, which takes some seconds, or a minute.
_LARGEST_WINDOW = 4096
#: What configs call the number of tokens that a model is for.
_LENGTHS = ("max_position_embeddings", "n_positions", "max_seq_len", "n_ctx")


def import_decoder(module: Any) -> tuple[Model, int | None]:
    """The model of `input_ids` of any sizes, and the most tokens that it is right for.

    Its weights are what the module has whenever they are asked for.
    """
    model, limit = _import_for_lengths(module)
    imported = {info.name: array for info, array in zip(*model.list_weights(), strict=True)}

    def find(info: TensorInfo) -> torch.Tensor:
        return _find_weight(module, info, imported[info.name])

    return Model(model.find_unfused(), find, name=model.name), limit


def _import_for_lengths(module: Any) -> tuple[Model, int | None]:
    """The model of texts of any length, or else of those that the config speaks of.

    Some code does something else with all of a table, which means the same: the
    longest text is no size to export for then.
    """
    length = _find_length(module.config)
    limits: list[int | None] = [length] if length is None else [length, length - 1]
    # What has no rotations may have a table of positions, which ends somewhere.
    if length is not None and _has_rotations(module.config):
        limits.insert(0, None)
    first: Error | None = None
    for limit in limits:
        # What depends on the length has to be told how long texts may be.
        try:
            return _import(module, limit), limit and length
        except Error as problem:
            first = first or problem
    assert first is not None
    raise first


def _import(module: Any, length: int | None) -> Model:
    name = type(module).__name__
    dims = {0: torch.export.Dim("batch"), 1: torch.export.Dim("seq", min=2, max=length)}
    ids = torch.ones(3, min(7, length or 7), dtype=torch.int64)
    with show_progress(f"exporting {name}"):
        program = export_module(module, (), {"input_ids": ids}, {"input_ids": dims})
    with show_progress(f"recognising blocks of {name}"):
        return model_from_program(program, name, Choices(largest_number=_LARGEST_WINDOW))


def _has_rotations(config: Any) -> bool:
    return bool(getattr(config.get_text_config(decoder=True), "rope_parameters", None))


def _find_length(config: Any) -> int | None:
    """The longest text that a config speaks of."""
    text = config.get_text_config(decoder=True)
    found = [getattr(text, name, None) for name in _LENGTHS]
    return next((each for each in found if isinstance(each, int)), None)


def _find_weight(module: Any, info: TensorInfo, imported: torch.Tensor) -> torch.Tensor:
    """A weight of the module as it is now; what is no parameter is what it was."""
    path, _, name = info.name.rpartition(".")
    try:
        found = module.get_submodule(path)._parameters.get(name)
    except AttributeError:
        found = None
    if found is None:
        return imported
    if found.dtype != imported.dtype or found.shape != imported.shape:
        raise Error(
            f"'{info.name}': expected {imported.dtype} {list(imported.shape)}, as it was when "
            f"it was compiled, got {found.dtype} {list(found.shape)}: call "
            "parablock.generation again"
        )
    weight: torch.Tensor = found.detach()
    return weight
