# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a model with compiled code cannot, each with one error that says so."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
import torch
import transformers as hf
from families import FAMILIES, randomise
from generating import draw_prompt, get_compiled, get_module, make_llama
from oracle import get_distance, run_exactly

import parablock
from parablock.decoding import importing
from parablock.decoding.caches import BufferInfo, Caches
from parablock.decoding.transformers_cache import CompiledCache
from parablock.frontend.export import export_module


pytestmark = pytest.mark.together("generation")


@pytest.fixture(scope="module")
def compiled() -> Any:
    return get_compiled("gpt2")


IDS = draw_prompt()["input_ids"]
CALLS: dict[str, tuple[dict[str, Any], str]] = {
    "embeddings": (
        {"inputs_embeds": torch.zeros(3, 9, 32)},
        "inputs_embeds: expected none, since compiled code begins with tokens",
    ),
    "labels": ({"labels": IDS}, "labels: expected none, since compiled code has no loss"),
    "attentions": (
        {"output_attentions": True},
        "output_attentions: expected none, since compiled code keeps no scores",
    ),
    "states": (
        {"output_hidden_states": True},
        "output_hidden_states: expected none, since compiled code keeps no hidden states",
    ),
    "unknown": ({"pixels": IDS}, "pixels: expected none, since compiled code does not know it"),
    "types": (
        {"token_type_ids": torch.ones_like(IDS)},
        "token_type_ids: expected none, since compiled code does not know it",
    ),
    "no-ids": ({"input_ids": None}, "input_ids: expected a tensor of tokens, got none"),
    "array": (
        {"input_ids": np.ones((1, 2))},
        "input_ids: expected a tensor of tokens, got ndarray",
    ),
    "floats": (
        {"input_ids": torch.ones(1, 2)},
        r"input_ids: expected whole numbers \[rows, tokens\], got torch.float32 \[1, 2\]",
    ),
    "one-row": (
        {"input_ids": IDS[0]},
        r"input_ids: expected whole numbers \[rows, tokens\], got torch.int64 \[9\]",
    ),
    "nothing": ({"input_ids": IDS[:, :0]}, r"input_ids: expected .*, got torch.int64 \[3, 0\]"),
    "large": ({"input_ids": IDS + 97}, "input_ids: expected tokens below 97, got "),
    "below-zero": ({"input_ids": IDS - 97}, "input_ids: expected tokens below 97, got -"),
    "device": (
        {"input_ids": IDS.to("meta")},
        "input_ids: expected memory of the CPU, got meta",
    ),
    "hole": (
        {"attention_mask": torch.tensor([[1, 1, 1, 1, 0, 1, 1, 1, 1]]).expand(3, -1)},
        "attention_mask: expected the real tokens of a row to be the last ones, .* "
        "got 1 1 1 1 0 1 1 1 1 in row 0",
    ),
    "behind": (
        {"attention_mask": torch.tensor([[1] * 9, [1] * 8 + [0], [1] * 9])},
        "attention_mask: expected .* got 1 1 1 1 1 1 1 1 0 in row 1",
    ),
    "short-mask": (
        {"attention_mask": torch.ones(3, 8)},
        r"attention_mask: expected \[3, 9\], for 0 tokens of the past and 9 new ones, "
        r"got \[3, 8\]",
    ),
    "wide-mask": (
        {"attention_mask": torch.ones(3, 1, 9, 9)},
        r"attention_mask: expected a mask of padding \[batch, tokens\], got shape "
        r"\[3, 1, 9, 9\]",
    ),
    "list-mask": (
        {"attention_mask": [[1] * 9] * 3},
        "attention_mask: expected a tensor, got list",
    ),
    "positions": (
        {"position_ids": torch.arange(1, 10)[None]},
        "position_ids: expected positions that count the real tokens of a row, 0 for token 0 "
        "of row 0, got 1",
    ),
    "many-positions": (
        {"position_ids": torch.arange(10)[None]},
        r"position_ids: expected \[3, 9\], got \[1, 10\]",
    ),
    "dynamic-cache": (
        {"past_key_values": hf.DynamicCache()},
        r"past_key_values: expected a cache of this model \(make_cache\(\), or one that it "
        r"returned\), got DynamicCache",
    ),
    "rows-kept": (
        {"logits_to_keep": torch.tensor([9])},
        r"logits_to_keep: expected numbers of 9 tokens, got \[9\]",
    ),
    "none-kept": (
        {"logits_to_keep": torch.tensor([], dtype=torch.int64)},
        r"logits_to_keep: expected numbers of 9 tokens, got \[\]",
    ),
    "fewer-than-none": (
        {"logits_to_keep": -1},
        r"option 'logits_to_keep' requires a whole number from 0 \(all\), got -1",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(compiled: Any, name: str) -> None:
    given, said = CALLS[name]
    with pytest.raises(parablock.Error, match=f"^{said}"):
        compiled(**{"input_ids": IDS, **given})


def test_what_says_nothing(compiled: Any) -> None:
    """Arguments that ask for nothing are no errors."""
    expected = compiled(IDS).logits
    found = compiled(
        IDS,
        attention_mask=torch.ones_like(IDS),
        position_ids=torch.arange(9)[None],
        token_type_ids=torch.zeros_like(IDS),
        output_attentions=False,
        labels=None,
        pixels=None,
    )
    assert torch.equal(found.logits, expected)


def test_caches(compiled: Any) -> None:
    mask = draw_prompt()["attention_mask"]
    cache = compiled(IDS, attention_mask=mask).past_key_values
    step = IDS[:, :1]
    with pytest.raises(parablock.Error, match="expected input_ids of 3 rows, .* got 2"):
        compiled(step[:2], past_key_values=cache)
    wrong = torch.ones(3, 10)
    said = "expected 4 tokens of padding in front of row 1, as they are in the cache, got 0"
    with pytest.raises(parablock.Error, match=said):
        compiled(step, attention_mask=wrong, past_key_values=cache)
    with pytest.raises(parablock.Error, match="expected a number up to 0, .* got 3"):
        cache.crop(3)
    with pytest.raises(parablock.Error, match="expected at most the 9 tokens .* got 10"):
        cache.crop(-10)
    with pytest.raises(parablock.Error, match="written by that model alone"):
        cache.update(step, step, 0)
    with pytest.raises(parablock.Error, match=r"expected numbers of 3 rows, got \[3\]"):
        cache.batch_select_indices(torch.tensor([3]))
    with pytest.raises(parablock.Error, match="expected 3 rows to go on with, got 2"):
        cache.reorder_cache(torch.tensor([0, 1]))
    with pytest.raises(parablock.Error, match="batch_repeat_interleave: expected 1 or more"):
        cache.batch_repeat_interleave(0)
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(cache)
    # It is what it was: errors come before anything is written.
    assert cache.get_seq_length() == 9 and cache.caches.starts.tolist() == [0, 4, 1]


def test_caches_of_others(compiled: Any) -> None:
    infos = [BufferInfo("past_key.0", "key.0", 8, "f32")]
    other = CompiledCache(Caches(infos), 1)
    with pytest.raises(parablock.Error, match="expected a cache of this model, got another's"):
        compiled(IDS, past_key_values=other)


def test_generate(compiled: Any) -> None:
    said = "cache_implementation: expected none, since compiled code has its own caches"
    with pytest.raises(parablock.Error, match=f"{said}.*'static'"):
        compiled.generate(IDS, max_new_tokens=2, cache_implementation="static")
    found = compiled.generate(IDS, max_new_tokens=2, cache_implementation="dynamic")
    assert torch.equal(found, compiled.generate(IDS, max_new_tokens=2))
    with pytest.raises(parablock.Error, match="assistant_early_exit: expected none"):
        compiled.generate(IDS[:1], max_new_tokens=2, assistant_early_exit=1)
    with pytest.raises(ValueError, match="pixels"):
        compiled.generate(IDS, max_new_tokens=2, pixels=IDS)
    with pytest.raises(parablock.Error, match="output_hidden_states: expected none"):
        compiled.generate(
            IDS, max_new_tokens=2, output_hidden_states=True, return_dict_in_generate=True
        )
    with pytest.raises(parablock.Error, match="continuous batching: expected generate"):
        compiled.init_continuous_batching()


def test_objects(compiled: Any) -> None:
    with pytest.raises(TypeError, match="cannot be copied or pickled: keep the model"):
        copy.deepcopy(compiled)
    with pytest.raises(parablock.Error, match="save the model it is of"):
        compiled.save_pretrained("nowhere")
    for moved in (torch.bfloat16, "meta"):
        with pytest.raises(
            parablock.Error, match="expected torch.float32 on the CPU, as it was"
        ):
            compiled.to(moved)


MODELS: dict[str, tuple[Any, dict[str, Any], str]] = {
    "module": (
        lambda: torch.nn.Linear(2, 2),
        {},
        r"expected a model of transformers that has generate\(\), got Linear",
    ),
    "encoder": (
        lambda: FAMILIES["bert"].make(),
        {},
        r"expected a model of transformers that has generate\(\), got BertForMaskedLM",
    ),
    "device": (
        lambda: make_llama().to("meta"),
        {},
        "expected the model on the CPU or a GPU, got meta",
    ),
    "target": (
        make_llama,
        {"target": "sm_90a"},
        "option 'target' requires 'cpu', 'cpu:PROCESSOR', 'cuda', 'cuda:NUMBER' or 'reference', "
        "got 'sm_90a'",
    ),
    "processor-of-reference": (
        make_llama,
        {"target": "reference:x86-64"},
        "option 'target' requires 'cpu', 'cpu:PROCESSOR', 'cuda', 'cuda:NUMBER' or 'reference', "
        "got 'reference:x86-64'",
    ),
    "threads": (
        make_llama,
        {"threads": -1},
        r"option 'threads' requires a whole number from 0 \(all cores\), got -1",
    ),
    "training": (
        lambda: make_llama(attention_dropout=0.1).train(),
        {},
        "dropout",
    ),
    "states": (
        lambda: make_llama(output_hidden_states=True),
        {},
        "config.output_hidden_states: expected False, since compiled code gives logits alone",
    ),
    "weights": (
        make_llama,
        {"weights": "int3"},
        "option 'weights' requires None, 'int8', 'int4' or 'int4-g128', got 'int3'",
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_models(name: str) -> None:
    make, options, said = MODELS[name]
    with pytest.raises(parablock.Error, match=said):
        parablock.generation(make(), **options)


def test_padding_of_its_own() -> None:
    """GIT's masks make room for images where there are keys, also without an image."""
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "intermediate_size": 24}
    sizes |= {"num_attention_heads": 2}
    vision = {**sizes, "image_size": 8, "patch_size": 4}
    sizes |= {"vocab_size": 97, "max_position_embeddings": 64}
    config = hf.GitConfig(vision_config=vision, **sizes)
    module: Any = hf.GitForCausalLM(config).eval()
    randomise(module)
    module.generation_config = hf.GenerationConfig(pad_token_id=0)
    compiled = parablock.generation(module)
    options = {"max_new_tokens": 5, "do_sample": False}
    plain = draw_prompt((0, 0))
    found = compiled.generate(**plain, **options)
    assert torch.equal(found, module.generate(**plain, **options))
    said = "attention_mask: expected no padding, since it changes positions or masks of Git"
    with pytest.raises(parablock.Error, match=said):
        compiled.generate(**draw_prompt(), **options)


@pytest.mark.full
@pytest.mark.parametrize("name", ["RoFormer", "XLNet"])
def test_tables_that_are_no_positions(name: str) -> None:
    """One rotates by sines, the other looks both ways and is for texts of any length."""
    sizes = {"vocab_size": 97, "pad_token_id": 0, "is_decoder": True}
    if name == "RoFormer":
        sizes |= {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
        sizes |= {"intermediate_size": 24, "max_position_embeddings": 64}
        config: Any = hf.RoFormerConfig(**sizes)
        module: Any = hf.RoFormerForCausalLM(config).eval()
    else:
        config = hf.XLNetConfig(vocab_size=97, d_model=16, n_layer=1, n_head=2, d_inner=24)
        module = hf.XLNetLMHeadModel(config).eval()
    randomise(module)
    with pytest.raises(parablock.Error):
        parablock.generation(module)


_SIZES = {
    "vocab_size": 97,
    "hidden_size": 16,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "intermediate_size": 24,
    "max_position_embeddings": 64,
}


def make_mamba() -> Any:
    sizes = {"vocab_size": 97, "hidden_size": 16, "num_hidden_layers": 1, "state_size": 4}
    return hf.MambaForCausalLM(hf.MambaConfig(**sizes))


def make_lfm2() -> Any:
    types = ["full_attention", "conv"]
    config = hf.Lfm2Config(**_SIZES, num_hidden_layers=2, layer_types=types)
    return hf.Lfm2ForCausalLM(config)


def make_rwkv() -> Any:
    sizes = {"vocab_size": 97, "hidden_size": 16, "num_hidden_layers": 2}
    return hf.RwkvForCausalLM(hf.RwkvConfig(**sizes, attention_hidden_size=16))


def make_recurrent_gemma() -> Any:
    sizes = {**_SIZES, "num_hidden_layers": 3, "lru_width": 16, "attention_window_size": 6}
    return hf.RecurrentGemmaForCausalLM(hf.RecurrentGemmaConfig(**sizes))


def make_xmod() -> Any:
    sizes = {**_SIZES, "is_decoder": True, "num_hidden_layers": 1}
    return hf.XmodForCausalLM(hf.XmodConfig(**sizes))


STATES: dict[str, tuple[Any, str]] = {
    "mamba": (
        make_mamba,
        "expected layers that keep keys and values of each token, got MambaForCausalLM, which "
        r"keeps a state \('cache_params'\) instead",
    ),
    "lfm2": (
        make_lfm2,
        "expected layers that keep keys and values of each token and nothing else, got layer "
        "1 of Lfm2ForCausalLM, whose cache is a LinearAttentionLayer",
    ),
    "rwkv": (make_rwkv, r"got RwkvForCausalLM, which keeps a state \('state'\) instead"),
    "recurrent_gemma": (
        make_recurrent_gemma,
        "got RecurrentGemmaForCausalLM, whose layers keep states of their own$",
    ),
    "xmod": (
        make_xmod,
        "expected a decoder that runs on tokens alone, got XmodForCausalLM, which does not: "
        "ValueError: Input language unknown",
    ),
}


@pytest.mark.parametrize("name", STATES)
def test_states(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """What keeps no keys of tokens is refused before anything is exported."""
    make, said = STATES[name]
    monkeypatch.setattr(importing, "export_module", None)
    with pytest.raises(parablock.Error, match=said):
        parablock.generation(make().eval())


def test_parts_are_named_after_one_export(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions are not tried again as a table's rows where something else is not known."""
    exports = []

    def count(*args: Any) -> Any:
        exports.append(args)
        return export_module(*args)

    monkeypatch.setattr(importing, "export_module", count)
    sizes = {"vocab_size": 97, "hidden_size": 16, "num_hidden_layers": 1, "ffn_dim": 24}
    sizes |= {"num_attention_heads": 2, "max_position_embeddings": 64}
    module: Any = hf.OPTForCausalLM(hf.OPTConfig(**sizes)).eval()
    layer = module.model.decoder.layers[0]
    layer.activation_fn = torch.nn.Softshrink()
    said = (
        r"'model.decoder.layers.0.activation_fn' \(Softshrink of OPTDecoderLayer\) is not "
        "known: no rule for the operation 'aten.sign.default'"
    )
    with pytest.raises(parablock.Error, match=said):
        parablock.generation(module)
    assert len(exports) == 1


def test_exports_that_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """What torch says of a whole module is said of a model that has a name."""

    def fail(*args: Any) -> None:
        raise parablock.Error("torch.export cannot trace the module: no size")

    monkeypatch.setattr(importing, "export_module", fail)
    said = "^generation: LlamaForCausalLM is not known: torch.export cannot trace .*: no size$"
    with pytest.raises(parablock.Error, match=said):
        parablock.generation(make_llama(num_hidden_layers=1))


class _Loop(torch.nn.Module):
    """Experts without hooks, which a loop over data chooses."""

    def forward(self, rows: Any, index: Any, weights: Any) -> Any:
        for expert in index.unique().tolist():
            rows = rows * (expert + 1)
        return rows


def test_experts() -> None:
    """Experts that do not export are refused by name."""
    sizes = {"vocab_size": 97, "hidden_size": 16, "num_hidden_layers": 1}
    sizes |= {"num_attention_heads": 2, "num_key_value_heads": 1, "intermediate_size": 24}
    config = hf.MixtralConfig(**sizes, num_local_experts=4, max_position_embeddings=64)
    model = hf.MixtralForCausalLM(config).eval()
    model.model.layers[0].mlp.experts = _Loop()
    with pytest.raises(parablock.Error, match=r"^generation: .*MixtralForCausalLM.* is not known: .*data"):
        parablock.generation(model)


def test_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda name: "4.57.1")
    said = "generation requires transformers 5, got 4.57.1: pip install -U transformers"
    with pytest.raises(parablock.MissingError, match=said):
        parablock.generation(make_llama())


def test_compiled_twice(compiled: Any) -> None:
    with pytest.raises(parablock.Error, match="expected .*, got one that is compiled"):
        parablock.generation(compiled)


def test_more_than_there_are_positions() -> None:
    compiled = get_compiled("gpt2")
    ids = IDS[:1].repeat(1, 8)
    said = "expected at most 64 tokens, which is what the model has positions for, got "
    with pytest.raises(parablock.Error, match=f"{said}72"):
        compiled(ids)
    # Padding needs no positions.
    prompt = {"input_ids": ids[:, :60], "attention_mask": torch.ones(1, 60)}
    prompt["attention_mask"][:, :8] = 0
    options = {"pad_token_id": 0, "do_sample": False}
    found = compiled.generate(**prompt, **options, max_new_tokens=13)
    expected = get_module("gpt2").generate(**prompt, **options, max_new_tokens=13)
    assert found.shape == (1, 73) and torch.equal(found, expected)
    mask = torch.ones_like(ids)
    mask[:, :8] = 0
    assert compiled(ids, attention_mask=mask).logits.shape == (1, 72, 97)
    with pytest.raises(parablock.Error, match=f"{said}65"):
        compiled.generate(ids[:, :60], max_new_tokens=9, pad_token_id=0)


@pytest.mark.full
def test_positions_of_padding() -> None:
    """BART's count padding in front, and so do these; OPT's do not."""
    sizes = {"vocab_size": 97, "d_model": 32, "decoder_layers": 1, "decoder_attention_heads": 4}
    config = hf.BartConfig(**sizes, decoder_ffn_dim=48, max_position_embeddings=64)
    module: Any = hf.BartForCausalLM(config).eval()
    randomise(module)
    module.generation_config = hf.GenerationConfig(pad_token_id=0)
    compiled = parablock.generation(module)
    options = {"max_new_tokens": 5, "do_sample": False}
    for prompt in ({"input_ids": IDS[:1]}, draw_prompt()):
        found = compiled.generate(**prompt, **options)
        assert torch.equal(found, module.generate(**prompt, **options))
    ids, mask = IDS[:1].repeat(1, 8), torch.ones(1, 72)
    mask[:, :20] = 0
    said = "expected at most 64 tokens, .* positions for, got 72"
    with pytest.raises(parablock.Error, match=said):
        compiled(ids, attention_mask=mask)
    compiled = get_compiled("opt")
    found = compiled.generate(**draw_prompt(), **options)
    assert torch.equal(found, get_module("opt").generate(**draw_prompt(), **options))


def test_positions_of_its_own() -> None:
    """RoBERTa's are others than those that `generate` gives it, which it needs then."""
    sizes = {"vocab_size": 97, "hidden_size": 16, "num_hidden_layers": 1}
    sizes |= {"num_attention_heads": 2, "intermediate_size": 24, "pad_token_id": 0}
    config = hf.RobertaConfig(**sizes, max_position_embeddings=64, is_decoder=True)
    module: Any = hf.RobertaForCausalLM(config).eval()
    randomise(module)
    module.generation_config = hf.GenerationConfig(pad_token_id=0)
    compiled = parablock.generation(module)
    options = {"max_new_tokens": 5, "do_sample": False}
    found = compiled.generate(**draw_prompt(), **options)
    assert torch.equal(found, module.generate(**draw_prompt(), **options))
    said = "position_ids: expected them, since RobertaForCausalLM has others than those from 0 on"
    with pytest.raises(parablock.Error, match=said):
        compiled(IDS)
    positions = torch.arange(9)[None]
    exact = run_exactly(module, (), {"input_ids": IDS, "position_ids": positions}).logits
    assert get_distance(compiled(IDS, position_ids=positions).logits, exact) < 2e-5


@pytest.mark.full
def test_processors_that_there_are_not() -> None:
    with pytest.raises(parablock.Error, match="no-such"):
        parablock.generation(make_llama(num_hidden_layers=1), target="cpu:no-such")
