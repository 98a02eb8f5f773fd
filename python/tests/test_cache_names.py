# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Versions of transformers that name caches differently: the oldest and the newest."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from cache_names import check_decoder, check_pair, make_gpt2

import parablock
from parablock.decoding import conventions

#: The folder of the newest version, which `./check --full` installs beside the pinned one.
_NEWEST = os.environ.get("PARABLOCK_NEWEST_TRANSFORMERS", "")


def test_decoder() -> None:
    check_decoder()


def test_encoder_decoder() -> None:
    check_pair()


@pytest.mark.skipif(
    not _NEWEST, reason="PARABLOCK_NEWEST_TRANSFORMERS names no folder of the newest transformers"
)
def test_newest_transformers() -> None:
    program = Path(__file__).with_name("cache_names.py")
    run = subprocess.run(
        [sys.executable, program],
        env={**os.environ, "PYTHONPATH": _NEWEST},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    version, name = run.stdout.split()
    assert Path(_NEWEST, f"transformers-{version}.dist-info").exists()
    assert name in conventions.CACHE_NAMES
    assert "deprecated" not in run.stderr


def test_two_caches() -> None:
    compiled = parablock.generation(make_gpt2())
    cache = compiled.make_cache()
    with pytest.raises(parablock.Error, match="expected one cache, got cache and past_key_val"):
        compiled(torch.ones(1, 2, dtype=torch.int64), past_key_values=cache, cache=cache)


def test_a_name_that_is_newer(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclasses.dataclass
    class Result:
        logits: Any = None
        memory: Any = None

    monkeypatch.setattr(conventions, "CausalLMOutputWithPast", Result)
    said = "expected results with a field cache or past_key_values, got logits, memory"
    with pytest.raises(parablock.Error, match=said):
        conventions._find_name()
