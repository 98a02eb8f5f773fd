# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of transformers whose `generate` runs compiled code."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import numpy as np
import torch
from transformers import GenerationConfig, GenerationMixin, PreTrainedModel
from transformers.modeling_outputs import CausalLMOutputWithPast

from parablock.arguments import make_error, read_whole, take_memory
from parablock.copying import NotCopied
from parablock.decoding.compiled_loop import LoopRequest, OwnLoop, check_no_seed, read_request, seeded
from parablock.decoding.compiling import (
    compile_decoder,
    has_own_positions,
    make_padded,
    run_alone,
    run_padded,
)
from parablock.decoding.conventions import CACHE, pass_cache, pick_cache
from parablock.decoding.decoder import Decoder, read_target
from parablock.decoding.importing import are_near
from parablock.decoding.masks import check_positions, check_starts
from parablock.decoding.pages import Paging
from parablock.decoding.refusals import check_caches
from parablock.decoding.transformers_cache import CompiledCache
from parablock.dtypes import DTYPES
from parablock.errors import Error
from parablock.interrupts import call_interruptibly
from parablock.target import CodeFolder, Target
from parablock.weight_watch import ModuleTree, WeightWatch, list_places

Array = np.ndarray[Any, Any]

_log = logging.getLogger("parablock")

#: Arguments of `generate` that it passes to every model beside the model's own.
_OF_GENERATE = (
    "tokenizer",
    "assistant_tokenizer",
    "assistant_model",
    "streamer",
    "synced_gpus",
)
#: Reason if transformers calls for another method than those of the compiled loop.
_NO_LOOP = "its loop is not greedy search or sampling"
_INSTEAD = "keep the model that it was made of, and call parablock.generation again"


