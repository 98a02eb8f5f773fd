# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `generate` of transformers can, with compiled code and its own caches."""

from __future__ import annotations

import concurrent.futures
import copy
from collections.abc import Iterator
from typing import Any

import pytest
import torch
import transformers as hf
from generating import draw_prompt, get_compiled, get_module, make_llama
from oracle import check_near
import parablock


pytestmark = pytest.mark.together("generation")


@pytest.fixture(scope="module")
def module() -> Any:
    return make_llama(num_hidden_layers=1)


@pytest.fixture(scope="module")
def programs() -> Iterator[list[str]]:
    """What was compiled since the first test of this file."""
    from parablock.target import Target

    made: list[str] = []
    before = Target.compile

    def note(self: Target, module: Any, function: str, engine: str, **given: Any) -> Any:
        made.append(engine)
        return before(self, module, function, engine, **given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Target, "compile", note)
        yield made


@pytest.fixture(scope="module")
def compiled(module: Any, programs: list[str]) -> Any:
    programs.clear()
    made = parablock.generation(module)
    assert programs == ["cpu"]
    return made


def compare(module: Any, compiled: Any, prompt: dict[str, Any], **options: Any) -> Any:
    """Both results of a seed, which are the same."""
    given = {"max_new_tokens": 10, "do_sample": False, **prompt, **options}
    torch.manual_seed(6)
    expected = module.generate(**given)
    torch.manual_seed(6)
    found = compiled.generate(**given)
    if isinstance(expected, torch.Tensor):
        assert torch.equal(found, expected)
    else:
        assert list(found) == list(expected)
        assert torch.equal(found.sequences, expected.sequences)
    return found, expected


MODES: dict[str, dict[str, Any]] = {
    "greedy": {},
    "without-cache": {"use_cache": False},
    "sampling": {"do_sample": True, "temperature": 1.5, "top_k": 20, "top_p": 0.9},
    "several": {"do_sample": True, "num_return_sequences": 3},
    "beams": {"num_beams": 3},
    "drawn-beams": {"num_beams": 3, "do_sample": True, "num_return_sequences": 2},
    "groups-of-length": {"num_beams": 2, "length_penalty": 0.2, "early_stopping": True},
    "chunks": {"prefill_chunk_size": 2},
    "penalties": {"repetition_penalty": 1.3, "no_repeat_ngram_size": 2},
    "guidance": {"guidance_scale": 1.5},
    "least-length": {"min_new_tokens": 9},
}


@pytest.mark.parametrize("mode", MODES)
def test_modes(module: Any, compiled: Any, mode: str) -> None:
    """Of rows with padding, and of one alone where rows look at others."""
    compare(module, compiled, draw_prompt(), **MODES[mode])
    if mode in ("greedy", "beams", "chunks"):
        compare(module, compiled, draw_prompt((0,)), **MODES[mode])


@pytest.mark.parametrize("beams", [1, 3])
def test_scores(module: Any, compiled: Any, beams: int) -> None:
    options = {"return_dict_in_generate": True, "output_scores": True, "output_logits": True}
    found, expected = compare(module, compiled, draw_prompt(), num_beams=beams, **options)
    for name in ("scores", "logits"):
        for a, b in zip(found[name], expected[name], strict=True):
            check_near(a, b)
    assert type(found.past_key_values).__name__ == "CompiledCache"


def test_assisted(module: Any, compiled: Any) -> None:
    """By compiled models, of them, and by a look at the prompt."""
    prompt = draw_prompt((0,))
    # Another model of as many tokens, which guesses few of them.
    small, guesser = get_module("gpt2"), get_compiled("gpt2")
    plain, _ = compare(module, compiled, prompt)
    options = {**prompt, "max_new_tokens": 10, "do_sample": False}
    for main, other in ((compiled, guesser), (compiled, small), (module, guesser)):
        assert torch.equal(main.generate(**options, assistant_model=other), plain)
    assert torch.equal(compiled.generate(**options, assistant_model=compiled), plain)
    assert torch.equal(compiled.generate(**options, prompt_lookup_num_tokens=3), plain)
    torch.manual_seed(2)
    given = {**prompt, "max_new_tokens": 10, "do_sample": True}
    expected = module.generate(**given, assistant_model=small)
    torch.manual_seed(2)
    assert torch.equal(compiled.generate(**given, assistant_model=guesser), expected)


