# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transformers' `generate` by the compiled loop over tokens, and reasons for transformers' own."""

from __future__ import annotations

import logging
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers as hf
from build_tree import DRIVER
from generating import draw_prompt, get_compiled, get_module, make_llama
from transformers.generation.logits_process import (
    LogitsProcessorList,
    MinPLogitsWarper,
    RepetitionPenaltyLogitsProcessor,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
)
from transformers.generation.stopping_criteria import EosTokenCriteria, MaxLengthCriteria

import parablock
from parablock.decoding.compiled_loop import OwnLoop, read_request
from parablock.decoding.conventions import CACHE
from parablock.errors import Error

NEW = 8


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("loop") / "llama"
    make_llama(num_hidden_layers=1).save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def module(folder: Path) -> Any:
    return hf.LlamaForCausalLM.from_pretrained(folder).eval()


@pytest.fixture(scope="module")
def on_cpu(module: Any) -> Any:
    return parablock.generation(module)


@pytest.fixture(scope="module")
def on_device(module: Any) -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PARABLOCK_CUDA_DRIVER", str(DRIVER))
        yield parablock.generation(module, target="cuda")


@pytest.fixture(params=["on_cpu", "on_device"])
def compiled(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue(request.param)


def generate(model: Any, prompt: Any, **options: Any) -> Any:
    return model.generate(**prompt, **{"max_new_tokens": NEW, "do_sample": False, **options})


def test_greedy_tokens(module: Any, compiled: Any) -> None:
    """Of rows with padding, with one that ends before the others, and of one row."""
    for prompt in (draw_prompt(), draw_prompt((0,))):
        plain = generate(module, prompt, eos_token_id=None, pad_token_id=2)
        stops = [int(plain[0, 11]), 95]
        penalised = {"repetition_penalty": 1.7}
        for options in ({}, {"eos_token_id": stops}, {"max_new_tokens": 1}, penalised):
            found = generate(compiled, prompt, **options)
            assert torch.equal(found, generate(module, prompt, **options))
            assert compiled.report()["loop"] == "compiled"
            assert compiled.report()["reason"] is None
        assert not torch.equal(found, plain)


def test_a_step_calls_no_python(compiled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise AssertionError("a call of Python between steps")

    monkeypatch.setattr(compiled._decoder, "run", fail)
    monkeypatch.setattr(type(compiled), "prepare_inputs_for_generation", fail)
    generate(compiled, draw_prompt((0, 0)))


DRAWN: dict[str, dict[str, Any]] = {
    "all": {"temperature": 1.4, "top_k": 0},
    "filters": {"temperature": 0.8, "top_k": 9, "top_p": 0.9, "min_p": 0.02},
    "penalty": {"repetition_penalty": 1.3, "top_k": 20},
}


@pytest.mark.parametrize("name", DRAWN)
def test_seeds_draw_as_the_generator(folder: Path, compiled: Any, name: str) -> None:
    ids = draw_prompt((0, 0))["input_ids"]
    options = {"do_sample": True, "seed": 7, **DRAWN[name]}
    found = compiled.generate(ids, max_new_tokens=NEW, **options)
    assert compiled.report()["loop"] == "compiled"
    same = {"temperature": 1.0, "seed": 7, **DRAWN[name]}
    wanted = parablock.from_pretrained(folder).generator().generate(ids.numpy(), NEW, **same)
    assert np.array_equal(found.numpy(), wanted)
    other = compiled.generate(ids, max_new_tokens=NEW, **{**options, "seed": 8})
    assert not torch.equal(found, other)


def test_seeds_are_of_one_loop(on_cpu: Any) -> None:
    """Calls of a streamer are not of the loop with the seed."""

    class Caller:
        def put(self, tokens: torch.Tensor) -> None:
            on_cpu(**draw_prompt())

        def end(self) -> None:
            pass

    options = {"do_sample": True, "seed": 1}
    made = [generate(on_cpu, draw_prompt(), streamer=each, **options) for each in (None, Caller())]
    assert torch.equal(*made)


def test_seeds_that_no_loop_takes(on_cpu: Any) -> None:
    prompt = draw_prompt((0,))
    for options, reason in (
        ({"num_beams": 2, "do_sample": True}, "its loop is not greedy search or sampling"),
        ({"do_sample": True, "max_time": 9.0}, "stopping criterion 'MaxTimeCriteria'"),
        ({"do_sample": True, "return_dict_in_generate": True}, "option 'return_dict_in_generate'"),
    ):
        message = f"option 'seed' requires the compiled loop over tokens, .*: {reason}"
        with pytest.raises(Error, match=message):
            generate(on_cpu, prompt, seed=3, **options)
    with pytest.raises(Error, match="option 'seed' requires do_sample=True, got False"):
        generate(on_cpu, prompt, seed=3)
    with pytest.raises(Error, match="option 'seed' requires None or a whole number from 0"):
        generate(on_cpu, prompt, seed=-1, do_sample=True)
    assert generate(on_cpu, prompt, do_sample=True).shape[0] == 1


class _Streamer:
    def __init__(self, fails_at: int = -1) -> None:
        self.tokens: list[list[int]] = []
        self.has_ended, self._fails_at = False, fails_at

    def put(self, tokens: torch.Tensor) -> None:
        if len(self.tokens) == self._fails_at:
            raise KeyError("a streamer's own")
        self.tokens.append(tokens.flatten().tolist())

    def end(self) -> None:
        self.has_ended = True


def test_streamers(compiled: Any) -> None:
    prompt, streamer = draw_prompt((0,)), _Streamer()
    found = generate(compiled, prompt, streamer=streamer)
    assert compiled.report()["loop"] == "compiled" and streamer.has_ended
    assert sum(streamer.tokens, []) == found[0].tolist()
    with pytest.raises(KeyError, match="a streamer's own"):
        generate(compiled, prompt, streamer=_Streamer(fails_at=3))
    assert torch.equal(generate(compiled, prompt), found)


REASONS: dict[str, tuple[dict[str, Any], str]] = {
    "dict": ({"return_dict_in_generate": True}, "option 'return_dict_in_generate' is True"),
    "chunks": ({"prefill_chunk_size": 2}, "option 'prefill_chunk_size' is 2"),
    "cache": ({"use_cache": False}, "option 'use_cache' is False"),
    "ngrams": ({"no_repeat_ngram_size": 2}, "processor 'NoRepeatNGramLogitsProcessor'"),
    "padding": (
        {"logits_processor": LogitsProcessorList([RepetitionPenaltyLogitsProcessor(1.3)])},
        "processor 'RepetitionPenaltyLogitsProcessor' counts padding",
    ),
    "several kept": (
        {"do_sample": True, "logits_processor": LogitsProcessorList([MinPLogitsWarper(0.1, min_tokens_to_keep=2)])},
        "processor 'MinPLogitsWarper' with min_tokens_to_keep",
    ),
    "order": (
        {"logits_processor": LogitsProcessorList([TopKLogitsWarper(9), TemperatureLogitsWarper(0.5)])},
        "processor 'TemperatureLogitsWarper'",
    ),
    "greedy, a temperature": (
        {"logits_processor": LogitsProcessorList([TemperatureLogitsWarper(5.0)])},
        "processor 'TemperatureLogitsWarper' without do_sample",
    ),
    "time": ({"max_time": 9.0}, "stopping criterion 'MaxTimeCriteria'"),
    "token": ({"pad_token_id": 97}, "padding token 97, which the vocabulary does not have"),
    "draws": ({"do_sample": True}, "do_sample=True draws by PyTorch's random numbers"),
    "beams": ({"num_beams": 2}, "its loop is not greedy search or sampling"),
}


@pytest.mark.parametrize("name", REASONS)
def test_reasons(
    module: Any, on_cpu: Any, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Transformers' own loop gives its tokens, and the log has the reason."""
    options, reason = REASONS[name]
    caplog.clear()
    found, prompt = [], draw_prompt()
    with caplog.at_level(logging.INFO, "parablock"):
        for model in (module, on_cpu):
            torch.manual_seed(5)
            made = generate(model, prompt, **options)
            found.append(getattr(made, "sequences", made))
    assert torch.equal(*found)
    report = on_cpu.report()
    assert report["loop"] == "transformers" and reason in report["reason"]
    assert reason in caplog.text or name == "beams"


def test_reasons_of_caches_and_hooks(module: Any, on_cpu: Any) -> None:
    prompt = draw_prompt((0, 0))
    wanted = generate(module, prompt)
    cache = on_cpu.make_cache()
    assert torch.equal(generate(on_cpu, prompt, past_key_values=cache), wanted)
    assert on_cpu.report()["reason"] == f"the caller's own cache in '{CACHE}'"
    assert cache.get_seq_length() == wanted.shape[1] - 1
    # One that a result had is the caller's, also when it is empty.
    returned = generate(on_cpu, prompt, return_dict_in_generate=True).past_key_values
    returned.reset()
    assert torch.equal(generate(on_cpu, prompt, past_key_values=returned), wanted)
    assert returned.get_seq_length() == wanted.shape[1] - 1
    calls: list[int] = []
    hook = on_cpu.register_forward_hook(lambda *_: calls.append(1))
    assert torch.equal(generate(on_cpu, prompt), wanted)
    hook.remove()
    assert on_cpu.report()["reason"] == "hooks of the model's forward" and len(calls) == NEW
    only_padding = {k: v.clone() for k, v in prompt.items()}
    only_padding["attention_mask"][0] = 0
    generate(on_cpu, only_padding, max_new_tokens=1)
    assert on_cpu.report()["reason"] == "rows of padding alone"


def test_reasons_of_models() -> None:
    """Learned positions that end; tests of tables and encoders have theirs."""
    gpt2, prompt = get_compiled("gpt2"), draw_prompt((0,))
    most = gpt2._decoder.most_positions
    with pytest.raises(Error, match=f"expected at most {most} tokens"):
        generate(gpt2, prompt, max_new_tokens=most, eos_token_id=None)
    assert gpt2.report()["reason"] == "more tokens than the model has positions for"
    found = generate(gpt2, prompt, max_new_tokens=most - 8)
    assert torch.equal(found, generate(get_module("gpt2"), prompt, max_new_tokens=most - 8))
    assert gpt2.report()["loop"] == "compiled"


def _request(**given: Any) -> Any:
    config = types.SimpleNamespace(do_sample=False, _pad_token_tensor=torch.tensor(0))
    cache = types.SimpleNamespace(is_of_generate=True)
    usual = {
        "logits_processor": [],
        "stopping_criteria": [MaxLengthCriteria(12), MaxLengthCriteria(10), EosTokenCriteria([3, 4])],
        "generation_config": config,
        "use_cache": True,
        CACHE: cache,
    }
    return read_request(7, {k: v for k, v in {**usual, **given}.items() if v is not None}, 97)


def test_requests() -> None:
    """What `generate` of the tested versions never passes."""
    made = _request()
    assert (made.count, made.stops, made.padding) == (3, [3, 4], 0)
    config = types.SimpleNamespace(do_sample=False, _pad_token_tensor=None)
    for given, reason in (
        ({"generation_config": None}, "passes no 'generation_config'"),
        ({"synced_gpus": True}, "option 'synced_gpus'"),
        ({"token_type_ids": torch.zeros(1)}, "option 'token_type_ids'"),
        ({"stopping_criteria": []}, "no largest number of tokens"),
        ({"generation_config": config}, "no padding token beside end tokens"),
    ):
        with pytest.raises(OwnLoop, match=reason):
            _request(**given)


def test_other_versions(on_cpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []
    monkeypatch.setattr(hf.GenerationMixin, "_sample", lambda self, *args: given.append(args))
    on_cpu._sample(torch.zeros(1, 2), [])
    assert on_cpu.report()["reason"] == "arguments of another version of transformers"
    assert len(given) == 1