class CompiledForGeneration(NotCopied, PreTrainedModel, GenerationMixin):  # type: ignore[misc]
    """A model of transformers that computes with compiled code.

    It has the config and generation_config of the original module, and no weights of its
    own: it reads the module's weights when it is made, and again when they have changed.
    """

    main_input_name = "input_ids"
    _instead = _INSTEAD
    #: Whether the module would have other positions where it is given none.
    _needs_positions = False

    def __init__(
        self,
        module: torch.nn.Module,
        target: str,
        weights: str | None,
        threads: int,
        cache: CodeFolder = None,
        paging: Paging | None = None,
    ) -> None:
        # That of PreTrainedModel would look for attention to run, in a config that is
        # another model's.
        torch.nn.Module.__init__(self)
        self._made_for, self._form = read_target(target, threads, cache), weights
        self._paging = paging
        self._decoder = self._compile(module, self._made_for, weights, paging)
        self._watch = WeightWatch(list_places(module), ModuleTree(module).check)
        # No submodule: moving and saving are for the module itself.
        self._source: tuple[Any, ...] = (module,)
        self._target = target
        self.config: Any = module.config
        self.generation_config: Any = module.generation_config
        self.name_or_path = getattr(module, "name_or_path", "")
        self.warnings_issued: dict[str, Any] = {}
        #: Why the latest `generate` ran transformers' own loop; "" if the compiled one ran.
        self._why_own: str | None = None
        # Whether it is yet to be seen what code makes of padding.
        self._is_padding_unknown = True
        self.eval()

    def _compile(
        self, module: Any, target: Target, weights: str | None, paging: Paging | None
    ) -> Decoder:
        check_caches(module)
        self._needs_positions = has_own_positions(module)
        return compile_decoder(
            module, target, weights, at_positions=self._needs_positions, paging=paging
        )

    def __repr__(self) -> str:
        return (
            f"<{type(self._source[0]).__name__} of transformers, compiled for {self._target}>"
        )

    # Interface of transformers ------------------------------------------------------

    @property
    def device(self) -> torch.device:
        """The device of tokens and logits, which is the module's."""
        device: torch.device = self._source[0].device
        return device

    @property
    def dtype(self) -> torch.dtype:
        return DTYPES[self._decoder.kind]

    def get_input_embeddings(self) -> Any:
        return self._source[0].get_input_embeddings()

    def get_output_embeddings(self) -> Any:
        return self._source[0].get_output_embeddings()

    def num_parameters(self, *args: Any, **kwargs: Any) -> int:
        count: int = self._source[0].num_parameters(*args, **kwargs)
        return count

    def _apply(self, fn: Callable[[Any], Any], recurse: bool = True) -> Any:
        """Accepts a call that moves or casts nothing, and rejects any other."""
        probe = torch.empty(0, dtype=self.dtype, device=self.device)
        moved = fn(probe)
        if moved.device != probe.device or moved.dtype != probe.dtype:
            raise Error(
                f"to: expected {self.dtype} on {_name_place(self.device)}, as it was compiled, "
                f"got {moved.dtype} on {moved.device}: {_INSTEAD}"
            )
        return self

    def save_pretrained(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise Error("save_pretrained: compiled code has no weights, save the model it is of")

    def init_continuous_batching(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise Error("continuous batching: expected generate(), since rows of a cache are as long as each other")

    def refresh(self) -> None:
        """Packs the module's current weights; a call does so if it detects a change."""
        self._decoder.refresh()

    # Caches ------------------------------------------------------------------------

    def make_cache(self, expected: int = 0) -> CompiledCache:
        """Returns an empty cache for `cache` or `past_key_values`; it grows when it is full.

        `expected` are the tokens that a row may come to hold.
        """
        expected = read_whole("expected", expected, 0)
        return CompiledCache(self._decoder.make_caches(expected), self._decoder.layers)

    def _prepare_cache_for_generation(
        self,
        generation_config: GenerationConfig,
        model_kwargs: dict[str, Any],
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        """Prevents `generate` from making one of transformers' caches."""
        if generation_config.cache_implementation == "dynamic":
            # Those that are here grow as well.
            generation_config.cache_implementation = None
        for name in ("cache_implementation", "assistant_early_exit"):
            if (value := getattr(generation_config, name, None)) is not None:
                raise Error(
                    f"{name}: expected none, since compiled code has its own caches "
                    f"and all its layers, got {value!r}"
                )
        if generation_config.use_cache is not False:
            if model_kwargs.get(CACHE) is None:
                model_kwargs[CACHE] = made = self.make_cache(generation_config.max_length or 0)
                made.is_of_generate = True
        return super()._prepare_cache_for_generation(
            generation_config, model_kwargs, *args, **kwargs
        )

    # Calls -------------------------------------------------------------------------

    def generate(self, *args: Any, seed: int | None = None, **kwargs: Any) -> Any:
        """Returns the tokens of transformers' `generate`.

        The compiled loop over tokens runs where processors and criteria are known exactly, and
        transformers' own otherwise; `report` returns which one. With `seed`, do_sample=True
        draws as `Model.generator` does, otherwise by PyTorch's random numbers.
        """
        given = {name: kwargs.get(name) for name in ("inputs", "input_ids")}
        given["inputs"] = args[0] if args else given["inputs"]
        for name, value in given.items():
            if value is not None and not isinstance(value, torch.Tensor):
                raise make_error(name, "a tensor", value)
            if value is not None and value.dim() < 2:
                raise Error(
                    f"option '{name}' requires a tensor [rows, tokens], got {list(value.shape)}"
                )
        self._why_own = None
        with seeded(seed):
            made = super().generate(*args, **kwargs)
        if self._why_own is None:
            self._why_own = _NO_LOOP
        return made

    def report(self) -> dict[str, Any]:
        """Returns the report of the latest call, and which loop the latest `generate` ran.

        `loop` is "compiled" or "transformers", and `reason` says why it is transformers' own.
        """
        loop = None if self._why_own is None else "transformers" if self._why_own else "compiled"
        return {**self._decoder.report(), "loop": loop, "reason": self._why_own or None}

    def memory(self) -> dict[str, int]:
        """Returns bytes on the device: weights, PyTorch's beside them, and what calls need."""
        return self._decoder.memory()

    def _sample(self, input_ids: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        """Called by `generate` for greedy search and for sampling."""
        try:
            if args:
                raise OwnLoop("arguments of another version of transformers")
            self._check_loop()
            request = read_request(input_ids.shape[1], kwargs, self._decoder.vocabulary)
            ids, starts = self._read_prompt(input_ids, request, kwargs)
        except OwnLoop as reason:
            self._why_own = str(reason)
            check_no_seed(self._why_own)
            _log.info("generate: transformers' own loop runs: %s", reason)
            return super()._sample(input_ids, *args, **kwargs)
        self._why_own = ""
        self._notice_weights()
        # Calls of a streamer are not of this loop.
        with seeded(None):
            made = self._run_loop(ids, starts, request)
        return torch.cat([input_ids, made.to(input_ids.device)], dim=1)

    def _check_loop(self) -> None:
        """Raises OwnLoop for a model whose forward the compiled loop does not equal."""
        if type(self).forward is not CompiledForGeneration.forward:
            raise OwnLoop("the decoder looks back at an encoder's results")
        if "forward" in self.__dict__ or self._forward_hooks or self._forward_pre_hooks:
            raise OwnLoop("hooks of the model's forward")
        if not self._decoder.has_loop:
            raise OwnLoop("positions are rows of a table of the module")

    def _read_prompt(
        self, input_ids: torch.Tensor, request: LoopRequest, given: Mapping[str, Any]
    ) -> tuple[Array, Array]:
        """Returns tokens, and the padding in front of each row."""
        ids = check_ids(input_ids, self._decoder.vocabulary, self.device)
        mask, positions = given.get("attention_mask"), given.get("position_ids")
        starts = self._read_starts(len(ids), ids.shape[1], self.make_cache(), mask, positions)
        if (starts == ids.shape[1]).any():
            raise OwnLoop("rows of padding alone")
        if not request.has_same_penalties(starts):
            raise OwnLoop("processor 'RepetitionPenaltyLogitsProcessor' counts padding")
        if not self._decoder.has_positions(ids.shape[1] + request.count - 1, starts):
            raise OwnLoop("more tokens than the model has positions for")
        return ids.numpy(), starts

    def _run_loop(self, ids: Array, starts: Array, request: LoopRequest) -> torch.Tensor:
        """Returns new tokens [rows, steps]."""
        generation = self._decoder.begin_generation(
            ids,
            starts,
            request.count,
            request.sampling,
            request.seed,
            request.stops,
            request.padding,
        )
        made = take_memory("max_new_tokens", (request.count, len(ids)), np.int64)
        streamer = request.streamer

        def put(step: int) -> bool:
            streamer.put(torch.from_numpy(made[step].copy()))
            return False

        call_interruptibly(generation.begin)
        steps = generation.run(made, None if streamer is None else put)
        if streamer is not None:
            streamer.end()
        return torch.from_numpy(made[:steps].T.copy())

    def forward(
        self,
        input_ids: torch.Tensor | None = None,
        attention_mask: torch.Tensor | None = None,
        position_ids: torch.Tensor | None = None,
        past_key_values: Any = None,
        inputs_embeds: Any = None,
        labels: Any = None,
        use_cache: bool | None = None,
        output_attentions: bool | None = None,
        output_hidden_states: bool | None = None,
        return_dict: bool | None = None,
        logits_to_keep: int | torch.Tensor = 0,
        cache: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Returns logits of new tokens, and the cache that contains them.

        `attention_mask` is of all tokens, those of the cache as well, and
        `position_ids` are checked against it. Logits are of the last
        `logits_to_keep` tokens, of all if it is 0, or of those that a tensor numbers.
        """
        given = {"inputs_embeds": inputs_embeds, "labels": labels, **kwargs}
        given["output_attentions"] = output_attentions
        given["output_hidden_states"] = output_hidden_states
        refuse(given)
        ids = check_ids(input_ids, self._decoder.vocabulary, self.device)
        before = pick_cache(past_key_values, cache)
        # A call of a streamer is not of the loop that has the seed.
        if getattr(before, "is_of_generate", False):
            check_no_seed(self._why_own or _NO_LOOP)
        if use_cache is None and before is not None:
            # As in transformers, whatever the config is.
            use_cache = True
        past = self._find_cache(before)
        caches = past.caches
        batch, tokens = ids.shape
        rows = list_rows(logits_to_keep, tokens)
        if caches.batch not in (0, batch) and caches.held:
            raise Error(
                f"{CACHE}: expected input_ids of {caches.batch} rows, which it "
                f"holds, got {batch}"
            )
        starts = self._read_starts(batch, tokens, past, attention_mask, position_ids)
        self._notice_weights()
        found = self._allocate_logits(batch, len(rows))
        self._decoder.run(ids.numpy(), caches, starts, rows, found)
        return self._pack_results(found, past, use_cache, return_dict)

    def _read_starts(
        self, batch: int, tokens: int, past: CompiledCache, attention_mask: Any, position_ids: Any
    ) -> Array:
        """Returns the padding in front of each row, after a check of mask and positions."""
        caches = past.caches
        held = caches.starts if caches.held else np.zeros(batch, np.int64)
        mask = to_numpy("attention_mask", attention_mask)
        starts = check_starts(mask, held, caches.held, tokens)
        if self._is_padding_unknown and starts.any():
            self._check_padding()
        positions = to_numpy("position_ids", position_ids)
        if positions is None and self._needs_positions:
            raise Error(
                f"position_ids: expected them, since {type(self._source[0]).__name__} has "
                "others than those from 0 on where it is given none"
            )
        if positions is not None:
            check_positions(positions, starts, caches.held, tokens)
        return starts

    def _notice_weights(self) -> None:
        """Packs weights again if they have changed."""
        self._watch.refresh_where_changed(self.refresh)

    def _pack_results(
        self,
        found: Any,
        cache: CompiledCache,
        use_cache: bool | None,
        return_dict: bool | None,
    ) -> Any:
        """Returns results in transformers' structure."""
        keeps = getattr(self.config, "use_cache", True) if use_cache is None else use_cache
        result = self._pack(self._read_logits(found), cache if keeps else None)
        if return_dict is None:
            return_dict = getattr(self.config, "return_dict", True)
        return result if return_dict else result.to_tuple()

    def _pack(self, logits: torch.Tensor, cache: CompiledCache | None) -> Any:
        return CausalLMOutputWithPast(logits=logits, **pass_cache(cache))

    @torch.no_grad()
    def _check_padding(self) -> None:
        """Rejects code whose treatment of padding is not supported.

        Codes of weights change logits by more than rounding does. Compiled code with codes
        is therefore compared with itself, on a row without padding, where padding changes
        nothing for the module, and otherwise code without codes is compiled for this check.
        """
        module, decoder = self._source[0], self._decoder
        ids, _ = make_padded(self.device)
        expected = run_padded(module)
        if self._form is not None:
            if are_near(run_alone(module), expected):
                expected = self._run_row(decoder, ids[:, 1:], 0)
            else:
                decoder = self._compile(module, self._made_for, None, self._paging)
        if not are_near(self._run_row(decoder, ids, 1), expected):
            raise Error(
                "attention_mask: expected no padding, since it changes positions or masks of "
                f"{type(module).__name__} in a way of its own: give it rows of one length"
            )
        self._is_padding_unknown = False

    def _run_row(self, decoder: Decoder, ids: torch.Tensor, start: int) -> torch.Tensor:
        """Returns logits of the last two tokens of a row with so much padding in front."""
        found, tokens = self._allocate_logits(1, 2), ids.shape[1]
        rows = np.arange(tokens - 2, tokens)
        decoder.run(ids.cpu().contiguous().numpy(), decoder.make_caches(), np.array([start]), rows, found)
        return self._read_logits(found)

    def _allocate_logits(self, batch: int, rows: int) -> Any:
        """Allocates logits where the module's are: PyTorch's on a GPU, elements of STORED."""
        if self.device.type == "cpu":
            return self._decoder.allocate_logits(batch, rows)
        shape = (batch, rows, self._decoder.vocabulary)
        return torch.empty(shape, dtype=self.dtype, device=self.device)

    def _read_logits(self, found: Any) -> torch.Tensor:
        """Returns logits as a PyTorch tensor."""
        if isinstance(found, torch.Tensor):
            return found
        return torch.from_numpy(found).view(self.dtype)

    def _write_elements(self, tensor: torch.Tensor) -> Array:
        """Returns a PyTorch tensor as elements of STORED."""
        stored = torch.uint16 if self.dtype == torch.bfloat16 else self.dtype
        array: Array = tensor.detach().cpu().contiguous().view(stored).numpy()
        return array

    def _find_cache(self, past: Any) -> CompiledCache:
        """Returns the cache of a call, or a new one."""
        if past is None:
            return self.make_cache()
        if not isinstance(past, CompiledCache):
            raise Error(
                f"{CACHE}: expected a cache of this model (make_cache(), or one that "
                f"it returned), got {type(past).__name__}"
            )
        if not self._decoder.owns(past.caches):
            raise Error(f"{CACHE}: expected a cache of this model, got another's")
        # A result may give it to the caller.
        past.is_of_generate = False
        return past


def refuse(given: Mapping[str, Any]) -> None:
    """Rejects arguments that compiled code does not support."""
    reasons = {
        "inputs_embeds": "compiled code begins with tokens",
        "labels": "compiled code has no loss: from_torch(..).compile(training=True)",
        "output_attentions": "compiled code keeps no scores",
        "output_hidden_states": "compiled code keeps no hidden states",
    }
    for name, value in given.items():
        if value is None or value is False or name in _OF_GENERATE:
            continue
        if name == "token_type_ids" and not bool(value.any()):
            continue
        reason = reasons.get(name, "compiled code does not know it")
        raise Error(f"{name}: expected none, since {reason}")


def _name_place(device: torch.device) -> str:
    """Returns a device's name in messages.

    >>> _name_place(torch.device("cpu")), _name_place(torch.device("cuda:1"))
    ('the CPU', 'cuda:1')
    """
    return "the CPU" if device.type == "cpu" else str(device)


def check_ids(
    ids: torch.Tensor | None,
    vocabulary: int,
    device: torch.device,
    name: str = "input_ids",
) -> torch.Tensor:
    """Returns tokens [rows, tokens] for the model, in the CPU's memory."""
    if not isinstance(ids, torch.Tensor):
        got = "none" if ids is None else type(ids).__name__
        raise Error(f"{name}: expected a tensor of tokens, got {got}")
    if ids.device.type != device.type:
        raise Error(f"{name}: expected memory of {_name_place(device)}, got {ids.device}")
    ids = ids.cpu()
    if ids.dim() != 2 or 0 in ids.shape or ids.is_floating_point():
        raise Error(
            f"{name}: expected whole numbers [rows, tokens], got {ids.dtype} "
            f"{list(ids.shape)}"
        )
    if int(ids.min()) < 0 or int(ids.max()) >= vocabulary:
        wrong = ids[(ids < 0) | (ids >= vocabulary)][0]
        raise Error(f"{name}: expected tokens below {vocabulary}, got {int(wrong)}")
    return ids.to(torch.int64)


def list_rows(wanted: Any, tokens: int) -> Any:
    """Returns the numbers of the tokens whose logits are requested.

    >>> list_rows(2, 5), list_rows(0, 2)
    (array([3, 4]), array([0, 1]))
    """
    if isinstance(wanted, torch.Tensor) and wanted.dim() == 1:
        rows = wanted.cpu().numpy().astype(np.int64)
        if rows.size == 0 or not -tokens <= rows.min() <= rows.max() < tokens:
            raise Error(
                f"logits_to_keep: expected numbers of {tokens} tokens, got {wanted.tolist()}"
            )
        return np.where(rows < 0, rows + tokens, rows)
    if isinstance(wanted, torch.Tensor) and wanted.numel() != 1:
        raise Error(f"logits_to_keep: expected one dimension, got {list(wanted.shape)}")
    count = wanted.item() if isinstance(wanted, torch.Tensor) else wanted
    count = read_whole("logits_to_keep", count, 0, note=" (all)")
    return np.arange(max(0, tokens - count) if count else 0, tokens)


def to_numpy(name: str, tensor: Any) -> Any:
    if tensor is None:
        return None
    if not isinstance(tensor, torch.Tensor):
        raise Error(f"{name}: expected a tensor, got {type(tensor).__name__}")
    return tensor.detach().cpu().numpy()