@pytest.mark.parametrize("family", ["gpt2", "gemma2"])
def test_assisted_with_positions_and_windows(family: str) -> None:
    """What was guessed wrong is cropped, learned positions and windows included."""
    compiled = get_compiled(family)
    prompt = {**draw_prompt((0,), 12), "max_new_tokens": 20, "do_sample": False}
    plain = compiled.generate(**prompt)
    found = compiled.generate(**prompt, prompt_lookup_num_tokens=5, max_matching_ngram_size=1)
    assert torch.equal(found, plain)


def test_cache_passed_back(module: Any, compiled: Any) -> None:
    """A second turn, of the whole text or of what is new in it alone."""
    first, expected = compare(module, compiled, draw_prompt(), return_dict_in_generate=True)
    cache = first.past_key_values
    assert cache.get_seq_length() == first.sequences.shape[1] - 1
    kept = copy.deepcopy(cache)
    turn = torch.randint(5, 90, (3, 4), generator=torch.Generator().manual_seed(8))
    ids = torch.cat([first.sequences, turn], 1)
    mask = torch.nn.functional.pad(
        draw_prompt()["attention_mask"], (0, ids.shape[1] - 9), value=1
    )
    options = {"attention_mask": mask, "max_new_tokens": 6, "do_sample": False}
    wanted = module.generate(ids, **options)
    assert torch.equal(compiled.generate(ids, **options, past_key_values=cache), wanted)
    # The copy is what the cache was then.
    assert kept.get_seq_length() == first.sequences.shape[1] - 1 < cache.get_seq_length()
    new = ids[:, kept.get_seq_length() :]
    found = compiled.generate(new, **options, past_key_values=kept)
    assert torch.equal(found[:, new.shape[1] :], wanted[:, ids.shape[1] :])


def test_prefix_for_many(module: Any, compiled: Any) -> None:
    """One prompt is computed once and goes on in several ways."""
    prefix = draw_prompt((0,), 7)["input_ids"]
    cache = compiled(prefix, use_cache=True).past_key_values
    cache.batch_repeat_interleave(4)
    ends = torch.randint(5, 90, (4, 3), generator=torch.Generator().manual_seed(9))
    ids = torch.cat([prefix.expand(4, -1), ends], 1)
    wanted = module.generate(ids, max_new_tokens=6, do_sample=False)
    found = compiled.generate(ids, max_new_tokens=6, do_sample=False, past_key_values=cache)
    assert torch.equal(found, wanted)
    cache.crop(-(cache.get_seq_length() - 7))
    cache.batch_select_indices(torch.tensor([2, 0]))
    rows = ids[[2, 0]]
    found = compiled.generate(rows, max_new_tokens=6, do_sample=False, past_key_values=cache)
    assert torch.equal(found, wanted[[2, 0]])
    cache.reset()
    assert (cache.get_seq_length(), cache.batch_size) == (0, 2)


class _Streamer:
    def __init__(self) -> None:
        self.tokens: list[list[int]] = []
        self.has_ended = False

    def put(self, value: torch.Tensor) -> None:
        self.tokens.append(value.flatten().tolist())

    def end(self) -> None:
        self.has_ended = True


