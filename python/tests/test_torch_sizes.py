# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dynamic batch and sequence, masks of padding, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from unittest import mock

import pytest
import torch
import transformers
from families import FAMILIES, forbid_caches, make_inputs, randomise
from oracle import get_distance, run_exactly

import parablock
from parablock.frontend.ir import FunctionBuilder
from parablock.frontend.lowering import Emitter


def _dims() -> dict[int, torch.export.Dim]:
    return {
        0: torch.export.Dim("batch", min=1, max=64),
        1: torch.export.Dim("seq", min=2, max=60),
    }


@pytest.fixture(scope="module")
def padded() -> tuple[torch.nn.Module, parablock.CompiledModel]:
    family = FAMILIES["gpt2"]
    module = family.make()
    module.config.use_cache = False
    (ids,) = make_inputs(family)
    dims = _dims()
    model = parablock.from_torch(
        module,
        (ids,),
        {"input_ids": dims, "attention_mask": dims},
        example_kwargs={"attention_mask": torch.ones_like(ids)},
    )
    return module, model.optimize().compile()


@pytest.mark.parametrize(("batch", "tokens"), [(3, 19), (1, 1), (5, 33)])
def test_any_size_with_padding(
    padded: tuple[torch.nn.Module, parablock.CompiledModel], batch: int, tokens: int
) -> None:
    module, compiled = padded
    generator = torch.Generator().manual_seed(tokens)
    ids = torch.randint(5, 97, (batch, tokens), generator=generator)
    lengths = torch.randint(1, tokens + 1, (batch, 1), generator=generator)
    mask = torch.arange(tokens) < lengths
    exact = run_exactly(module, (ids,), {"attention_mask": mask.long()}).logits
    result = compiled(ids, attention_mask=mask.long()).logits
    assert get_distance(result[mask], exact[mask]) < 1e-5


@pytest.mark.full
@pytest.mark.parametrize("name", ["t5", "bart"])
def test_masks_of_two_stacks(name: str) -> None:
    module = FAMILIES[name].make()
    forbid_caches(module)
    ids, _, other = make_inputs(FAMILIES[name])
    call = {
        "input_ids": ids,
        "attention_mask": torch.ones_like(ids),
        "decoder_input_ids": other,
        "decoder_attention_mask": torch.ones_like(other),
    }
    compiled = parablock.from_torch(module, (), example_kwargs=call).compile()
    call["attention_mask"][0, 4:] = 0
    call["decoder_attention_mask"][1, 5:] = 0
    exact = run_exactly(module, (), call).logits
    result = compiled(**call).logits
    real = call["decoder_attention_mask"].bool()
    assert get_distance(result[real], exact[real]) < 1e-5


def test_padding_in_front_is_refused(
    padded: tuple[torch.nn.Module, parablock.CompiledModel],
) -> None:
    ids = torch.full((2, 4), 7)
    mask = torch.tensor([[0, 1, 1, 1], [1, 1, 1, 1]])
    with pytest.raises(parablock.Error, match="padding_side"):
        padded[1](ids, attention_mask=mask)


def test_bad_inputs_are_named(
    padded: tuple[torch.nn.Module, parablock.CompiledModel],
) -> None:
    ids = torch.full((2, 4), 7)
    with pytest.raises(parablock.Error, match="expected i64, got i32"):
        padded[1](ids.int(), attention_mask=torch.ones_like(ids))
    with pytest.raises(parablock.Error, match="as in the example inputs"):
        padded[1](ids)


def test_input_that_requires_grad_is_refused() -> None:
    module = torch.nn.TransformerEncoderLayer(16, 2, 24, batch_first=True).eval()
    x = torch.randn(2, 5, 16)
    compiled = parablock.from_torch(module, (x,)).compile()
    with pytest.raises(parablock.Error, match="detach"):
        compiled(x.clone().requires_grad_())
    assert get_distance(compiled(x), run_exactly(module, (x,))) < 1e-5


