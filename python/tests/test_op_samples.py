# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Samples that PyTorch has of its operations, by from_torch and torch.compile."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import pytest
import tiers
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
#: Those of them that are refused, and why. One that is equal instead leaves the list, and
#: one that turns from equal to refused is a fault.
_REFUSED = {
    "from_torch": {
        "div.trunc_rounding-float32-0": "rounded quotients, of other than whole numbers by one above 0",
        "narrow-bfloat16-3": "torch.export cannot trace the module",
        "diff-bfloat16-15": "differences of differences",
        "to-bfloat16-22": "expected one of f32, bf16, f16, i64, i32, i1, got torch.float64",
        "var-float32-15": "no result of the module depends on its inputs",
        "flip-bfloat16-7": "no result of the module depends on its inputs",
        "nn.functional.linear-int64-14": "sums of products in i64",
        "byte-bfloat16-4": "elements of type torch.uint8",
        "to-float32-20": "expected one of f32, bf16, f16, i64, i32, i1, got torch.float64",
        "nn.functional.rms_norm-bfloat16-4": "no result of the module depends on its inputs",
        "lt-float32-8": "no result of the module depends on its inputs",
        "mv-int64-0": "sums of products in i64",
    },
    # What has no rule is PyTorch's there, and counted.
    "torch.compile": {},
}


def _judge_all(
    samples: Iterable[Sample], door: str
) -> tuple[list[str], Counter[str], dict[str, str]]:
    """What is wrong, how many samples of each kind there are, and why some are refused."""
    counts: Counter[str] = Counter()
    wrong, refused = [], {}
    for sample in samples:
        kind, detail = judge(sample, _DOORS[door])
        counts[kind] += 1
        if kind == "refused":
            refused[sample.name] = detail
        elif kind != "equal":
            wrong.append(f"{sample.name}: {kind}: {detail}")
    return wrong, counts, refused


@pytest.mark.parametrize("door", _DOORS)
def test_some_samples(door: str) -> None:
    chance = random.Random(door)
    some = chance.sample(list_operations(_DTYPES), _SOME[door])
    samples = (chance.choice([*draw_samples(*operation)]) for operation in some)
    wrong, counts, refused = _judge_all(samples, door)
    assert not wrong, "\n".join(wrong)
    expected = _REFUSED[door]
    assert refused.keys() == expected.keys()
    for name, reason in expected.items():
        assert reason in refused[name], name
    assert counts.total() == _SOME[door] and counts["equal"] == _SOME[door] - len(expected)


@pytest.mark.full
@pytest.mark.parametrize("door", _DOORS)
def test_a_sample_of_each(door: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Of each operation, another one each week: there are some five thousand."""
    operations = [[*draw_samples(*operation)] for operation in list_operations(_DTYPES)]
    week = tiers.TURN // 7
    samples = (own[(week + place) % len(own)] for place, own in enumerate(operations) if own)
    wrong, counts, _ = _judge_all(samples, door)
    with capsys.disabled():
        print(f"\n{door}: {dict(counts)}")
    assert not wrong, "\n".join(wrong)
    assert counts.total() > 400 and counts["equal"] > counts.total() / 2
