# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Masks of padding: all rows, also those of padding, are PyTorch's for several lengths.

Attentions that a mask hides keys of have lengths; other uses of a mask are computed.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from oracle import get_distance, run_exactly

import parablock

TOKENS, WIDTH, HEADS = 7, 16, 2
Step = Callable[["_Model", torch.Tensor, torch.Tensor], torch.Tensor]


class _Model(torch.nn.Module):
    def __init__(self, step: Step) -> None:
        super().__init__()
        self.step = step
        self.table = torch.nn.Embedding(TOKENS + 2, WIDTH)
        self.norm = torch.nn.LayerNorm(WIDTH)
        self.mix = torch.nn.Linear(WIDTH, 3 * WIDTH)
        self.out = torch.nn.Linear(WIDTH, WIDTH)

    def forward(self, x: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        return self.step(self, x, attention_mask)


def _split(model: _Model, x: torch.Tensor) -> list[torch.Tensor]:
    parts = model.mix(model.norm(x)).chunk(3, dim=-1)
    return [p.unflatten(-1, (HEADS, -1)).transpose(1, 2) for p in parts]


def _join(model: _Model, x: torch.Tensor, heads: torch.Tensor) -> torch.Tensor:
    return x + model.out(heads.transpose(1, 2).flatten(2))


def _attend(
    model: _Model, x: torch.Tensor, mask: torch.Tensor | None
) -> torch.Tensor:
    query, key, value = _split(model, x)
    heads = torch.nn.functional.scaled_dot_product_attention(query, key, value, mask)
    return _join(model, x, heads)


def _hide(mask: torch.Tensor) -> torch.Tensor:
    return mask[:, None, None].bool()


def _hide_square(mask: torch.Tensor) -> torch.Tensor:
    """As rows of padding see themselves alone."""
    real = mask.bool()
    square = real[:, None, :, None] & real[:, None, None]
    return square | torch.eye(TOKENS, dtype=torch.bool)


def _clear(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return x * mask[..., None].to(x.dtype)


def _weigh(
    model: _Model,
    x: torch.Tensor,
    mask: torch.Tensor,
    hide: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
) -> torch.Tensor:
    query, key, value = _split(model, x)
    scores = hide(query @ key.mT / 8**0.5, mask)
    return _join(model, x, torch.dropout(scores.softmax(-1), 0.1, False) @ value)


def _add_low(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return scores + (1 - mask[:, None, None].to(scores.dtype)) * -3e38


def _turn(x: torch.Tensor) -> torch.Tensor:
    return torch.cat([x[:, t : t + 1] for t in reversed(range(TOKENS))], dim=1)


def _count_positions(m: _Model, mask: torch.Tensor) -> torch.Tensor:
    return m.table(mask.cumsum(1) * mask + 1)


#: Nothing in real rows comes from rows of padding.
RIGHT: dict[str, Step] = {
    "hidden": lambda m, x, a: _attend(m, x, _hide(a)),
    "hidden, all rows joined": lambda m, x, a: _attend(m, x, _hide(a)).mean(1),
    "cleared rows, hidden": lambda m, x, a: _attend(m, _clear(x, a), _hide(a)),
    "cleared rows, hidden twice": lambda m, x, a: _attend(
        m, _attend(m, _clear(x, a), _hide(a)), _hide(a)
    ),
    "cleared rows, written out": lambda m, x, a: _weigh(m, _clear(x, a), a, _add_low),
    "cleared rows, first token": lambda m, x, a: _attend(m, _clear(x, a), _hide(a))[:, 0],
    "cleared at the end": lambda m, x, a: _clear(_attend(m, x, _hide(a)), a),
    "rows of queries": lambda m, x, a: _attend(m, x, _hide_square(a)),
    "rows of queries, first token": lambda m, x, a: _attend(m, x, _hide_square(a))[:, 0],
    "cleared rows, running sum": lambda m, x, a: _clear(m.out(x), a).cumsum(1),
    "cleared rows, a token of weights before them": lambda m, x, a: torch.cat(
        [_clear(x, a), m.table.weight[:TOKENS].expand(2, TOKENS, WIDTH)], dim=2
    ),
    "positions": lambda m, x, a: _attend(m, x + _count_positions(m, a), _hide(a)),
    "scaled after hiding": lambda m, x, a: _weigh(
        m, x, a, lambda s, mask: _add_low(s, mask) * 0.5
    ),
    "limited above": lambda m, x, a: _weigh(
        m, x, a, lambda s, mask: _add_low(s, mask).clamp(max=5.0)
    ),
    "filled": lambda m, x, a: _weigh(
        m, x, a, lambda s, mask: s.masked_fill(mask[:, None, None] == 0, -1e9)
    ),
    "chosen": lambda m, x, a: _weigh(
        m,
        x,
        a,
        lambda s, mask: torch.where(mask[:, None, None].bool(), s, torch.tensor(-1e9)),
    ),
    "cleared rows, tokens before heads": lambda m, x, a: _attend(
        m, _clear(x, a).reshape(-1, WIDTH).reshape(2, -1, WIDTH), _hide(a)
    ),
}

#: Real rows have something of rows of padding, or of hidden keys.
MIXED: dict[str, Step] = {
    "cleared rows, mean": lambda m, x, a: _clear(_attend(m, x, _hide(a)), a).mean(1),
    "cleared rows, maximum": lambda m, x, a: _clear(_attend(m, x, _hide(a)), a).amax(1),
    "cleared rows, sum from the end": lambda m, x, a: _turn(_clear(x, a)).cumsum(1),
    "cleared rows, norm of tokens": lambda m, x, a: torch.nn.functional.layer_norm(
        _clear(x, a).mT, (TOKENS,)
    ),
    "cleared rows, attention of all": lambda m, x, a: _attend(m, _clear(x, a), None),
    "cleared rows, last token": lambda m, x, a: _attend(m, _clear(x, a), _hide(a))[:, -1],
    "cleared rows, product of tokens": lambda m, x, a: (
        m.mix.weight[:TOKENS, :TOKENS] @ _clear(m.out(x), a)
    ),
    "rows of queries, mean": lambda m, x, a: _attend(m, x, _hide_square(a)).mean(1),
    "turned around": lambda m, x, a: _turn(
        _attend(m, _clear(x, a), _hide(a))
    ),
    "filled with 0": lambda m, x, a: _weigh(
        m, x, a, lambda s, mask: s.masked_fill(mask[:, None, None] == 0, 0.0)
    ),
    "limited below": lambda m, x, a: _weigh(
        m, x, a, lambda s, mask: _add_low(s, mask).clamp(min=-5.0)
    ),
    "squared": lambda m, x, a: _weigh(
        m, x, a, lambda s, mask: _add_low(s, mask).clamp(min=-2e9) ** 2
    ),
    "hidden twice over": lambda m, x, a: _weigh(
        m, x, a, lambda s, mask: _add_low(s, mask) - _add_low(s, mask)
    ),
    "hidden and shown again": lambda m, x, a: _weigh(
        m,
        x,
        a,
        lambda s, mask: _add_low(s, mask) + (1 - mask[:, None, None].to(s.dtype)) * 3e38,
    ),
    "hidden, then some filled": lambda m, x, a: _weigh(
        m,
        x,
        a,
        lambda s, mask: torch.where(torch.eye(TOKENS).bool(), _add_low(s, mask), -1.0),
    ),
    "largest score": lambda m, x, a: _weigh(
        m, x, a, lambda s, mask: s - _add_low(s, mask).amax(-1, keepdim=True)
    ),
}


def _make(step: Step) -> tuple[_Model, torch.Tensor, torch.Tensor]:
    torch.manual_seed(3)
    model = _Model(step).eval()
    return model, torch.randn(2, TOKENS, WIDTH), torch.ones(2, TOKENS, dtype=torch.int64)


#: Steps with an attention whose mask does not hide the keys behind a length alone, or with none.
WITHOUT_LENGTHS = {
    "rows of queries",
    "rows of queries, first token",
    "rows of queries, mean",
    "cleared rows, running sum",
    "cleared rows, sum from the end",
    "cleared rows, norm of tokens",
    "cleared rows, attention of all",
    "cleared rows, product of tokens",
    "cleared rows, a token of weights before them",
    "filled with 0",
    "limited above",
    "limited below",
    "squared",
    "hidden twice over",
    "hidden and shown again",
    "hidden, then some filled",
    "largest score",
}


@pytest.mark.parametrize("name", [*RIGHT, *MIXED])
def test_all_rows_are_those_of_torch(name: str) -> None:
    model, x, mask = _make({**RIGHT, **MIXED}[name])
    imported = parablock.from_torch(model, (x, mask))
    assert (" lengths %" in str(imported)) == (name not in WITHOUT_LENGTHS)
    compiled = imported.compile()
    for lengths in ((TOKENS, 1), (3, 2), (TOKENS - 1, 5)):
        mask = (torch.arange(TOKENS) < torch.tensor(lengths)[:, None]).long()
        exact, result = run_exactly(model, (x, mask)), compiled(x, mask)
        assert get_distance(result, exact) < 1e-5, lengths
