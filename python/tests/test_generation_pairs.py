# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Encoder-decoders beside transformers: tokens, logits, and what is computed once."""

from __future__ import annotations

import copy
import functools
from typing import Any

import pytest
import torch
import transformers as hf
from families import VOCABULARY, randomise
from generating import HALVES
from oracle import check_near, run_exactly

import parablock
from parablock.decoding.memory import MemoryProgram
from parablock.decoding.transformers_pair import find_source_name

pytestmark = pytest.mark.together("generation")

_BART = {
    "vocab_size": VOCABULARY,
    "d_model": 32,
    **HALVES,
    "max_position_embeddings": 64,
    "pad_token_id": 1,
    "eos_token_id": 2,
    "decoder_start_token_id": 2,
    "forced_eos_token_id": None,
}
_T5 = {
    "vocab_size": VOCABULARY,
    "d_model": 32,
    "d_kv": 8,
    "d_ff": 48,
    "num_layers": 1,
    "num_heads": 4,
    "decoder_start_token_id": 0,
}
PAIRS: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "bart": ("BartForConditionalGeneration", hf.BartConfig, _BART),
    "t5": ("T5ForConditionalGeneration", hf.T5Config, {**_T5, "num_layers": 2}),
    "gated-t5": (
        "T5ForConditionalGeneration",
        hf.T5Config,
        {**_T5, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False},
    ),
    "marian": (
        "MarianMTModel",
        hf.MarianConfig,
        {**_BART, "pad_token_id": 0, "decoder_start_token_id": 0},
    ),
    "whisper": (
        "WhisperForConditionalGeneration",
        hf.WhisperConfig,
        {
            **_BART,
            "num_mel_bins": 10,
            "max_source_positions": 16,
            "max_target_positions": 64,
            "pad_token_id": 0,
        },
    ),
}
NAMES = ["bart", *(pytest.param(n, marks=pytest.mark.full) for n in PAIRS if n != "bart")]


@functools.cache
def get_pair(name: str) -> tuple[Any, Any]:
    """A small model, and the same compiled."""
    kind, config, options = PAIRS[name]
    torch.manual_seed(0)
    module: Any = getattr(hf, kind)(config(**options)).eval()
    randomise(module)
    module.generation_config = hf.GenerationConfig(
        pad_token_id=module.config.pad_token_id,
        decoder_start_token_id=module.config.decoder_start_token_id,
    )
    return module, parablock.generation(module)


def draw_source(name: str) -> dict[str, Any]:
    """Texts of different lengths, with padding behind, or sounds."""
    generator = torch.Generator().manual_seed(7)
    if name == "whisper":
        return {"input_features": torch.randn(2, 10, 32, generator=generator)}
    ids = torch.randint(5, VOCABULARY, (3, 8), generator=generator)
    mask = torch.ones_like(ids)
    mask[1, 3:] = mask[2, 6:] = 0
    return {"input_ids": ids, "attention_mask": mask}


def generate(module: Any, source: dict[str, Any], **options: Any) -> Any:
    """As every model generates; Whisper's own loop cuts sounds into parts."""
    given = {"max_new_tokens": 9, "do_sample": False, "eos_token_id": None, **options}
    return hf.GenerationMixin.generate(module, **source, **given)


@pytest.mark.parametrize("name", NAMES)
def test_tokens(name: str) -> None:
    module, compiled = get_pair(name)
    source = draw_source(name)
    for options in ({}, {"num_beams": 3, "num_return_sequences": 2}, {"use_cache": False}):
        found = generate(compiled, source, **options)
        assert torch.equal(found, generate(module, source, **options)), options
        if not options:
            wanted = "the decoder looks back at an encoder's results"
            assert compiled.report()["reason"] == wanted


