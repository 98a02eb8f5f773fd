# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decoders of transformers, imported for any number of rows and tokens."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from transformers.modeling_outputs import BaseModelOutput

from parablock.decoding.positions import PositionTable
from parablock.decoding.refusals import name_part
from parablock.errors import Error
from parablock.frontend.export import export_module
from parablock.frontend.imported import Choices, MissingRule
from parablock.frontend.programs import read_program
from parablock.frontend.size_symbols import OpenSizeError
from parablock.model import ModelValue
from parablock.progress import show_progress

if TYPE_CHECKING:
    from parablock._core import TensorInfo

#: Windows that masks are looked at beyond, which takes some seconds, or a minute.
_LARGEST_WINDOW = 4096
#: Names in configs of the largest number of tokens.
_LENGTHS = (
    *("max_position_embeddings", "n_positions", "max_seq_len", "n_ctx"),
    "max_target_positions",
)

#: Distances of logits that are no rounding: of f32, and of 16 bits.
_LIMITS = {torch.float32: 1e-4}
_COARSE = 2e-2


#: Imports for texts of at most so many tokens, or of any number.
Import = Callable[[int | None], ModelValue]


def import_decoder(
    module: Any, *, at_positions: bool = False, table: PositionTable | None = None
) -> tuple[ModelValue, int | None]:
    """Returns the model of `input_ids` of any sizes, and its largest number of tokens.

    Its weights are the module's at the time of each request. With `at_positions` the module
    receives positions instead of counting them itself. With a `table`, its rows are another
    input, `position_ids`.
    """
    decoder: Any = _DecoderAtPositions(module) if at_positions else module
    if table is not None:
        decoder = _DecoderAtRows(decoder, table)

    def import_at(length: int | None) -> ModelValue:
        given = {"input_ids": _make_ids(length, module.device)}
        if table is not None:
            given["position_ids"] = torch.zeros_like(given["input_ids"])
            _check_rows(decoder, given, "input_ids")
        sizes = {0: torch.export.Dim("batch"), 1: _make_tokens(length)}
        return _import(decoder, given, dict.fromkeys(given, sizes), type(module).__name__)

    return _import_for_lengths(decoder, module.config, import_at)


class _DecoderAtPositions(torch.nn.Module):
    """A decoder with positions from 0 on, as `generate` passes them."""

    def __init__(self, module: Any) -> None:
        super().__init__()
        self.module = module

    def forward(self, input_ids: torch.Tensor) -> dict[str, torch.Tensor]:
        positions = torch.arange(input_ids.shape[1], device=input_ids.device).unsqueeze(0)
        result = self.module(input_ids=input_ids, position_ids=positions, use_cache=False)
        return {"logits": result.logits}


class _AtRows(torch.nn.Module):
    """A decoder with the rows of its table of positions as an input."""

    def __init__(self, module: Any, table: PositionTable) -> None:
        super().__init__()
        self.module = module
        self.constant = table.constant
        self.table = table


class _DecoderAtRows(_AtRows):
    def forward(
        self, input_ids: torch.Tensor, position_ids: torch.Tensor
    ) -> dict[str, torch.Tensor]:
        with self.table.takes(position_ids, self.constant):
            return {"logits": self.module(input_ids=input_ids, use_cache=False).logits}


def import_pair(
    module: Any, *, table: PositionTable | None = None
) -> tuple[ModelValue, int | None]:
    """Returns the model of `decoder_input_ids` and an encoder's results, of any sizes.

    `attention_mask` hides padding behind the encoder's rows, if the module supports that.
    """
    decoder: Any = _DecoderOfPair(module, find_hidden_token(module) is not None)
    if table is not None:
        decoder = _PairAtRows(decoder, table)
    width = _find_width(module)

    def import_at(length: int | None) -> ModelValue:
        ids = _make_ids(length, module.device)
        batch, rows = torch.export.Dim("batch"), torch.export.Dim("source", min=2)
        hidden = torch.zeros(len(ids), 5, width, dtype=module.dtype, device=ids.device)
        given = {
            "decoder_input_ids": ids,
            "encoder_hidden_states": hidden,
            "attention_mask": torch.ones(
                hidden.shape[:2], dtype=torch.int64, device=ids.device
            ),
        }
        dims = {name: {0: batch, 1: rows} for name in given}
        dims["decoder_input_ids"] = {0: batch, 1: _make_tokens(length)}
        if table is not None:
            given["position_ids"] = torch.zeros_like(ids)
            dims["position_ids"] = dims["decoder_input_ids"]
            _check_rows(decoder, given, "decoder_input_ids")
        return _import(decoder, given, dims, type(module).__name__)

    return _import_for_lengths(decoder, module.config, import_at)


