# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows with padding in front, which run as rows with the same padding behind.

Compiled code takes lengths of rows. A call whose masks have padding in front turns each
row until its first real token comes first, and turns results back. This is right for
models that see nothing but the real tokens of a row and what lies between two of them:
relative positions, and positions that follow from the mask. Whether a model is one is
tried once for each choice of sizes: PyTorch runs its graph, with weights and inputs that
are drawn, on rows with padding in front and on the same rows turned.
"""

from __future__ import annotations

import dataclasses
import math
import operator
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import OutputKind
from torch.fx.node import map_aggregate
from torch.utils import _pytree as pytree

from parablock.errors import Error
from parablock.frontend.exclusive import trace_alone
from parablock.frontend.losses import OF_CLASSES, find_classes
from parablock.frontend.padding import PaddingMask, find_masks, is_used
from parablock.frontend.placeholders import list_input_names, list_lifted
from parablock.frontend.results import get_output_names
from parablock.frontend.table import bind
from parablock.progress import show_progress

#: How far results of turned rows may be from those of rows as they are, relative. Weights
#: are drawn such that each has a part in the results; roundings of f32 leave about 1e-6.
_LIMIT = 1e-4
#: Numbers up to this one are drawn at least, whatever a call's own are.
_FEW = 15
_WAY_OUT = (
    "import it with an example that has padding in front, or with position_ids, which go with "
    "their tokens (attention_mask.cumsum(1) - 1 counts the real ones), or have the padding "
    "behind (tokenizer.padding_side = 'right')"
)


class PlaceError(Error):
    """A model to which padding in front means something else than padding behind."""


@dataclasses.dataclass(frozen=True)
class Turn:
    """How many tokens of padding each row of a call has in front."""

    mask: PaddingMask
    starts: torch.Tensor
    tokens: int
    #: Whether each result is one of the mask's tokens.
    results: Sequence[bool] = ()

    def apply(self, tensor: Any) -> Any:
        """Returns rows with their padding in front, turned until it is behind."""
        return self._roll(tensor, self.starts)

    def undo(self, tensor: Any) -> Any:
        """Returns turned rows as they were."""
        return self._roll(tensor, -self.starts)

    def fits(self, tensor: Any) -> bool:
        """Returns whether a tensor is of rows and tokens."""
        shape = (len(self.starts), self.tokens)
        return isinstance(tensor, torch.Tensor | np.ndarray) and tuple(tensor.shape[:2]) == shape

    def _roll(self, tensor: Any, by: torch.Tensor) -> Any:
        if not self.fits(tensor):
            return tensor
        places = (torch.arange(self.tokens) + by[:, None]) % self.tokens
        places = places.view(*places.shape, *(1 for _ in tensor.shape[2:]))
        if isinstance(tensor, np.ndarray):
            return np.take_along_axis(tensor, places.numpy(), 1)
        return tensor.gather(1, places.expand(tensor.shape))


class Turner:
    """Turns the calls of one program, and tries whether that is right for it."""

    def __init__(
        self, program: ExportedProgram, masks: Sequence[PaddingMask], weights: Collection[int]
    ) -> None:
        """`weights` are numbers of inputs that are weights of the module."""
        self._program = program
        self._masks = masks
        self._weights = weights
        #: Whether each result is turned, by the sizes and padding of a trial.
        self._tried: dict[Any, Sequence[bool]] = {}
        self._names = list_input_names(program)

    def turn(self, flat: Sequence[Any]) -> tuple[list[Any], Turn | None]:
        """Returns a call's inputs with all padding behind, and how they were turned."""
        # A mask that is missing is named by the checks of inputs.
        given = [mask for mask in self._masks if flat[mask.position] is not None]
        turns = [self._read(mask, flat[mask.position]) for mask in given]
        wanted = [turn for turn in turns if bool(turn.starts.any())]
        if not wanted:
            return list(flat), None
        if len(wanted) > 1:
            names = " and ".join(f"'{turn.mask.name}'" for turn in wanted)
            raise Error(f"inputs {names}: expected padding in front in one mask, got it in both")
        turn = dataclasses.replace(wanted[0], results=self._try(flat, wanted[0]))
        return self._turn_all(flat, turn), turn

    def _read(self, mask: PaddingMask, given: Any) -> Turn:
        given = torch.as_tensor(given)
        starts, _ = mask.find_rows(given)
        return Turn(mask, starts, given.shape[1])

    def _turn_all(self, flat: Sequence[Any], turn: Turn) -> list[Any]:
        """Inputs of the mask's own tokens are turned: those of a decoder by its mask."""
        is_decoders = "decoder" in turn.mask.name
        is_pair = any(name.startswith("decoder_") for name in self._names)
        others = {mask.position for mask in self._masks if mask is not turn.mask}
        return [
            value
            if number in others
            or number in self._weights
            or (is_pair and name.startswith("decoder_") != is_decoders)
            else turn.apply(value)
            for number, (name, value) in enumerate(zip(self._names, flat, strict=True))
        ]

    # Whether it is right -------------------------------------------------------------

    def _try(self, flat: Sequence[Any], turn: Turn) -> Sequence[bool]:
        """Returns which results are of tokens, or an error for a model that is not right."""
        sizes = tuple(
            tuple(value.shape) if hasattr(value, "shape") else value for value in flat
        )
        fills = [_find_fill(value, turn, flat[turn.mask.position]) for value in flat]
        key = (turn.mask, sizes, tuple(fills))
        if key not in self._tried:
            with trace_alone(), torch.no_grad(), show_progress("trying padding in front"):
                self._tried[key] = self._try_lanes(flat, turn, fills)
        return self._tried[key]

    def _try_lanes(self, flat: Sequence[Any], turn: Turn, fills: Sequence[Any]) -> list[bool]:
        lanes, rows = _choose_lanes(turn.tokens), len(turn.starts)
        distances = []
        for first in range(0, len(lanes), rows):
            own = [lanes[(first + row) % len(lanes)] for row in range(rows)]
            distances.append(self._compare(flat, turn.mask, own, fills))
        results = []
        for name, *found in zip(self._list_results(), *distances, strict=True):
            # As a result of tokens, and as another one.
            far = [max(pair) for pair in zip(*found, strict=True)]
            results.append(far[0] <= _LIMIT)
            if not min(far) <= _LIMIT:
                raise PlaceError(
                    f"input '{turn.mask.name}': expected padding behind the real tokens, since "
                    f"padding in front changes real rows of the result '{name}' (by "
                    f"{min(far):.2g}): the model counts padding among its positions, or reads "
                    f"it: {_WAY_OUT}"
                )
        return results

    def _compare(
        self,
        flat: Sequence[Any],
        mask: PaddingMask,
        lanes: Sequence[tuple[int, int]],
        fills: Sequence[Any],
    ) -> list[tuple[float, float]]:
        """Returns how far results of turned rows are, turned back and as they are."""
        starts, lengths = torch.tensor(lanes).unbind(1)
        places = torch.arange(torch.as_tensor(flat[mask.position]).shape[1])
        real = (places >= starts[:, None]) & (places < (starts + lengths)[:, None])
        turn = Turn(mask, starts, len(places))
        generator = torch.Generator().manual_seed(len(places))
        drawn = list(flat)
        for number, value in enumerate(flat):
            if number not in self._weights:
                drawn[number] = _draw_input(value, generator)
            if fills[number] is not None:
                drawn[number][~real] = fills[number]
        for other in self._masks:
            given = torch.as_tensor(flat[other.position])
            own = real if other is mask else torch.ones_like(given, dtype=torch.bool)
            drawn[other.position] = (~own if other.hides else own).to(given.dtype)
        try:
            as_it_is = self._run(drawn)
            turned = self._run(self._turn_all(drawn, turn))
        except (RuntimeError, IndexError) as problem:
            raise PlaceError(
                f"input '{mask.name}': expected padding behind the real tokens, since padding "
                f"in front cannot be tried with inputs that are drawn: {problem}: {_WAY_OUT}"
            ) from problem
        return [
            (
                _measure(value[real], turn.undo(other)[real]) if turn.fits(value) else math.inf,
                _measure(value, other),
            )
            for value, other in zip(as_it_is, turned, strict=True)
        ]

    def _list_results(self) -> list[str]:
        return get_output_names(self._program)

    def _run(self, flat: Sequence[Any]) -> list[Any]:
        """Returns what PyTorch computes of inputs, with weights that are drawn."""
        program = self._program
        draw = _WeightDraw()
        own = [draw(e.value) if e.is_parameter else e.value for e in list_lifted(program)]
        given = [draw(e) if number in self._weights else e for number, e in enumerate(flat)]
        results = _Interpreter(program.graph_module).run(*own, *given)
        specs = program.graph_signature.output_specs
        return [
            _widen(value)
            for value, spec in zip(results, specs, strict=True)
            if spec.kind == OutputKind.USER_OUTPUT
        ]


