# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of products in codes of 8 bits, optimize(activations="fp8"), on each engine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import torch
from generating import make_llama

import parablock
from parablock.errors import Error


def _make(dtype: torch.dtype = torch.bfloat16) -> Any:
    """Its widths are whole groups of 128 columns."""
    sizes = {"hidden_size": 128, "intermediate_size": 256, "num_hidden_layers": 1}
    return make_llama(eos_token_id=None, use_cache=False, **sizes).to(dtype)


def _run(model: parablock.Model, target: str, ids: torch.Tensor) -> torch.Tensor:
    logits: torch.Tensor = model.compile(target)(ids).logits
    return logits.detach().double()


def _compare(found: torch.Tensor, exact: torch.Tensor) -> float:
    """Returns the median of rows' distances: where one code is another, all later rows change."""
    return float(((found - exact).norm(dim=-1) / exact.norm(dim=-1)).median())


@pytest.mark.usefixtures("fake_driver")
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_engines(dtype: torch.dtype) -> None:
    """All compute the model of the codes, which is not that of rows of numbers."""
    ids = torch.arange(40).reshape(10, 4)
    model = parablock.from_torch(_make(dtype), (ids,))
    coded = model.optimize(weights="fp8", activations="fp8")
    exact = _run(coded, "reference", ids)
    drift = _compare(_run(model.optimize(weights="fp8"), "reference", ids), exact)
    assert 0.02 < drift < 0.2
    # Numbers of 16 bits were rounded before: some become the next code.
    limit = 1e-5 if dtype == torch.float32 else 0.7 * drift
    assert _compare(_run(coded, "cpu", ids), exact) < limit
    assert _compare(_run(coded, "cuda", ids), exact) < limit
    stamp = coded.count()["layers"][0]["approx"]
    assert (stamp["parameters"], stamp["measured"]) == ("form=fp8 activations=fp8", "unmeasured")


def test_other_chips() -> None:
    ids = torch.arange(6)[None]
    coded = parablock.from_torch(_make(), (ids,)).optimize(weights="fp8", activations="fp8")
    message = "products of rows in codes require wgmma of sm_90a; omit activations=fp8"
    with pytest.raises(Error, match=message):
        coded.compile("emulate:sm_80")(ids)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"activations": "fp8"}, "option 'activations' requires weights='fp8' beside it, got None"),
        (
            {"weights": "int8", "activations": "fp8"},
            "option 'activations' requires weights='fp8' beside it, got 'int8'",
        ),
        (
            {"weights": "fp8", "activations": "int8"},
            "option 'activations' requires None or 'fp8', got 'int8'",
        ),
    ],
)
def test_refused(given: dict[str, str], message: str) -> None:
    model = parablock.from_torch(_make(), (torch.zeros(1, 4, dtype=torch.int64),))
    with pytest.raises(Error, match=re.escape(message)):
        model.optimize(**given)  # type: ignore[arg-type]


def test_caches_are_refused(tmp_path: Path) -> None:
    _make().save_pretrained(tmp_path)
    model = parablock.from_pretrained(tmp_path, dtype="bf16")
    coded = model.optimize(weights="fp8", activations="fp8")
    message = "caches of keys and values require rows of numbers, got activations='fp8'"
    with pytest.raises(Error, match=message):
        coded.generator()