def _find_width(module: Any) -> int:
    """Returns the width of an encoder's results, from its own config or the common one."""
    own = getattr(module.get_encoder(), "config", module.config)
    for config in (own, own.get_text_config(), module.config):
        if isinstance(width := getattr(config, "hidden_size", None), int):
            return width
    raise Error(
        f"generation: expected a config with the width of {type(module).__name__}'s "
        "hidden states (hidden_size), got none"
    )


@dataclasses.dataclass
class Encoded(BaseModelOutput):  # type: ignore[misc]
    """Results of an encoder, with a mask for some models (Moonshine)."""

    attention_mask: torch.Tensor | None = None


def make_encoded(module: Any) -> dict[str, Any]:
    """Returns example results of an encoder for one row."""
    hidden = torch.ones(
        1, 2, _find_width(module), dtype=module.dtype, device=module.device
    )
    return {"encoder_outputs": Encoded(last_hidden_state=hidden)}


@torch.no_grad()
def find_hidden_token(module: Any) -> int | None:
    """Returns the padding token if code hides it without a mask and a cache.

    With a cache, as tokens are generated, T5Gemma's hides nothing.
    """
    padding = getattr(module.config.get_text_config(decoder=True), "pad_token_id", None)
    if not isinstance(padding, int) or padding < 0:
        return None
    ids = torch.tensor([[padding ^ 1, padding, padding ^ 2]], device=module.device)
    call = {**make_encoded(module), "decoder_input_ids": ids, "use_cache": False}
    try:
        own = module(**call).logits
        seen = module(**call, decoder_attention_mask=torch.ones_like(ids)).logits
    except Exception:
        # The module may require other arguments; the import then reports that.
        return None
    return None if are_near(own, seen) else padding


class _DecoderOfPair(torch.nn.Module):
    """The decoder of a pair, whose tokens are all visible."""

    def __init__(self, module: Any, has_mask: bool = False) -> None:
        super().__init__()
        self.module = module
        self.has_mask = has_mask

    def forward(
        self,
        decoder_input_ids: torch.Tensor,
        encoder_hidden_states: torch.Tensor,
        attention_mask: torch.Tensor,
    ) -> dict[str, torch.Tensor]:
        given = {} if takes_features(self.module) else {"attention_mask": attention_mask}
        if self.has_mask:
            given["decoder_attention_mask"] = torch.ones_like(decoder_input_ids)
        result = self.module(
            encoder_outputs=Encoded(last_hidden_state=encoder_hidden_states),
            decoder_input_ids=decoder_input_ids,
            use_cache=False,
            **given,
        )
        return {"logits": result.logits}


class _PairAtRows(_AtRows):
    def forward(
        self,
        decoder_input_ids: torch.Tensor,
        encoder_hidden_states: torch.Tensor,
        attention_mask: torch.Tensor,
        position_ids: torch.Tensor,
    ) -> dict[str, torch.Tensor]:
        with self.table.takes(position_ids, self.constant):
            result: dict[str, torch.Tensor] = self.module(
                decoder_input_ids, encoder_hidden_states, attention_mask
            )
        return result


@torch.no_grad()
def _check_rows(decoder: _AtRows, given: Mapping[str, Any], tokens: str) -> None:
    """Rejects a table whose rows differ from the supported ones."""
    ids = given[tokens]
    ids = torch.arange(ids.numel(), device=ids.device).view_as(ids) % 3
    call = {**given, tokens: ids}
    rows = decoder.table.find_rows(ids.cpu().numpy(), 0, np.zeros(len(ids), np.int64))
    own = {name: value for name, value in call.items() if name != "position_ids"}
    call["position_ids"] = torch.from_numpy(rows).to(ids.device)
    expected = decoder.module(**own)["logits"]
    try:
        found = decoder(**call)["logits"]
    except Exception as problem:
        # Code may want something else of that part, whatever that raises.
        raise Error(f"generation: positions cannot be rows of a table: {problem}") from problem
    if not are_near(found, expected):
        raise Error("generation: expected positions that count tokens, got others")