@pytest.mark.parametrize("name", NAMES)
def test_logits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps are near float64, and what they look back at is computed once."""
    module, compiled = get_pair(name)
    source = draw_source(name)
    generator = torch.Generator().manual_seed(9)
    rows = len(next(iter(source.values())))
    ids = torch.randint(5, VOCABULARY, (rows, 7), generator=generator)
    exact = run_exactly(module, (), {**source, "decoder_input_ids": ids, "use_cache": False})
    calls: list[Any] = []
    before = MemoryProgram.run
    monkeypatch.setattr(
        MemoryProgram, "run", lambda self, *args: calls.append(args) or before(self, *args)
    )
    whole = compiled(**source, decoder_input_ids=ids)
    check_near(whole.logits, exact.logits)
    calls.clear()
    cache, logits = None, []
    for begin, end in ((0, 3), (3, 4), (4, 7)):
        result = compiled(
            **source, decoder_input_ids=ids[:, begin:end], past_key_values=cache
        )
        cache = result.past_key_values
        logits.append(result.logits)
    assert len(calls) == 1
    check_near(torch.cat(logits, 1), exact.logits)
    # A copy goes on by itself, and other rows take what they look back at along.
    kept = copy.deepcopy(cache)
    order = torch.tensor([1, 0, *range(2, rows)])
    kept.crop(-2)
    kept.reorder_cache(order)
    kept.batch_select_indices(torch.tensor([0]))
    again = compiled(decoder_input_ids=ids[1:2, 5:], past_key_values=kept)
    check_near(again.logits, exact.logits[1:2, 5:])
    assert len(calls) == 1 and cache.get_seq_length() == 7


def test_beams_share_a_memory() -> None:
    """Rows of one text are computed once, whatever beams do."""
    module, compiled = get_pair("bart")
    source = draw_source("bart")
    hidden = compiled.get_encoder()(**source).last_hidden_state.repeat_interleave(4, 0)
    ids = torch.full((12, 1), 2)
    mask = source["attention_mask"].repeat_interleave(4, 0)
    call = {"decoder_input_ids": ids, "attention_mask": mask}
    cache = compiled(encoder_outputs=(hidden,), **call).past_key_values
    memory = cache.caches.memory
    assert memory.texts.tolist() == [0] * 4 + [4] * 4 + [8] * 4
    assert memory.lengths.tolist() == [8] * 4 + [3] * 4 + [6] * 4
    cache.reorder_cache(torch.tensor([3, 3, 0, 1, 4, 5, 5, 4, 8, 8, 8, 8]))
    assert cache.caches.memory is memory
    cache.reorder_cache(torch.tensor([4, *range(1, 12)]))
    assert cache.caches.memory.texts[0] == 4
    cache.reset()
    assert cache.caches.memory is None


def test_weights_that_change() -> None:
    module, compiled = get_pair("bart")
    source = draw_source("bart")
    weight = module.model.decoder.layers[0].encoder_attn.v_proj.weight
    before = generate(module, source)
    with torch.no_grad():
        weight.mul_(-2)
    after = generate(module, source)
    assert not torch.equal(before, after)
    assert torch.equal(generate(compiled, source), after)
    with torch.no_grad():
        weight.div_(-2)
    assert torch.equal(generate(compiled, source), before)


def draw_holes() -> dict[str, Any]:
    """A text without padding, one with some in front, and one with some inside."""
    source = draw_source("bart")
    mask = torch.tensor([[1] * 8, [0] * 3 + [1] * 5, [1, 0, 1, 1, 0, 0, 1, 0]])
    ids = torch.where(mask.bool(), source["input_ids"].clamp(min=5), 1)
    return {"input_ids": ids, "attention_mask": mask}


@pytest.mark.parametrize("name", ["bart", pytest.param("t5", marks=pytest.mark.full)])
def test_padding_anywhere(name: str) -> None:
    """The encoder's results may have padding in front, and inside."""
    module, compiled = get_pair(name)
    source = draw_holes()
    for options in ({}, {"num_beams": 3}):
        found = generate(compiled, source, **options)
        assert torch.equal(found, generate(module, source, **options)), options
    call = {**source, "decoder_input_ids": source["input_ids"][:, :4], "use_cache": False}
    exact = run_exactly(module, (), call).logits
    check_near(compiled(**call).logits, exact)