def test_streamers(compiled: Any) -> None:
    streamer = _Streamer()
    prompt = draw_prompt((0,))
    found = compiled.generate(**prompt, max_new_tokens=5, do_sample=False, streamer=streamer)
    assert sum(streamer.tokens, []) == found[0].tolist() and streamer.has_ended
    assert [len(each) for each in streamer.tokens] == [9, 1, 1, 1, 1, 1]


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    """A letter for each token, a to f among them."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers

    letters = {chr(ord("!") + i): i for i in range(97)}
    inner = Tokenizer(models.WordLevel(letters, unk_token="!"))
    inner.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    inner.decoder = decoders.Fuse()
    return hf.PreTrainedTokenizerFast(tokenizer_object=inner)


def test_stop_strings(module: Any, compiled: Any, tokenizer: Any) -> None:
    prompt = draw_prompt((0,))
    plain, _ = compare(module, compiled, prompt)
    stop = tokenizer.decode([int(plain[0, 12])])
    found, _ = compare(module, compiled, prompt, stop_strings=[stop], tokenizer=tokenizer)
    first = plain[0, 9:].tolist().index(int(plain[0, 12]))
    assert found.shape[1] == 9 + first + 1 < plain.shape[1]


def test_ends_and_criteria(module: Any, compiled: Any) -> None:
    prompt = draw_prompt()
    plain, _ = compare(module, compiled, prompt)
    # Rows end at different steps, and are padded behind.
    found, _ = compare(
        module, compiled, prompt, eos_token_id=[int(plain[0, 11]), int(plain[1, 14])]
    )
    assert (found[:, -1] == 2).any() or found.shape[1] < plain.shape[1]

    def stop(ids: torch.Tensor, scores: Any, **_: Any) -> torch.Tensor:
        return torch.full((ids.shape[0],), ids.shape[1] >= 13)

    found, _ = compare(module, compiled, prompt, stopping_criteria=[stop])
    assert found.shape[1] == 13


def test_processors_of_ones_own(module: Any, compiled: Any) -> None:
    class OddTokens(hf.LogitsProcessor):  # type: ignore[misc]
        def __call__(self, ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
            scores[:, ::2] = -torch.inf
            return scores

    found, _ = compare(module, compiled, draw_prompt(), logits_processor=[OddTokens()])
    assert (found[:, 9:] % 2 == 1).all()


def test_pipeline(module: Any, compiled: Any, tokenizer: Any) -> None:
    options: dict[str, Any] = {"max_new_tokens": 6, "do_sample": False}
    results = [
        hf.pipeline("text-generation", model=each, tokenizer=tokenizer)("Fade", **options)
        for each in (compiled, module)
    ]
    assert results[0] == results[1]
    assert results[0][0]["generated_text"].startswith("Fade")


def test_one_program(module: Any, compiled: Any, programs: list[str]) -> None:
    """It serves all sizes: nothing is compiled after it is made."""
    made = len(programs)
    for number in range(8):
        padding = tuple(row % 2 for row in range(1 + number % 5))
        prompt = draw_prompt(padding, 2 + 7 * number)
        compare(module, compiled, prompt, max_new_tokens=3)
    assert len(programs) == made


def test_weights_that_change(module: Any, compiled: Any, programs: list[str]) -> None:
    """They are packed again; afterwards they are what they were."""
    made, before = len(programs), copy.deepcopy(module.state_dict())
    try:
        _change_weights(module, compiled)
    finally:
        module.float().load_state_dict(before)
        compiled.refresh()
    assert len(programs) == made
    compare(module, compiled, draw_prompt(), max_new_tokens=3)


def _change_weights(module: Any, compiled: Any) -> None:
    prompt = draw_prompt()
    before, _ = compare(module, compiled, prompt)
    with torch.no_grad():
        module.model.layers[0].mlp.up_proj.weight.mul_(-1)
    after, _ = compare(module, compiled, prompt)
    assert not torch.equal(before, after)
    # Another parameter in its place, and other memory of the same one.
    module.lm_head.weight = torch.nn.Parameter(module.lm_head.weight.detach().flip(0))
    last, _ = compare(module, compiled, prompt)
    assert not torch.equal(after, last)
    module.model.embed_tokens.weight.data = module.model.embed_tokens.weight.data.flip(0)
    compare(module, compiled, prompt)
    # What nobody counts is seen where all elements change, else when it is said.
    logits = compiled(**prompt).logits
    module.lm_head.weight.detach().numpy()[:] *= 2
    torch.testing.assert_close(compiled(**prompt).logits, 2 * logits)
    module.lm_head.weight.data[0, 1] *= 2
    before = compiled(**prompt).logits
    compiled.refresh()
    assert not torch.equal(compiled(**prompt).logits, before)
    module.lm_head.weight.data[0, 1] /= 2
    compiled.refresh()
    torch.testing.assert_close(compiled(**prompt).logits, 2 * logits)
    head, module.lm_head = module.lm_head, torch.nn.Identity()
    with pytest.raises(parablock.Error, match="'lm_head' is another module"):
        compiled.generate(**prompt, max_new_tokens=1)
    module.lm_head = head
    module.lm_head.bfloat16()
    with pytest.raises(parablock.Error, match="expected torch.float32 .*, got torch.bfloat16"):
        compiled.generate(**prompt, max_new_tokens=1)


@pytest.mark.full
@pytest.mark.parametrize("form", ["int8", "int4"])
def test_codes(form: str) -> None:
    """Of few bits: not the same logits, but near, and packed again as well."""
    module = make_llama(hidden_size=64, intermediate_size=96, vocab_size=97)
    prompt = draw_prompt()
    module.requires_grad_(False)
    exact = module(**prompt).logits
    compiled = parablock.generation(module, weights=form)
    for _ in range(2):
        logits = compiled(**prompt).logits
        real = prompt["attention_mask"].bool()
        distance = float((logits - exact)[real].norm() / exact[real].norm())
        assert 1e-4 < distance < (0.1 if form == "int8" else 0.6), distance
        module.model.layers[0].self_attn.v_proj.weight.mul_(-2)
        exact = module(**prompt).logits
    found = compiled.generate(**prompt, max_new_tokens=4, do_sample=False)
    assert found.shape == (3, 13)


def test_what_a_model_is_asked(module: Any, compiled: Any) -> None:
    assert isinstance(compiled, hf.PreTrainedModel) and compiled.can_generate()
    assert type(compiled).__name__ == "LlamaForCausalLM"
    assert compiled.config is module.config
    assert compiled.generation_config is module.generation_config
    assert (compiled.device.type, compiled.dtype) == ("cpu", torch.float32)
    assert not list(compiled.parameters()) and not compiled.state_dict()
    assert compiled.num_parameters() == module.num_parameters()
    assert compiled.get_input_embeddings() is module.get_input_embeddings()
    assert compiled.get_output_embeddings() is module.get_output_embeddings()
    assert repr(compiled) == "<LlamaForCausalLM of transformers, compiled for cpu>"
    assert compiled.to("cpu") is compiled and compiled.eval() is compiled
    assert repr(compiled.make_cache()) == "CompiledCache(1 layers, 0 rows of 0 tokens)"


def test_calls(module: Any, compiled: Any) -> None:
    """Arguments of forward beside those of the module."""
    prompt = draw_prompt()
    ids = prompt["input_ids"]
    real = prompt["attention_mask"].bool()
    with torch.no_grad():
        expected = module(**prompt).logits
    result = compiled(**prompt, use_cache=False)
    assert result.past_key_values is None
    check_near(result.logits[real], expected[real])
    last = compiled(**prompt, logits_to_keep=2, return_dict=False)
    assert isinstance(last, tuple) and last[1].get_seq_length() == 9
    torch.testing.assert_close(last[0], result.logits[:, -2:])
    some = compiled(**prompt, logits_to_keep=torch.tensor([8, -2, 8])).logits
    torch.testing.assert_close(some, result.logits[:, [8, 7, 8]])
    narrow = compiled(ids.int(), prompt["attention_mask"].bool()).logits
    torch.testing.assert_close(narrow, result.logits)


def _find_address(cache: Any) -> int:
    tensors = cache.caches.describe(cache.caches.starts)
    address: int = tensors["past_key.0"].address
    assert tensors["key.0"].address == address
    return address


def test_growth(compiled: Any) -> None:
    """Buffers double where they are full, and nothing else moves them."""
    cache = compiled.make_cache()
    places = set()
    for _ in range(200):
        compiled(torch.full((2, 1), 7), past_key_values=cache, logits_to_keep=1)
        places.add((cache.caches.capacity, _find_address(cache)))
    assert [capacity for capacity, _ in sorted(places)] == [64, 128, 256]
    cache = compiled.make_cache(expected=200)
    compiled(torch.full((2, 1), 7), past_key_values=cache)
    assert cache.caches.capacity == 200


def test_threads(module: Any, compiled: Any) -> None:
    """Each has a cache of its own, and calls take turns."""
    prompts = [draw_prompt((row % 3, 0), 5 + row) for row in range(4)]
    options = {"max_new_tokens": 20, "do_sample": False}
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda p: compiled.generate(**p, **options), prompts))
    for prompt, found in zip(prompts, results, strict=True):
        assert torch.equal(found, module.generate(**prompt, **options))