def takes_features(module: Any) -> bool:
    """Returns whether an encoder reads features instead of tokens."""
    name: str = module.main_input_name
    return name != "input_ids"


def _import_for_lengths(
    module: Any, config: Any, import_at: Import
) -> tuple[ModelValue, int | None]:
    """Returns the model for any length, or else for the config's lengths.

    Some code has a special case for all rows of a table, with the same result. Then the
    longest text cannot be exported, and the limit is one token less.
    """
    short = _find_short_length(config)
    length = short or _find_length(config)
    limits: list[int | None] = [length] if length is None else [length, length - 1]
    # A model with relative positions alone has no table of positions, so it may have no limit.
    if length is not None and not short and _has_relative_positions(config):
        limits.insert(0, None)
    first: Error | None = None
    shorter: int | None = None
    while limits:
        limit = limits.pop(0)
        # Code that depends on the length requires a limit on it.
        try:
            model = import_at(limit)
        except MissingRule as problem:
            raise name_part(module, problem) from None
        except Error as problem:
            # Blocks are recognised at sizes below the longest text, whatever that is.
            if problem.diagnostics and limit is not None:
                first = problem
                break
            first = first or problem
            most = problem.most if isinstance(problem, OpenSizeError) else None
            if not limits and shorter is None and most is not None:
                # Longer texts are refused, as something else is computed of them.
                shorter = most
                limits.append(most)
            continue
        return _with_weights_of(module, model), shorter or (limit and length)
    assert first is not None
    raise name_part(module, first) from None


def _with_weights_of(module: Any, model: ModelValue) -> ModelValue:
    """Returns the model with the module's current weights."""
    imported = {info.name: array for info, array in zip(*model.list_weights(), strict=True)}

    def find(info: TensorInfo) -> torch.Tensor:
        return _find_weight(module, info, imported[info.name])

    return ModelValue(model.find_unfused(), find, name=model.name)


def _make_ids(length: int | None, device: torch.device) -> torch.Tensor:
    return torch.ones(3, min(7, length or 7), dtype=torch.int64, device=device)


def _make_tokens(length: int | None) -> Any:
    return torch.export.Dim("seq", min=2, max=length)


def _import(module: Any, given: Mapping[str, Any], dims: Any, name: str) -> ModelValue:
    with show_progress(f"exporting {name}"):
        program = export_module(module, (), given, dims)
    with show_progress(f"recognising blocks of {name}"):
        choices = Choices(largest_number=_LARGEST_WINDOW)
        return ModelValue(*read_program(program, choices), name)


def _has_relative_positions(config: Any) -> bool:
    text = config.get_text_config(decoder=True)
    names = ("rope_parameters", "relative_attention_num_buckets")
    return any(getattr(text, name, None) for name in names)


def _find_short_length(config: Any) -> int | None:
    """Returns the length at which LongRoPE changes its rotations."""
    text = config.get_text_config(decoder=True)
    rope = getattr(text, "rope_parameters", None) or {}
    if rope.get("rope_type") != "longrope":
        return None
    length: int | None = rope.get("original_max_position_embeddings")
    return length


def _find_length(config: Any) -> int | None:
    """Returns the largest length of a config."""
    text = config.get_text_config(decoder=True)
    found = [getattr(text, name, None) for name in _LENGTHS]
    # Some say -1 for any number.
    return next((each for each in found if isinstance(each, int) and each > 0), None)


def _find_weight(module: Any, info: TensorInfo, imported: torch.Tensor) -> torch.Tensor:
    """Returns a current weight of the module; other tensors are those of the import."""
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


def are_near(found: torch.Tensor, expected: torch.Tensor) -> bool:
    """Returns whether logits differ by roundings alone."""
    limit = _LIMITS.get(expected.dtype, _COARSE)
    return float((found - expected).norm() / expected.norm()) <= limit
