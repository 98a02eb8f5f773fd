# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A causal model compiled once, for prompts, parts of them, and single tokens."""

from __future__ import annotations

import dataclasses
import json
import logging
import math
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from parablock.calling import name_arguments
from parablock.compiled import pack_parameters
from parablock.copying import NotCopied
from parablock.decoding.caches import Caches, list_buffers
from parablock.decoding.device_loop import DeviceGeneration, Request
from parablock.decoding.elements import STORED
from parablock.decoding.idle_choice import CHOICE_INPUTS, CHOICE_RESULTS, IdleChoice
from parablock.decoding.pages import PagedCaches, Paging
from parablock.decoding.sampling import Sampling
from parablock.decoding.spaces import get_space
from parablock.device_program import DeviceProgram
from parablock.errors import Error
from parablock.interrupts import call_interruptibly
from parablock.keeping import check_keeping
from parablock.native import get_core_module
from parablock.progress import show_progress
from parablock.target import CodeFolder, Target, make_target, split_target
from parablock.tensors import is_torch

if TYPE_CHECKING:
    from parablock._core import Generation, Signature
    from parablock.decoding.positions import FindRows
    from parablock.model import ModelValue

Array = np.ndarray[Any, Any]

_log = logging.getLogger("parablock")

#: Tokens of a vocabulary that block.sample chooses among.
MOST_CHOSEN = 1 << 20


def read_target(
    target: str, threads: int, cache: CodeFolder = None, keep_weights: bool = False
) -> Target:
    """Returns the target; only targets that keep caches between calls are accepted."""
    wanted = "'cpu', 'cpu:PROCESSOR', 'cuda', 'cuda:NUMBER' or 'reference'"
    engine, chip = split_target(target, ("cpu", "cuda", "reference"), wanted)
    check_keeping(keep_weights, target, cache)
    return make_target(engine, chip, threads, cache, keep_weights)


@dataclasses.dataclass(frozen=True)
class DecoderChoices:
    """Facts about a model that its IR does not have."""

    #: The codes that weights become, where the model has none yet.
    form: str | None = None
    #: Tokens of a row that there are positions for, where that is known.
    most_positions: int | None = None
    #: Whether padding in front has positions as well.
    counts_padding: bool = False
    #: Whether it looks back at a memory, whose keys and values it is given.
    has_memory: bool = False
    #: Rows of a table of positions, where the model takes them as `position_ids`.
    find_rows: FindRows | None = None
    #: How caches lie in pages, where they are not in one piece.
    paging: Paging | None = None
    #: Whether the function chooses tokens, where its device can.
    chooses_tokens: bool = False


