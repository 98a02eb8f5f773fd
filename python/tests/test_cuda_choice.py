# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generators for target 'cuda', whose function chooses the tokens."""

from __future__ import annotations

import ctypes
import logging
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import transformers as hf
from build_tree import DRIVER
from generating import make_llama

import parablock
from parablock.decoding import decoder, device_loop
from parablock.errors import Error

ROWS = [[7, 11, 13, 17, 19], [23, 29]]


@pytest.fixture(scope="module")
def driver() -> Iterator[ctypes.CDLL]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PARABLOCK_CUDA_DRIVER", str(DRIVER))
        library = ctypes.CDLL(str(DRIVER))
        library.parablockFakeGetCount.restype = ctypes.c_uint64
        yield library


@pytest.fixture(scope="module")
def model(driver: ctypes.CDLL, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("choice") / "llama"
    make_llama(num_hidden_layers=1, eos_token_id=None).save_pretrained(folder)
    return parablock.from_pretrained(folder)


@pytest.fixture(scope="module")
def on_device(model: Any) -> Any:
    return model.generator(target="cuda")


@pytest.fixture(scope="module")
def on_host(model: Any) -> Any:
    return model.generator()


ALONE: list[dict[str, Any]] = [
    {},
    {"top_k": 3},
    {"top_p": 0.7},
    {"min_p": 0.2},
    {"repetition_penalty": 1.7},
    {"top_k": 9, "top_p": 0.9, "min_p": 0.01, "repetition_penalty": 0.8},
]


@pytest.mark.parametrize("options", ALONE, ids=lambda options: "-".join(options))
def test_each_option_draws_the_same(on_device: Any, on_host: Any, options: Any) -> None:
    drawn = {"temperature": 1.5, "seed": 3, **options}
    found, wanted = (each.generate(ROWS, 6, **drawn) for each in (on_device, on_host))
    assert np.array_equal(found, wanted)
    assert not np.array_equal(found, on_device.generate(ROWS, 6, **{**drawn, "seed": 4}))


def _watch_launches(driver: ctypes.CDLL, generator: Any, count: int) -> list[int]:
    """Returns the launches that were made when each token came."""
    made: list[int] = []
    assert driver.parablockFakeSetFault(b"")
    generator.generate(
        ROWS, count, stream=lambda _: made.append(driver.parablockFakeGetCount(1)) or False
    )
    return made


def test_steps_run_ahead(driver: ctypes.CDLL, on_device: Any) -> None:
    """The first tokens come when the steps behind them have begun."""
    assert on_device.decoder.chooses_tokens
    made = _watch_launches(driver, on_device, 8)
    assert len(made) == 8 and len(set(made)) == 1


def test_steps_are_no_python(driver: ctypes.CDLL, on_device: Any) -> None:
    """Whatever their number, as many functions of Python run, and the driver is called alike for each."""

    def count(steps: int) -> tuple[int, int]:
        functions = []
        assert driver.parablockFakeSetFault(b"")
        sys.setprofile(lambda frame, event, argument: functions.append(event == "call"))
        try:
            on_device.generate(ROWS, steps, stop=())
        finally:
            sys.setprofile(None)
        return sum(functions), driver.parablockFakeGetCount(2)

    count(4)
    few, more, most = map(count, (14, 24, 34))
    assert few[0] == more[0] == most[0] > 0
    assert 0 < most[1] - more[1] == more[1] - few[1] <= 10 * 12


def test_vocabularies_beyond_the_devices(
    driver: ctypes.CDLL,
    model: Any,
    on_host: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The host chooses, a step at a time, which is logged."""
    monkeypatch.setattr(decoder, "MOST_CHOSEN", 96)
    with caplog.at_level(logging.INFO, "parablock"):
        generator = model.generator(target="cuda")
    assert "tokens are chosen on the host: the vocabulary has 97, and a device" in caplog.text
    drawn = {"temperature": 0.9, "seed": 5}
    found, wanted = (each.generate(ROWS, 6, **drawn) for each in (generator, on_host))
    assert np.array_equal(found, wanted)
    made = _watch_launches(driver, generator, 4)
    assert len(set(made)) == 4


def test_the_largest_vocabulary(model: Any) -> None:
    text = str(model)
    core = parablock.native.get_core_module()
    for size in (decoder.MOST_CHOSEN, decoder.MOST_CHOSEN + 1):
        wide = re.sub(r"(?<=[<x])97(?=x)", str(size), text)
        module = core.Module.parse(core.Context(), wide, "wide")
        run = module.run_passes
        if size == decoder.MOST_CHOSEN:
            run("block-add-caches{sampling=true}")
            continue
        with pytest.raises(Error, match=f"expected logits of at most {size - 1} tokens, got {size}"):
            run("block-add-caches{sampling=true}")


def test_logits_without_a_best_one(on_device: Any, on_host: Any) -> None:
    """Numbers out of range are one error, of the same row and token."""
    said = []
    for generator in (on_device, on_host):
        with pytest.raises(Error, match="row 0, token 0: expected logits with") as raised:
            generator.generate(ROWS, 3, temperature=1e-300)
        said.append(str(raised.value))
    assert said[0] == said[1]


def test_weights_stay_from_the_prompt_on(on_device: Any) -> None:
    decoder = on_device.decoder
    starts = np.zeros(1, np.int64)
    prompt = np.array([[5, 7, 11]])
    sampling = parablock.decoding.sampling.Sampling(0.0, 0, 1.0, 0.0, 1.0)
    generation = decoder.begin_generation(prompt, starts, 3, sampling, 0, [], 0)
    generation.begin()
    with pytest.raises(Error, match="refresh: expected weights that stay while"):
        decoder.refresh()
    tokens = np.zeros((3, 1), np.int64)
    assert generation.run(tokens, None) == 3
    decoder.refresh()
    assert np.array_equal(tokens[:, 0], on_device.generate(prompt, 3)[0, 3:])
    # One that is dropped before it has run frees them, too.
    generation = decoder.begin_generation(prompt, starts, 3, sampling, 0, [], 0)
    generation.begin()
    del generation
    decoder.refresh()


def test_logits_of_a_generator(on_device: Any, on_host: Any) -> None:
    """A call without a choice, of other rows than before, and in parts."""
    found: list[np.ndarray] = []
    for generator in (on_device, on_host):
        decoder = generator.decoder
        caches, starts = decoder.make_caches(), np.array([0, 1])
        for ids in (np.array([[5, 7, 11], [0, 3, 4]]), np.array([[8], [9]])):
            logits = decoder.allocate_logits(2, 1)
            decoder.run(ids, caches, starts, np.array([ids.shape[1] - 1]), logits)
            found.append(logits)
        logits = decoder.allocate_logits(1, 2)
        decoder.run(np.array([[1, 2]]), decoder.make_caches(), starts[:1], np.arange(2), logits)
        found.append(logits)
    for a, b in zip(found[:3], found[3:], strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)
    drawn = {"temperature": 0.9, "seed": 5}
    made = [each.generate(ROWS, 4, **drawn) for each in (on_device, on_host)]
    assert np.array_equal(*made)


def test_caches_that_grow(
    driver: ctypes.CDLL, on_device: Any, on_host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While steps run ahead, with what they held."""
    describe = device_loop.Request.describe

    def reserve_few(self: Any) -> Any:
        made = describe(self)
        made.reserved_tokens = 1
        return made

    monkeypatch.setattr(device_loop.Request, "describe", reserve_few)
    prompt = [[(7 * i + 3) % 97 for i in range(count)] for count in (60, 57)]
    drawn = {"temperature": 1.1, "seed": 2, "repetition_penalty": 1.2}
    wanted, allocations = on_host.generate(prompt, 9, **drawn), []
    for _ in range(2):
        assert driver.parablockFakeSetFault(b"")
        assert np.array_equal(on_device.generate(prompt, 9, **drawn), wanted)
        allocations.append(driver.parablockFakeGetCount(0))
        monkeypatch.undo()
    assert allocations[0] >= allocations[1] + 2, "keys and values are allocated twice"


def test_rings(driver: ctypes.CDLL, tmp_path: Path) -> None:
    """A prompt in parts, whose last one chooses."""
    config = hf.MistralConfig(
        vocab_size=61,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        intermediate_size=48,
        sliding_window=6,
        eos_token_id=None,
    )
    hf.MistralForCausalLM(config).save_pretrained(tmp_path)
    model = parablock.from_pretrained(tmp_path)
    prompt = [[(7 * i + 3) % 61 for i in range(count)] for count in (150, 141)]
    drawn = {"temperature": 1.2, "seed": 9, "repetition_penalty": 1.3}
    found = model.generator(target="cuda").generate(prompt, 5, **drawn)
    assert np.array_equal(found, model.generator().generate(prompt, 5, **drawn))


def test_reports_of_generations(on_device: Any) -> None:
    """Those of the latest step: launches, and memory of ids, state and values between them."""
    on_device.generate(ROWS, 2)
    report = on_device.report()
    assert report["launches"] > 3 and report["weights_bytes"] > 1000
    assert report["session_bytes"] > report["arena_bytes"] > 0
    on_device.generate([ROWS[0]] * 9, 2)
    assert on_device.report()["session_bytes"] > report["session_bytes"]
