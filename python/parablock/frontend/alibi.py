# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ALiBi in graphs with caches: numbers added to scores, which grow with each later key.

How a graph computes that stays PyTorch's: BLOOM counts the keys that a mask shows, MPT
all there is room for. The first call says what slopes heads have; what each call adds is
held against them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch

from parablock.errors import Error
from parablock.frontend.cached_graph import Attention, CachedGraph, Mask, Node
from parablock.frontend.graph_part import extract_part

#: Operations that a graph applies to a bias after it has rounded it.
_LATER = tuple(
    f"aten.{name}"
    for name in (
        *("_to_copy.default", "view.default", "_unsafe_view.default", "reshape.default"),
        *("unsqueeze.default", "expand.default", "clone.default", "alias.default"),
        *("div.Tensor", "mul.Tensor", "masked_fill.Scalar", "masked_fill.Tensor"),
    )
)
_HALVES = (torch.bfloat16, torch.float16)
#: How far what is added may be from the slopes' multiples, relative: roundings of f32.
_FAR = 1e-6


@dataclasses.dataclass(frozen=True, eq=False)
class Alibi:
    """Multiples of a slope for each head, up to a number for each query."""

    slopes: torch.Tensor
    #: Type that slopes and their multiples are rounded to; None for f32.
    rounded: torch.dtype | None = None
    #: Factor of the rounded multiples.
    factor: float = 1.0

    def compute(self, keys: torch.Tensor) -> torch.Tensor:
        """Returns the numbers for keys that are `keys` behind the first one, [.., heads, keys]."""
        keys = keys.unsqueeze(-2)
        if self.rounded is None:
            return self.slopes[:, None] * keys.double() * self.factor
        multiples = self.slopes[:, None] * keys.to(self.rounded)
        return multiples.float().to(self.rounded).double() * self.factor

    def fits(self, given: torch.Tensor, keys: torch.Tensor, seen: torch.Tensor) -> bool:
        """Returns whether `given` [rows, heads, keys] equals these numbers at the keys of `seen`."""
        far = given.double() - self.compute(keys)
        first = seen.to(torch.int64).argmax(-1)[:, None, None]
        far = far - far.take_along_dim(first, -1)
        limit = _FAR * (1 + given.double().abs())
        return bool(((far.abs() <= limit) | ~seen[:, None]).all())


def split_heads(mask: Mask, value: torch.Tensor) -> torch.Tensor:
    """Returns a mask of heads of a call as [rows, heads, tokens, keys]."""
    assert mask.rows is not None
    return value.reshape(mask.rows, -1, *value.shape[-2:])


def is_hidden(value: torch.Tensor) -> torch.Tensor:
    """Returns where added numbers hide a key."""
    return value <= torch.finfo(value.dtype).min


def find_alibis(graph: CachedGraph, args: Sequence[Any] | None) -> dict[Node, Alibi]:
    """Returns slopes of the masks that weigh keys in a call with `args`."""
    found: dict[Node, Alibi] = {}
    waiting = {
        mask.node: (mask, attention)
        for attention in graph.attentions.values()
        for mask in attention.masks
        if mask.rows is not None
    }
    if not waiting:
        return found
    if args is None:
        raise Error("caches: expected examples of inputs, from which ALiBi's slopes are read")
    sources = {node: _find_rounded(node) for node in waiting}
    wanted = [mask.node for _, a in waiting.values() for mask in a.masks]
    wanted = list(dict.fromkeys([*wanted, *(s for s in sources.values() if s is not None)]))
    with torch.no_grad():
        values = dict(zip(wanted, extract_part(graph, wanted)(*args), strict=True))
    for node, (mask, attention) in waiting.items():
        seen = _find_seen(attention, values)
        row = int(seen.sum(-1).argmax())
        keys = seen[row].nonzero().flatten()
        if len(keys) < 2:
            raise Error("caches: expected a call that sees two keys, to find ALiBi's slopes")
        rounded = sources[node]
        given = [_take(mask, values[n], row, keys) for n in (node, rounded) if n is not None]
        steps = keys - keys[0]
        all_seen = torch.ones(1, len(keys), dtype=torch.bool)
        for alibi in _guess(given, steps, rounded):
            if alibi.fits(given[0][None], steps[None], all_seen):
                found[node] = alibi
                break
        else:
            raise Error(
                f"caches: expected a mask that hides keys, or ALiBi, got '{node.name}', which "
                "weighs them otherwise"
            )
    return found


def check_alibi(
    alibi: Alibi, value: torch.Tensor, allowed: torch.Tensor, starts: torch.Tensor, first: int
) -> None:
    """Rejects a call that adds other numbers to scores.

    `value` is [rows, heads, tokens, keys], and `allowed` [rows, tokens, keys] where a real
    token sees a key. The keys are those from number `first` on.
    """
    keys = first + torch.arange(value.shape[-1]) - starts[:, None]
    if value.shape[2] == 1:
        allowed = allowed.any(1, keepdim=True)
    for token in range(value.shape[2]):
        if not alibi.fits(value[:, :, token], keys, allowed[:, token]):
            raise Error("caches: expected what ALiBi's slopes add to scores, got other numbers")


def _guess(
    given: Sequence[torch.Tensor], steps: torch.Tensor, rounded: Node | None
) -> Iterator[Alibi]:
    """Multiples as they may be, rounded ones first, of which few may not show it."""
    value, *others = [each.double() for each in given]
    for other in others:
        assert rounded is not None
        factors = value[:, 1] / other[:, 1]
        yield Alibi(other[:, 1] / steps[1], rounded.meta["val"].dtype, float(factors[0]))
    yield Alibi((value[:, -1] - value[:, 0]) / steps[-1])


def _take(mask: Mask, value: torch.Tensor, row: int, keys: torch.Tensor) -> torch.Tensor:
    """Returns the numbers that the last token of a row adds, [heads, keys]."""
    heads = split_heads(mask, value)[:, :, -1]
    return heads[min(row, len(heads) - 1)][:, keys]


def _find_seen(attention: Attention, values: Mapping[Node, torch.Tensor]) -> torch.Tensor:
    """Returns which keys the last token of each row sees, [rows, keys]."""
    seen = torch.ones(1, 1, dtype=torch.bool)
    for mask in attention.masks:
        value = values[mask.node]
        value = value if mask.rows is None else split_heads(mask, value)
        shown = ~is_hidden(value) if value.is_floating_point() else value != mask.hides
        seen = seen & shown[:, 0, -1]
    return seen


def _find_rounded(node: Node) -> Node | None:
    """Returns a bias before it was rounded to 16 bits."""
    at: Any = node
    while at.meta["val"].dtype not in _HALVES:
        if str(at.target) not in _LATER or not isinstance(at.args[0], Node):
            return None
        at = at.args[0]
        if not at.meta["val"].is_floating_point():
            return None
    return at  # type: ignore[no-any-return]