class Decoder(NotCopied):
    """Computation of logits of new tokens, which appends keys and values to caches.

    Weights are packed once, and one program serves every number of rows and tokens.
    """

    def __init__(
        self,
        model: ModelValue,
        target: Target,
        choices: DecoderChoices | None = None,
        *,
        rows: int | None = None,
    ) -> None:
        """`rows` is the number of rows that the model was imported for; None is any."""
        choices = choices or DecoderChoices()
        self._plain = model
        #: Whether the function chooses tokens in generations.
        self.chooses_tokens = choices.chooses_tokens and _may_choose(model, target)
        self._model, self._form = model.add_caches(
            choices.form,
            counts_padding=choices.counts_padding,
            has_memory=choices.has_memory,
            page_rows=choices.paging.rows if choices.paging else None,
            chooses_tokens=self.chooses_tokens,
        )
        if target.engine == "cuda" and self._form is not None:
            self._model.check_codes(self._form, target)
        self._paging = choices.paging
        self._counts_padding = choices.counts_padding
        #: Name of the model's input of tokens.
        self._tokens = "decoder_input_ids" if choices.has_memory else "input_ids"
        self._has_memory = choices.has_memory
        self._find_rows = choices.find_rows
        plain = self._model.find_unfused().get_signature()
        if self._paging:
            self._paging = dataclasses.replace(self._paging, window=plain.page_window)
        self._read_signature(plain, rows)
        #: The chip that kernels are chosen for.
        self._chip = target.chip if target.engine == "cuda" else None
        optimized = self._model.optimize(weights=self._form, chip=self._chip)
        # Begun before they are read: what changes meanwhile is packed again.
        self._watch = self._model.watch_weights()
        #: It reads the memory of weights as long as it runs.
        self._program: Any
        with show_progress(f"compiling for {target}, packing weights"):
            signature, self._program, self._weights = call_interruptibly(
                optimized.make_program, target
            )
        #: The memory of caches.
        self.space = get_space(self._program)
        self._idle = IdleChoice(self.space, self.vocabulary) if self.chooses_tokens else None
        self._inputs = [info.name for info in signature.inputs]
        self._outputs = [info.name for info in signature.outputs]
        #: Tokens of a row that there are positions for.
        self.most_positions = choices.most_positions or plain.most_positions
        infos = signature.parameters
        self._weight_bytes = sum(math.prod(i.shape) * i.element_size for i in infos)
        #: Target of the compiled model.
        self.target, self._lock = target, threading.Lock()

    def _read_signature(self, signature: Signature, rows: int | None) -> None:
        """Reads the model's signature before anything is compiled."""
        inputs = [info.name for info in signature.inputs]
        outputs = {info.name: info for info in signature.outputs}
        self.buffers = list_buffers(signature.inputs)
        own = {"past_lengths", "starts", "logits_to_keep"}
        if self._paging:
            own.add("pages")
        own |= {info.taken for info in self.buffers}
        given_back = {info.given for info in self.buffers}
        if self.chooses_tokens:
            own |= CHOICE_INPUTS
            given_back |= CHOICE_RESULTS
        if self._has_memory:
            own |= {name for name in inputs if name.startswith("memory_")}
            own.add("attention_mask")
        if self._find_rows is not None:
            own.add("position_ids")
        taken = [name for name in inputs if name not in own]
        given = [name for name in outputs if name not in given_back]
        if (taken, given) != ([self._tokens], ["logits"]):
            raise Error(
                f"generation: expected a model of '{self._tokens}' that gives 'logits', got "
                f"one of {name_arguments(taken)} that gives {name_arguments(given)}"
            )
        sizes = next(info.shape for info in signature.inputs if info.name == self._tokens)
        if sizes != [-1 if rows is None else rows, -1]:
            raise Error(
                "generation: expected a model for any number of rows and tokens, got one for "
                f"{self._tokens} {sizes} (-1 is any): give it open sizes when it is imported"
            )
        self.vocabulary: int = outputs["logits"].shape[-1]
        #: The element type of logits.
        self.kind: str = outputs["logits"].type
        #: Attentions whose keys and values are kept.
        self.layers = len(self.buffers) // 2

    def refresh(self) -> None:
        """Packs the current weights."""
        with self._lock, show_progress("packing weights"):
            optimized = self._model.optimize(weights=self._form, chip=self._chip)
            weights = optimized.give_weights(self.target)
            call_interruptibly(pack_parameters, self._program, weights)
            self._weights = weights

    def _notice_weights(self) -> None:
        """Packs weights of a module again if they have changed."""
        if self._watch is not None:
            self._watch.refresh_where_changed(self.refresh)

    def make_caches(self, expected: int = 0) -> Caches:
        """Returns empty caches; `expected` is the number of tokens that a row may hold."""
        if self._paging:
            return PagedCaches(self.buffers, self._paging, expected, self.space)
        return Caches(self.buffers, expected, self.space)

    @property
    def page_rows(self) -> int:
        """Tokens of a page, if caches are in pages."""
        return self._paging.rows if self._paging else 0

    def owns(self, caches: Caches) -> bool:
        """Returns whether this model made the caches."""
        return caches.infos == tuple(self.buffers)

    def allocate_logits(self, batch: int, rows: int) -> Array:
        """Allocates the logits that `run` writes, which calls may share."""
        return np.empty((batch, rows, self.vocabulary), STORED[self.kind])

    def begin_generation(
        self,
        prompt: Array,
        starts: Array,
        count: int,
        sampling: Sampling,
        seed: int,
        stops: Sequence[int],
        padding: int,
    ) -> Generation | DeviceGeneration:
        """Returns rows with their own caches, for that many more tokens."""
        self._notice_weights()
        most = self._paging.most if self._paging else None
        if isinstance(self._program, DeviceProgram):
            request = Request(prompt, starts, count, sampling, seed, stops, padding, most)
            return DeviceGeneration(self._program, request)
        options = sampling.make()
        made: Generation = get_core_module().Generation(
            self._program, prompt, starts, count, options, seed, stops, padding, most or 0
        )
        return made

    def check_room(self, width: int, starts: Array) -> None:
        """Rejects rows with more tokens than positions.

        Of the `width` tokens of a row, `starts` are padding in front.
        """
        if not self.has_positions(width, starts):
            raise Error(
                f"expected at most {self.most_positions} tokens, which is what the model "
                f"has positions for, got {self._count_positions(width, starts)}"
            )

    def has_positions(self, width: int, starts: Array) -> bool:
        """Returns whether there are positions for `width` tokens with padding in front."""
        most = self.most_positions
        return most is None or self._count_positions(width, starts) <= most

    def _count_positions(self, width: int, starts: Array) -> int:
        return width if self._counts_padding else width - int(starts.min())

    @property
    def has_loop(self) -> bool:
        """Returns whether the loop over tokens can give the function all of its inputs."""
        return self._find_rows is None and not self._has_memory

    def run(self, ids: Any, caches: Caches, starts: Array, rows: Array, logits: Any) -> None:
        """Appends tokens [batch, tokens] to caches, and writes logits of some of them.

        `starts` counts the padding in front of each row, `rows` are numbers of new
        tokens, and `logits` [batch, rows, vocabulary] takes what is known of them. Where
        rings have no room for all of them, tokens go into caches in parts, those before
        an error for good.
        """
        batch, tokens = ids.shape
        self._notice_weights()
        self.check_room(caches.held + tokens, starts)
        parts = caches.split(tokens)
        positions = self._find_positions(ids, caches.held, starts)
        if len(parts) == 1:
            self._run_part(ids, positions, caches, starts, rows, logits)
            return
        first = 0
        for part in parts:
            own = np.flatnonzero((rows >= first) & (rows < first + part))
            # There is always one: the last token's, if none is requested.
            wanted = rows[own] - first if own.size else np.array([part - 1])
            new = np.ascontiguousarray(ids[:, first : first + part])
            its = {
                name: np.ascontiguousarray(array[:, first : first + part])
                for name, array in positions.items()
            }
            given = _allocate_like(logits, (batch, len(wanted), self.vocabulary))
            self._run_part(new, its, caches, starts, wanted, given)
            if own.size:
                logits[:, own] = given
            first += part

    def _find_positions(self, ids: Array, held: int, starts: Array) -> dict[str, Array]:
        """Returns the model's inputs of positions, by name."""
        if self._find_rows is None:
            return {}
        padding = np.zeros_like(starts) if self._counts_padding else starts
        return {"position_ids": np.ascontiguousarray(self._find_rows(ids, held, padding))}

    def _run_part(
        self,
        ids: Any,
        positions: dict[str, Array],
        caches: Caches,
        starts: Array,
        rows: Array,
        logits: Any,
    ) -> None:
        batch, tokens = ids.shape
        caches.reserve(batch, tokens)
        describe = self.space.describe
        given = {name: describe(array, "i64") for name, array in positions.items()}
        self.call(caches.describe(starts) | given, ids, rows, logits)
        caches.note(tokens, starts)

    def call(self, given: dict[str, Any], ids: Any, rows: Array, logits: Any) -> None:
        """Runs the model on tokens and on its other inputs, by name."""
        describe = self.space.describe
        tensors = {
            **given,
            self._tokens: describe(ids, "i64"),
            "logits_to_keep": describe(rows, "i64"),
            "logits": describe(logits, self.kind),
        }
        with self._lock:
            if self._idle is not None:
                tensors |= self._idle.describe(ids.shape[0])
            inputs = [tensors[name] for name in self._inputs]
            outputs = [tensors[name] for name in self._outputs]
            if ids.shape[1] > 1:
                call_interruptibly(self._program.run, inputs, outputs)
            else:
                self._program.run(inputs, outputs)

    def report(self) -> dict[str, Any]:
        """Returns the report of the latest call: engine, kernels, times or device, memory."""
        if isinstance(self._program, DeviceProgram):
            return self._program.report()
        report: dict[str, Any] = json.loads(self._program.report())
        return report

    def memory(self) -> dict[str, int]:
        """Returns bytes on the device, as DeviceModel.memory() describes them."""
        if isinstance(self._program, DeviceProgram):
            return self._program.memory()
        raise Error("'memory' requires target 'cuda', got 'cpu': report() has bytes of a call")

    def count_bytes(self) -> int:
        """Returns the bytes of weights that a token reads: all but tables of rows."""
        params = self._plain.count()["model"]["params"]
        # A head without a matrix of its own reads all of the tokens' table.
        tables = params["embedding"] if params["head"] else params["positions"]
        size = np.dtype(STORED[self.buffers[0].kind]).itemsize
        return self._weight_bytes - size * int(tables)


def _may_choose(model: ModelValue, target: Target) -> bool:
    """Returns whether code for the target can choose tokens; logs why a device's cannot."""
    if target.engine != "cuda":
        return False
    signature = model.get_layers()[0].get_signature()
    sizes = {info.name: info.shape for info in signature.outputs}
    vocabulary = sizes.get("logits", [0])[-1]
    if vocabulary > MOST_CHOSEN:
        _log.info(
            "tokens are chosen on the host: the vocabulary has %d, and a device chooses "
            "among at most %d",
            vocabulary,
            MOST_CHOSEN,
        )
    # A model without logits is rejected by its signature.
    return 0 < vocabulary <= MOST_CHOSEN


def _allocate_like(example: Any, shape: tuple[int, ...]) -> Any:
    """Allocates an array of another one's kind, elements and device."""
    return example.new_empty(shape) if is_torch(example) else np.empty(shape, example.dtype)