@dataclasses.dataclass(frozen=True)
class _Drawn:
    """A weight that is drawn where it is read, so that not all of them are there at once."""

    shape: torch.Size
    seed: int

    def make(self) -> torch.Tensor:
        """Returns numbers as large as weights usually are."""
        made = torch.randn(self.shape, generator=torch.Generator().manual_seed(self.seed))
        width = self.shape[-1] if len(self.shape) > 1 else 1
        return made / width**0.5 if width > 1 else 0.5 + made / 2


class _WeightDraw:
    """Weights that are drawn, one for all names of a tensor."""

    def __init__(self) -> None:
        self._made: dict[Any, _Drawn] = {}

    def __call__(self, tensor: Any) -> Any:
        if not isinstance(tensor, torch.Tensor) or not tensor.is_floating_point():
            return tensor
        key = tensor.data_ptr(), tuple(tensor.shape), tensor.stride()
        return self._made.setdefault(key, _Drawn(tensor.shape, len(self._made)))


class _Interpreter(torch.fx.Interpreter):
    """Runs a graph in f32, without dropout, and with numbers of tokens that are drawn."""

    def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
        if target is operator.getitem:
            return target(*args)
        args, kwargs = map_aggregate((args, kwargs), _widen)
        name = str(target)
        if name in ("aten.dropout.default", "aten.native_dropout.default"):
            return args[0] if name == "aten.dropout.default" else (args[0], None)
        if name == "aten.embedding.default":
            args = (args[0], args[1] % args[0].shape[0], *args[2:])
        elif name in OF_CLASSES and not args[1].is_floating_point():
            classes = args[0].shape[find_classes(args[0].dim())]
            kept = torch.where(args[1] < 0, args[1], args[1] % classes)
            args = (args[0], kept, *args[2:])
        elif name == "aten.scaled_dot_product_attention.default":
            args, kwargs = (), {**bind(target, args, kwargs), "dropout_p": 0.0}
        return map_aggregate(target(*args, **kwargs), _widen)