def test_order_that_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that counts an encoder's results by their places is found by one call of it."""
    module, compiled = get_pair("bart")
    decoder = module.model.decoder
    before = decoder.forward

    def add_places(*args: Any, encoder_hidden_states: Any, **kwargs: Any) -> Any:
        places = torch.arange(encoder_hidden_states.shape[1])[None, :, None]
        return before(*args, encoder_hidden_states=encoder_hidden_states + places, **kwargs)

    monkeypatch.setattr(decoder, "forward", add_places)
    monkeypatch.setattr(compiled, "_is_order_unknown", True)
    said = "expected padding behind the real tokens, since attention of BartForConditional"
    with pytest.raises(parablock.Error, match=said):
        generate(compiled, draw_holes())


def test_names_of_sources() -> None:
    """generate() gives sounds by the name that the encoder has for them."""
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    sizes |= {"intermediate_size": 24, "vocab_size": VOCABULARY}
    wide = {"conv_dim": (8,), "conv_stride": (5,), "conv_kernel": (10,)}
    sounds = hf.Wav2Vec2Config(
        **sizes, **wide, num_conv_pos_embeddings=8, num_conv_pos_embedding_groups=2
    )
    texts = hf.BertConfig(**sizes)
    make = hf.SpeechEncoderDecoderConfig.from_encoder_decoder_configs
    module = hf.SpeechEncoderDecoderModel(make(sounds, texts))
    assert find_source_name(module) == "input_values"
    assert find_source_name(get_pair("bart")[0]) == "input_ids"


def test_sounds_with_padding() -> None:
    """Moonshine's encoder gives a mask of sounds, which the decoder hides by."""
    sizes: dict[str, int] = {}
    for half in ("encoder", "decoder"):
        sizes |= {f"{half}_num_hidden_layers": 1, f"{half}_num_attention_heads": 2}
    config = hf.MoonshineConfig(
        **sizes, vocab_size=VOCABULARY, hidden_size=16, intermediate_size=24,
        max_position_embeddings=64,
    )  # fmt: skip
    module: Any = hf.MoonshineForConditionalGeneration(config).eval()
    randomise(module)
    module.generation_config = hf.GenerationConfig(pad_token_id=0, decoder_start_token_id=1)
    compiled = parablock.generation(module)
    sounds = torch.randn(2, 4000, generator=torch.Generator().manual_seed(7))
    mask = torch.ones(2, 4000, dtype=torch.int64)
    source = {"input_values": sounds, "attention_mask": mask}
    found = generate(compiled, source, num_beams=2)
    assert torch.equal(found, generate(module, source, num_beams=2))
    mask[1, 1500:] = 0
    said = "attention_mask: expected no padding of input_values, which MoonshineForConditional"
    with pytest.raises(parablock.Error, match=said):
        generate(compiled, source)


def test_decoders_that_want_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a decoder's own code raises is one error before an export."""
    module, _ = get_pair("bart")

    def fail(*args: Any, **kwargs: Any) -> None:
        raise KeyError("speaker")

    monkeypatch.setattr(module.model.decoder, "forward", fail)
    said = (
        "^generation: expected a decoder that runs on tokens and an encoder's results alone, "
        "got BartForConditionalGeneration, which does not: KeyError: 'speaker'$"
    )
    with pytest.raises(parablock.Error, match=said):
        parablock.generation(module)


