# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of docs/measured/ExpertTypes.md, in turns: a random model of each type of transformers with experts."""

import pytest
import tiers

pytest.importorskip("transformers")

import text_types  # noqa: E402  (requires transformers)

ROWS = text_types.read_table()


def test_table() -> None:
    """Most types are equal, and a row without tokens or logits has a reason."""
    stages = [stage for stage, _, _ in ROWS.values()]
    assert stages.count("equal") >= 45 and "wrong" not in stages
    tokens = [tokens for _, tokens, _ in ROWS.values()]
    assert tokens.count("equal") >= 25 and "other" not in tokens
    for name, (stage, tokens, reason) in ROWS.items():
        assert bool(reason) == (stage != "equal" or tokens != "equal"), name


@pytest.mark.parametrize("name", tiers.take_turn(ROWS, 49))
def test_types(name: str) -> None:
    if name not in text_types.list_types():
        pytest.skip("another version of transformers")
    assert text_types.describe(text_types.check(name)) == ROWS[name]
