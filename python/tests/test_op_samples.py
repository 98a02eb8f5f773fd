# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Samples that PyTorch has of its operations, by from_torch and torch.compile."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterable

import pytest
import torch
from op_samples import (
    Sample,
    draw_samples,
    judge,
    list_operations,
    run_compiled,
    run_imported,
)

_DTYPES = (torch.float32, torch.bfloat16, torch.int64)
_DOORS = {"from_torch": run_imported, "torch.compile": run_compiled}
#: Of how many operations a sample is looked at without --full.
_SOME = {"from_torch": 40, "torch.compile": 12}


def _judge_all(samples: Iterable[Sample], door: str) -> tuple[list[str], Counter[str]]:
    counts: Counter[str] = Counter()
    wrong = []
    for sample in samples:
        kind, detail = judge(sample, _DOORS[door])
        counts[kind] += 1
        if kind not in ("equal", "refused"):
            wrong.append(f"{sample.name}: {kind}: {detail}")
    return wrong, counts


@pytest.mark.parametrize("door", _DOORS)
def test_some_samples(door: str) -> None:
    chance = random.Random(door)
    some = chance.sample(list_operations(_DTYPES), _SOME[door])
    samples = (chance.choice([*draw_samples(*operation)]) for operation in some)
    wrong, counts = _judge_all(samples, door)
    assert not wrong, "\n".join(wrong)
    assert counts["equal"] > counts.total() / 2


@pytest.mark.full
@pytest.mark.parametrize("door", _DOORS)
def test_all_samples(door: str, capsys: pytest.CaptureFixture[str]) -> None:
    samples = itertools.chain.from_iterable(
        draw_samples(*operation) for operation in list_operations(_DTYPES)
    )
    wrong, counts = _judge_all(samples, door)
    with capsys.disabled():
        print(f"\n{door}: {dict(counts)}")
    assert not wrong, "\n".join(wrong)