IDS = torch.full((3, 2), 7)
HIDDEN = torch.zeros(3, 8, 32)
CALLS: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, "encoder_outputs: expected them or input_ids, got neither"),
    "no-tokens": (
        {"encoder_outputs": (HIDDEN,), "decoder_input_ids": None},
        "decoder_input_ids: expected a tensor of tokens, got none",
    ),
    "rows": (
        {"encoder_outputs": (HIDDEN[:2],)},
        "decoder_input_ids: expected 2 rows, as many as the encoder has, got 3",
    ),
    "width": (
        {"encoder_outputs": (HIDDEN[..., :9],)},
        "encoder_outputs: expected torch.float32 of width 32, got torch.float32 of width 9",
    ),
    "shape": (
        {"encoder_outputs": (HIDDEN[0],)},
        r"encoder_outputs: expected hidden states \[rows, tokens, width\] first",
    ),
    "mask": (
        {"encoder_outputs": (HIDDEN,), "attention_mask": torch.ones(3, 9)},
        r"attention_mask: expected \[3, 8\], as the encoder's results are, got \[3, 9\]",
    ),
    "decoder-padding": (
        {
            "encoder_outputs": (HIDDEN,),
            "decoder_attention_mask": torch.tensor([[0, 1]] * 3),
        },
        "decoder_attention_mask: expected no padding, since rows of an encoder-decoder",
    ),
    "decoder-mask": (
        {"encoder_outputs": (HIDDEN,), "decoder_attention_mask": torch.ones(3, 3)},
        r"decoder_attention_mask: expected \[3, 2\], got \[3, 3\]",
    ),
    "embeddings": (
        {"encoder_outputs": (HIDDEN,), "decoder_inputs_embeds": HIDDEN},
        "decoder_inputs_embeds: expected none, since compiled code does not know it",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_refusals(name: str) -> None:
    _, compiled = get_pair("bart")
    given, said = CALLS[name]
    with pytest.raises(parablock.Error, match=f"^{said}"):
        compiled(**{"decoder_input_ids": IDS, **given})


@pytest.mark.full
def test_padding_that_is_hidden_without_a_cache() -> None:
    """T5Gemma's decoder makes a mask of its tokens where it has neither a mask nor a cache."""
    sizes = {"vocab_size": VOCABULARY, "num_hidden_layers": 1, "num_attention_heads": 4}
    sizes |= {"num_key_value_heads": 2, "head_dim": 8, "intermediate_size": 48}
    sizes |= {"max_position_embeddings": 64, "layer_types": ["full_attention"]}
    half = functools.partial(hf.T5GemmaModuleConfig, **sizes)
    config = hf.T5GemmaConfig(
        encoder=half(hidden_size=48), decoder=half(hidden_size=32), vocab_size=VOCABULARY
    )
    module: Any = hf.T5GemmaForConditionalGeneration(config).eval()
    randomise(module)
    module.generation_config = hf.GenerationConfig(pad_token_id=0, decoder_start_token_id=0)
    compiled = parablock.generation(module)
    source = draw_holes()
    for options in ({}, {"num_beams": 3}):
        found = generate(compiled, source, **options)
        assert torch.equal(found, generate(module, source, **options)), options
    said = "decoder_input_ids: expected no token 0 where use_cache is False, since T5Gemma"
    with pytest.raises(parablock.Error, match=said):
        generate(compiled, source, use_cache=False)


@pytest.mark.full
def test_texts_of_images() -> None:
    """An encoder of images, and a decoder of another width."""
    sizes = {"num_hidden_layers": 1, "num_attention_heads": 4, "intermediate_size": 48}
    images = hf.ViTConfig(hidden_size=48, image_size=16, patch_size=8, **sizes)
    texts = hf.GPT2Config(
        **{"vocab_size": VOCABULARY, "n_embd": 32, "n_layer": 1, "n_head": 4},
        **{"n_positions": 64, "add_cross_attention": True, "is_decoder": True},
    )
    module: Any = hf.VisionEncoderDecoderModel(
        encoder=hf.ViTModel(images), decoder=hf.GPT2LMHeadModel(texts)
    ).eval()
    randomise(module)
    module.generation_config = hf.GenerationConfig(pad_token_id=0, decoder_start_token_id=1)
    compiled = parablock.generation(module)
    generator = torch.Generator().manual_seed(7)
    source = {"pixel_values": torch.randn(2, 3, 16, 16, generator=generator)}
    for options in ({}, {"num_beams": 3}):
        found = generate(compiled, source, **options)
        assert torch.equal(found, generate(module, source, **options)), options