def _widen(argument: Any) -> Any:
    """Returns f32 in place of types of 16 bits, also for weights."""
    if isinstance(argument, _Drawn):
        return argument.make()
    if isinstance(argument, torch.Tensor):
        narrow = argument.dtype in (torch.bfloat16, torch.float16)
        return argument.float() if narrow else argument
    return torch.float32 if argument in (torch.bfloat16, torch.float16) else argument


def find_problem(program: ExportedProgram) -> Error | None:
    """Returns why the example inputs cannot be turned, where they have padding in front."""
    examples = program.example_inputs
    masks = [mask for mask in find_masks(program) if is_used(program, mask)]
    if examples is None or not masks:
        return None
    try:
        Turner(program, masks, ()).turn(pytree.tree_leaves(examples))
    except PlaceError as problem:
        return problem
    except Error:
        # A call reports other problems of a mask.
        return None
    return None


def _choose_lanes(tokens: int) -> list[tuple[int, int]]:
    """Returns padding in front and real tokens of some rows; one has padding behind, too."""
    starts = sorted({1, 2, tokens // 2, tokens - 1} & set(range(1, tokens)))
    lanes = [(start, tokens - start) for start in starts]
    return [*lanes, (1, tokens - 2)] if tokens > 2 else lanes


def _draw_input(value: Any, generator: torch.Generator) -> Any:
    """Returns an input of the same shape with drawn numbers."""
    if isinstance(value, np.ndarray):
        value = torch.from_numpy(value)
    if not isinstance(value, torch.Tensor) or value.dtype == torch.bool:
        return value
    if value.is_floating_point():
        return torch.randn(value.shape, generator=generator)
    most = max(int(value.max()), _FEW)
    return torch.randint(0, most + 1, value.shape, generator=generator).to(value.dtype)


def _find_fill(value: Any, turn: Turn, mask: Any) -> int | None:
    """Returns the number that all tokens of padding have; None if they differ."""
    if not turn.fits(value) or value is mask or value.ndim != 2:
        return None
    value, mask = torch.as_tensor(value), torch.as_tensor(mask)
    if value.is_floating_point() or value.dtype == torch.bool:
        return None
    found = value[mask != 0 if turn.mask.hides else mask == 0].unique()
    return int(found) if found.numel() == 1 else None


def _measure(value: Any, other: Any) -> float:
    """Returns the relative distance of two results in the L2 norm."""
    if not isinstance(value, torch.Tensor):
        return 0.0 if value == other else math.inf
    if value.shape != other.shape:
        return math.inf
    if not value.is_floating_point():
        return 0.0 if torch.equal(value, other) else math.inf
    if value.numel() == 0:
        return 0.0
    norm = float(value.double().norm())
    distance = float((value.double() - other.double()).norm())
    return distance / norm if norm else distance
