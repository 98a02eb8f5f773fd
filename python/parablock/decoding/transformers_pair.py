# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Encoder-decoders of transformers whose decoders run compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from transformers.modeling_outputs import Seq2SeqLMOutput

from parablock.calling import measure_lengths
from parablock.decoding.compiling import make_decoder, try_positions
from parablock.decoding.decoder import Decoder, DecoderChoices
from parablock.decoding.importing import import_pair, takes_features
from parablock.decoding.memory import MemoryProgram
from parablock.decoding.positions import PositionTable
from parablock.decoding.transformers_cache import CompiledCache
from parablock.decoding.transformers_model import (
    CompiledForGeneration,
    check_ids,
    list_rows,
    refuse,
    to_numpy,
)
from parablock.errors import Error
from parablock.training.steps import Target


class CompiledPairForGeneration(CompiledForGeneration):
    """An encoder-decoder whose encoder is the module's own, and runs once in PyTorch.

    Keys and values of what it gives are computed once, too, and stay in the cache.
    """

    def _compile(self, module: Any, target: Target, weights: str | None) -> Decoder:
        self.main_input_name = module.main_input_name
        choices = DecoderChoices(weights, has_memory=True)

        def make(table: PositionTable | None) -> tuple[Decoder, MemoryProgram]:
            model, most = import_pair(module, table=table)
            return make_decoder(model, target, choices, most, table), MemoryProgram(
                model, target
            )

        decoder, self._memory = try_positions(module.get_decoder(), make)
        return decoder

    def get_encoder(self, *args: Any, **kwargs: Any) -> Any:
        return self._source[0].get_encoder(*args, **kwargs)

    def refresh(self) -> None:
        super().refresh()
        self._memory.refresh()

    def forward(  # type: ignore[override]
        self,
        input_ids: torch.Tensor | None = None,
        attention_mask: torch.Tensor | None = None,
        decoder_input_ids: torch.Tensor | None = None,
        decoder_attention_mask: torch.Tensor | None = None,
        encoder_outputs: Any = None,
        past_key_values: Any = None,
        input_features: torch.Tensor | None = None,
        labels: Any = None,
        use_cache: bool | None = None,
        output_attentions: bool | None = None,
        output_hidden_states: bool | None = None,
        return_dict: bool | None = None,
        logits_to_keep: int | torch.Tensor = 0,
        **kwargs: Any,
    ) -> Any:
        """Logits of new tokens, and the cache that has them and what they look back at.

        The encoder's results are looked at where the cache has none of its tokens yet.
        Its `attention_mask` has padding behind real tokens.
        """
        given = {"labels": labels, "output_attentions": output_attentions, **kwargs}
        refuse({**given, "output_hidden_states": output_hidden_states})
        ids = check_ids(decoder_input_ids, self._decoder.vocabulary, "decoder_input_ids")
        cache = self._find_cache(past_key_values)
        caches = cache.caches
        batch, tokens = ids.shape
        rows = list_rows(logits_to_keep, tokens)
        _check_decoder_mask(decoder_attention_mask, batch, caches.held + tokens)
        self._notice_weights()
        if caches.memory is None:
            source = input_ids if input_features is None else input_features
            self._look_at(cache, encoder_outputs, source, attention_mask)
        if caches.memory is not None and len(caches.memory.lengths) != batch:
            raise Error(
                f"decoder_input_ids: expected {len(caches.memory.lengths)} rows, as many as "
                f"the encoder has, got {batch}"
            )
        found = self._decoder.allocate_logits(batch, len(rows))
        self._decoder.run(ids.numpy(), caches, np.zeros(batch, np.int64), rows, found)
        return self._pack_results(found, cache, use_cache, return_dict)

    def _pack(self, logits: torch.Tensor, cache: CompiledCache | None) -> Any:
        return Seq2SeqLMOutput(logits=logits, past_key_values=cache)

    @torch.no_grad()
    def _look_at(self, cache: CompiledCache, outputs: Any, source: Any, mask: Any) -> None:
        """Computes keys and values of an encoder's results, which the cache keeps."""
        if outputs is None:
            if source is None:
                raise Error(
                    f"encoder_outputs: expected them or {self.main_input_name}, got neither"
                )
            given = {} if takes_features(self._source[0]) else {"attention_mask": mask}
            outputs = self.get_encoder()(source, **given)
        hidden = outputs[0]
        if not isinstance(hidden, torch.Tensor) or hidden.dim() != 3:
            raise Error("encoder_outputs: expected hidden states [rows, tokens, width] first")
        if hidden.dtype != self.dtype or hidden.shape[-1] != self._memory.width:
            raise Error(
                f"encoder_outputs: expected {self.dtype} of width {self._memory.width}, got "
                f"{hidden.dtype} of width {hidden.shape[-1]}"
            )
        lengths = np.full(len(hidden), hidden.shape[1], np.int64)
        if mask is not None and not takes_features(self._source[0]):
            lengths = measure_lengths("attention_mask", to_numpy("attention_mask", mask))
            if mask.shape != hidden.shape[:2]:
                raise Error(
                    f"attention_mask: expected {list(hidden.shape[:2])}, as the encoder's "
                    f"results are, got {list(mask.shape)}"
                )
        cache.caches.memory = self._memory.run(self._write_elements(hidden), lengths)


def _check_decoder_mask(mask: torch.Tensor | None, batch: int, tokens: int) -> None:
    """An error for padding among the tokens that are made."""
    if mask is None:
        return
    if mask.shape != (batch, tokens):
        raise Error(
            f"decoder_attention_mask: expected [{batch}, {tokens}], got {list(mask.shape)}"
        )
    if not bool((mask != 0).all()):
        raise Error(
            "decoder_attention_mask: expected no padding, since rows of an "
            "encoder-decoder begin with its start token: give it rows of one length"
        )
