# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Encoder-decoders of transformers whose decoders run compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from transformers.modeling_outputs import Seq2SeqLMOutput

from parablock.decoding.compiling import make_decoder, try_positions
from parablock.decoding.conventions import pass_cache, pick_cache
from parablock.decoding.decoder import Decoder, DecoderChoices
from parablock.decoding.importing import (
    Encoded,
    are_near,
    find_hidden_token,
    import_pair,
    make_encoded,
    takes_features,
)
from parablock.decoding.memory import MemoryProgram
from parablock.decoding.pages import Paging
from parablock.decoding.positions import PositionTable
from parablock.decoding.refusals import check_caches
from parablock.decoding.transformers_cache import CompiledCache
from parablock.decoding.transformers_model import (
    CompiledForGeneration,
    check_ids,
    list_rows,
    refuse,
    to_numpy,
)
from parablock.errors import Error
from parablock.target import Target


class CompiledPairForGeneration(CompiledForGeneration):
    """An encoder-decoder whose encoder is the module's own, and runs once in PyTorch.

    Keys and values of what it gives are computed once, too, and stay in the cache.
    """

    #: Whether it is yet to be seen that the order of an encoder's results is no matter.
    _is_order_unknown = True

    def _compile(
        self, module: Any, target: Target, weights: str | None, paging: Paging | None
    ) -> Decoder:
        self.main_input_name = find_source_name(module)
        check_caches(module, "decoder_input_ids", make_encoded(module))
        self._hidden_token = find_hidden_token(module)
        choices = DecoderChoices(weights, has_memory=True, paging=paging)

        def make(table: PositionTable | None) -> tuple[Decoder, MemoryProgram]:
            model, most = import_pair(module, table=table)
            return make_decoder(model, target, choices, most, table), MemoryProgram(
                model, target
            )

        decoder, self._memory = try_positions(module.get_decoder(), make)
        return decoder

    def memory(self) -> dict[str, int]:
        """Returns bytes on the device, with those of the encoder's keys and values' program."""
        made, other = super().memory(), self._memory.read_bytes()
        shared = ("free", "total")
        return {name: size if name in shared else size + other[name] for name, size in made.items()}

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
        input_values: torch.Tensor | None = None,
        pixel_values: torch.Tensor | None = None,
        labels: Any = None,
        use_cache: bool | None = None,
        output_attentions: bool | None = None,
        output_hidden_states: bool | None = None,
        return_dict: bool | None = None,
        logits_to_keep: int | torch.Tensor = 0,
        cache: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Returns logits of new tokens, and the cache with them and the encoder's keys.

        The encoder's results are looked at where the cache has none of its tokens yet.
        Its `attention_mask` may have padding anywhere.
        """
        given = {"labels": labels, "output_attentions": output_attentions, **kwargs}
        refuse({**given, "output_hidden_states": output_hidden_states})
        ids = check_ids(
            decoder_input_ids, self._decoder.vocabulary, self.device, "decoder_input_ids"
        )
        past = self._find_cache(pick_cache(past_key_values, cache))
        caches = past.caches
        batch, tokens = ids.shape
        rows = list_rows(logits_to_keep, tokens)
        _check_decoder_mask(decoder_attention_mask, batch, caches.held + tokens)
        if use_cache is False and decoder_attention_mask is None:
            self._check_hidden(ids)
        self._notice_weights()
        if caches.memory is None:
            sources = (input_ids, input_features, input_values, pixel_values)
            source = next((each for each in sources if each is not None), None)
            self._look_at(past, encoder_outputs, source, attention_mask)
        if caches.memory is not None and len(caches.memory.lengths) != batch:
            raise Error(
                f"decoder_input_ids: expected {len(caches.memory.lengths)} rows, as many as "
                f"the encoder has, got {batch}"
            )
        found = self._allocate_logits(batch, len(rows))
        self._decoder.run(ids.numpy(), caches, np.zeros(batch, np.int64), rows, found)
        return self._pack_results(found, past, use_cache, return_dict)

    def _check_hidden(self, ids: torch.Tensor) -> None:
        """Rejects tokens that the module hides if it keeps no cache."""
        if self._hidden_token is not None and bool((ids == self._hidden_token).any()):
            raise Error(
                f"decoder_input_ids: expected no token {self._hidden_token} where use_cache is "
                f"False, since {type(self._source[0]).__name__} hides it there alone"
            )

    def _pack(self, logits: torch.Tensor, cache: CompiledCache | None) -> Any:
        return Seq2SeqLMOutput(logits=logits, **pass_cache(cache))

    @torch.no_grad()
    def _look_at(self, cache: CompiledCache, outputs: Any, source: Any, mask: Any) -> None:
        """Computes keys and values of an encoder's results and stores them in the cache."""
        if outputs is None:
            if source is None:
                raise Error(
                    f"encoder_outputs: expected them or {self.main_input_name}, got neither"
                )
            given = {} if mask is None else {"attention_mask": mask}
            outputs = self.get_encoder()(source, **given)
        hidden = outputs[0]
        if not isinstance(hidden, torch.Tensor) or hidden.dim() != 3:
            raise Error("encoder_outputs: expected hidden states [rows, tokens, width] first")
        if hidden.dtype != self.dtype or hidden.shape[-1] != self._memory.width:
            raise Error(
                f"encoder_outputs: expected {self.dtype} of width {self._memory.width}, got "
                f"{hidden.dtype} of width {hidden.shape[-1]}"
            )
        if takes_features(self._source[0]):
            self._check_features(outputs, hidden, mask)
        lengths = np.full(len(hidden), hidden.shape[1], np.int64)
        if mask is not None and not takes_features(self._source[0]):
            real = to_numpy("attention_mask", mask) != 0
            if real.shape != hidden.shape[:2]:
                raise Error(
                    f"attention_mask: expected {list(hidden.shape[:2])}, as the encoder's "
                    f"results are, got {list(real.shape)}"
                )
            lengths = real.sum(1, dtype=np.int64)
            moved = move_real(hidden, torch.from_numpy(real).to(hidden.device))
            if moved is not hidden and self._is_order_unknown:
                self._check_order()
            hidden = moved
        cache.caches.memory = self._memory.run(self._write_elements(hidden), lengths)

    def _check_features(self, outputs: Any, hidden: torch.Tensor, mask: Any) -> None:
        """Rejects padding of sounds or images that is hidden from the decoder."""
        own = getattr(outputs, "attention_mask", None)
        if not any(each is not None and bool((each == 0).any()) for each in (mask, own)):
            return
        module = self._source[0]
        ids = torch.ones(len(hidden), 1, dtype=torch.int64, device=hidden.device)
        call: dict[str, Any] = {"decoder_input_ids": ids, "use_cache": False}
        bare = module(encoder_outputs=Encoded(last_hidden_state=hidden), **call)
        if mask is not None:
            call["attention_mask"] = mask
        given = Encoded(last_hidden_state=hidden, attention_mask=own)
        if not are_near(bare.logits, module(encoder_outputs=given, **call).logits):
            raise Error(
                f"attention_mask: expected no padding of {self.main_input_name}, which "
                f"{type(module).__name__} hides from its decoder: give it rows of one length"
            )

    def _check_order(self) -> None:
        """Rejects attention that depends on the order of an encoder's results.

        The module is compared with itself: compiled code reads what was moved, and codes of
        weights change its logits by more than rounding does.
        """
        module = self._source[0]
        ids = torch.tensor([[2, 1]], device=self.device)
        mask = torch.tensor([[0, 1, 0, 1]], device=self.device)
        numbers = torch.arange(mask.numel() * self._memory.width, device=self.device)
        hidden = numbers.cos().to(self.dtype).view(*mask.shape, -1)
        call = {"decoder_input_ids": ids, "use_cache": False}
        logits = [
            module(
                encoder_outputs=Encoded(last_hidden_state=each), attention_mask=real, **call
            ).logits
            for each, real in (
                (hidden, mask),
                (move_real(hidden, mask), mask.sort(dim=1, descending=True).values),
            )
        ]
        if not are_near(logits[1], logits[0]):
            raise Error(
                "attention_mask: expected padding behind the real tokens, since attention of "
                f"{type(module).__name__} depends on where these stand"
            )
        self._is_order_unknown = False


def find_source_name(module: Any) -> str:
    """Returns the name of the encoder's input that `generate` uses (SpeechEncoderDecoder)."""
    encoder = getattr(module, "encoder", module)
    name: str = getattr(encoder, "main_input_name", module.main_input_name)
    return name


def move_real(hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Returns hidden states [rows, tokens, width] with the real tokens first.

    >>> move_real(torch.tensor([[[5], [6], [7]]]), torch.tensor([[0, 1, 1]])).flatten()
    tensor([6, 7, 5])
    """
    is_padding = mask == 0
    if not (is_padding[:, :-1] & ~is_padding[:, 1:]).any():
        return hidden
    order = is_padding.to(torch.uint8).argsort(dim=1, stable=True)
    return hidden.gather(1, order[..., None].expand_as(hidden))


def _check_decoder_mask(mask: torch.Tensor | None, batch: int, tokens: int) -> None:
    """Rejects padding among the decoder's tokens."""
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