class _IgnoresMask(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.TransformerEncoderLayer(16, 2, 24, batch_first=True)

    def forward(self, x: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.layer(x)
        return result


def test_mask_without_effect_stays_without() -> None:
    module = _IgnoresMask().eval()
    x, mask = torch.randn(2, 5, 16), torch.tensor([[0, 0, 1, 1, 1]] * 2)
    compiled = parablock.from_torch(module, (x, mask)).compile()
    assert get_distance(compiled(x, mask), run_exactly(module, (x, mask))) < 1e-5


@pytest.mark.parametrize("name", ["bert", "bloom", "gpt2", "mpt"])
def test_masks_become_lengths(name: str) -> None:
    """Whatever else hides scores, and wherever heads are."""
    module = FAMILIES[name].make()
    forbid_caches(module)
    (ids,) = make_inputs(FAMILIES[name])
    call = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
    model = parablock.from_torch(module, (), example_kwargs=call)
    assert str(model).count(" lengths ") == FAMILIES[name].attention
    assert "score_bias" not in str(model)


class _ReadsMask(_IgnoresMask):
    def forward(self, x: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.layer(x) * attention_mask.sum(1)[:, None, None]
        return result


class _ReturnsScores(_IgnoresMask):
    def forward(self, x: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.layer(x)
        scores = result @ result.mT
        return scores.masked_fill(attention_mask[:, None] == 0, -1e9)


@pytest.mark.parametrize("kind", [_ReadsMask, _ReturnsScores])
def test_mask_that_reaches_a_result_is_computed(kind: type[torch.nn.Module]) -> None:
    module, x = kind().eval(), torch.randn(2, 5, 16)
    mask = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])
    compiled = parablock.from_torch(module, (x, torch.ones_like(mask))).compile()
    assert get_distance(compiled(x, mask), run_exactly(module, (x, mask))) < 1e-5


class _TakesNumber(_IgnoresMask):
    def forward(self, x: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.layer(x) * x.max().item()
        return result


def test_number_of_data_beside_a_mask_is_refused() -> None:
    given = torch.randn(2, 5, 16), torch.ones(2, 5).long()
    with pytest.raises(parablock.Error, match=r"aten\.item.*a number that data decide"):
        parablock.from_torch(_TakesNumber().eval(), given)


class _Picks(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.kthvalue(self.inner(x), 3).values


def test_unknown_operation_is_named() -> None:
    with pytest.raises(parablock.Error, match=r"aten\.kthvalue"):
        parablock.from_torch(_Picks().eval(), (torch.randn(2, 3, 8),))


def test_window_beyond_the_sizes_looked_at_is_computed_in_calls() -> None:
    """A mask of such a window is an input; nothing but calls could compute it."""
    family = FAMILIES["mistral"]
    module = family.make()
    module.config.use_cache = False
    module.config.sliding_window = 4096
    (ids,) = make_inputs(family)
    dims = {
        0: torch.export.Dim("batch", min=1, max=64),
        1: torch.export.Dim("seq", min=2, max=8192),
    }
    model = parablock.from_torch(module, (ids,), {"input_ids": dims})
    with pytest.raises(parablock.Error, match="a package has nothing that computes 'of_sizes"):
        model.save("model.pbk")
    with torch.no_grad():
        wanted = run_exactly(module, (ids,)).logits
        assert get_distance(model.compile()(ids).logits, wanted) < 1e-5


def _make_scaled(kind: str, **more: object) -> torch.nn.Module:
    rope = {"rope_type": kind, "rope_theta": 10000.0, "factor": 4.0, **more}
    config = transformers.LlamaConfig(
        vocab_size=97,
        hidden_size=48,
        num_hidden_layers=1,
        num_attention_heads=4,
        intermediate_size=72,
        max_position_embeddings=64,
        rope_parameters=rope,
    )
    return transformers.LlamaForCausalLM(config).eval()


@pytest.mark.full
@pytest.mark.parametrize("most", [24, 60])
def test_rotations_that_change_beyond_a_length(most: int) -> None:
    factors = {"short_factor": [1.0] * 6, "long_factor": [3.0] * 6}
    module = _make_scaled(
        "longrope", original_max_position_embeddings=24, **factors
    )
    (ids,) = make_inputs(FAMILIES["llama"])
    dims = {"input_ids": {1: torch.export.Dim("seq", min=2, max=most)}}
    if most > 24:
        with pytest.raises(parablock.Error, match="beyond 24 tokens"):
            parablock.from_torch(module, (ids,), dims)
        return
    compiled = parablock.from_torch(module, (ids,), dims).compile()
    exact = run_exactly(module, (ids,), {"use_cache": False}).logits
    assert get_distance(compiled(ids).logits, exact) < 1e-5


@pytest.mark.full
def test_rotations_that_grow_do_not_beyond_their_length() -> None:
    module = _make_scaled("dynamic")
    (ids,) = make_inputs(FAMILIES["llama"])
    compiled = parablock.from_torch(module, (ids,)).compile()
    exact = run_exactly(module, (ids,), {"use_cache": False}).logits
    assert get_distance(compiled(ids).logits, exact) < 1e-5
    with pytest.raises(parablock.Error, match="torch.export"):
        parablock.from_torch(module, (ids.repeat(1, 7),))


@pytest.mark.full
def test_attention_that_is_no_operation_is_named() -> None:
    module = FAMILIES["llama"].make()
    module.set_attn_implementation("flex_attention")
    with pytest.raises(parablock.Error, match="flex_attention"):
        parablock.from_torch(module, make_inputs(FAMILIES["llama"]))


class _Scales(torch.nn.Module):
    def forward(
        self, x: torch.Tensor, factor: int = 2, other: torch.Tensor | None = None
    ) -> torch.Tensor:
        return x * factor if other is None else x * other


def test_numbers_of_python_are_those_of_the_example() -> None:
    x = torch.ones(2, 3)
    compiled = parablock.from_torch(_Scales().eval(), (x, 2, None)).compile()
    assert torch.equal(compiled(x, 2, None), 2 * x)
    with pytest.raises(parablock.Error, match="'factor': expected 2 .* got 3"):
        compiled(x, 3, None)
    with pytest.raises(parablock.Error, match="'other': expected None"):
        compiled(x, 2, x)


def test_sizes_beyond_a_dimension_are_refused(
    padded: tuple[torch.nn.Module, parablock.CompiledModel],
) -> None:
    ids = torch.full((2, 61), 7)
    with pytest.raises(parablock.Error, match="at most 60 for seq, got 61"):
        padded[1](ids, attention_mask=torch.ones_like(ids))
    with pytest.raises(parablock.Error, match="'attention_mask': expected shape"):
        padded[1](ids[:, :9], attention_mask=torch.ones_like(ids)[:, :8])


@pytest.mark.parametrize("kind", ["Roberta", "MPNet"])
@torch.no_grad()
def test_positions_that_count_tokens(kind: str) -> None:
    """Padding among real tokens moves positions, at every call of every door."""
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=97,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=4,
        intermediate_size=48,
        max_position_embeddings=64,
    )
    module = getattr(transformers, f"{kind}Model")(config).eval()
    ids = torch.randint(5, 97, (2, 9))
    padded = ids.clone()
    padded[0, 3], padded[1, :2] = 1, 1
    torch.compiler.reset()
    doors = (
        parablock.from_torch(module, (ids,)).compile(),
        torch.compile(module, backend="parablock"),
    )
    for door in doors:
        for given in (ids, padded):
            exact = run_exactly(module, (given,)).last_hidden_state
            assert get_distance(door(given).last_hidden_state, exact) < 1e-5


def _make_t5(most: int) -> torch.nn.Module:
    torch.manual_seed(0)
    sizes = {"vocab_size": 97, "d_model": 48, "d_kv": 12, "d_ff": 72, "num_heads": 4}
    config = transformers.T5Config(
        num_layers=2,
        relative_attention_num_buckets=8,
        relative_attention_max_distance=most,
        **sizes,
    )
    module = transformers.T5EncoderModel(config).eval()
    randomise(module)
    forbid_caches(module)
    return module


@pytest.mark.parametrize("most", [7, 45])
def test_buckets_up_to_any_distance(most: int) -> None:
    """Sizes of the import show where the last bucket begins, for all others."""
    module = _make_t5(most)
    (ids,) = make_inputs(FAMILIES["t5-encoder"])
    dims = {0: torch.export.Dim("batch", min=1, max=64), 1: torch.export.Dim("seq", max=300)}
    compiled = parablock.from_torch(module, (ids,), {"input_ids": dims}).compile()
    longer = make_inputs(FAMILIES["t5-encoder"], batch=1, tokens=290)
    exact = run_exactly(module, longer).last_hidden_state
    assert get_distance(compiled(*longer).last_hidden_state, exact) < 1e-5


@torch.no_grad()
def test_buckets_whose_end_is_not_seen() -> None:
    """Two sizes do not show where they end: each call computes them."""
    (ids,) = make_inputs(FAMILIES["t5-encoder"])
    module = _make_t5(200)
    known = parablock.from_torch(module, (ids,))
    assert not known.list_left()
    compiled = parablock.from_torch(module, (ids,), {"input_ids": _dims()}).compile()
    for tokens in (7, 60):
        long = torch.randint(3, 90, (2, tokens))
        wanted = run_exactly(module, (long,)).last_hidden_state
        assert get_distance(compiled(long).last_hidden_state, wanted) < 1e-5


@pytest.fixture
def emitted() -> Iterator[mock.Mock]:
    """Calls that emit operations."""
    emit = FunctionBuilder.emit
    with mock.patch.object(FunctionBuilder, "emit", autospec=True, side_effect=emit) as calls:
        yield calls


def _list_constants(emitted: mock.Mock) -> list[tuple[int, ...]]:
    """Their shapes."""
    calls = [call.args for call in emitted.call_args_list]
    return [shape for _, op, _, shape, *_ in calls if op == "tosa.const"]


@pytest.mark.parametrize("repeats", [1, 2, 3])
def test_rows_that_are_alike_are_written_once(emitted: mock.Mock, repeats: int) -> None:
    """Of long sequences, the mask of each batch row is a gigabyte of text."""
    row = torch.arange(12, dtype=torch.float32).reshape(1, 1, 3, 4)
    value = Emitter(FunctionBuilder()).constant(row.repeat(repeats, 1, 1, 1))
    assert value.shape == (repeats, 1, 3, 4)
    assert _list_constants(emitted) == [(1, 1, 3, 4)]


def test_rows_that_differ_are_written(emitted: mock.Mock) -> None:
    emitter = Emitter(FunctionBuilder())
    rows = torch.arange(12, dtype=torch.float32).reshape(3, 4)
    for tensor in (rows, torch.cat([rows[:2]] * 2), torch.ones(3, 4)):
        assert emitter.constant(tensor).shape == tuple(tensor.shape)
    # The same everywhere is one number in any case.
    assert _list_constants(emitted) == [(3, 4), (2, 4), (3, 4)]
