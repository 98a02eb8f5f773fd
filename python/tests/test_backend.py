# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile(backend="parablock")."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch
import transformers

import parablock
from parablock.backend import graphs
from parablock.faults import VARIABLE, InternalErrorWarning
from parablock.frontend.table import RULES
from parablock.statistics import Statistics


class _Wrapped(torch.nn.Module):
    def __init__(self, norm_first: bool) -> None:
        super().__init__()
        self.layer = torch.nn.TransformerEncoderLayer(
            32, 4, 48, batch_first=True, norm_first=norm_first
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.layer(x)
        return result


def _compare(module: torch.nn.Module, x: torch.Tensor) -> None:
    expected = module(x)
    result = torch.compile(module, backend="parablock")(x)
    assert torch.allclose(result, expected, atol=1e-4)


@torch.no_grad()
def test_recognised_graphs_run_here() -> None:
    before = parablock.stats()
    for norm_first in (False, True):
        torch.compiler.reset()
        _compare(_Wrapped(norm_first).eval(), torch.randn(2, 7, 32))
    after = parablock.stats()
    assert after["compiled"] == before["compiled"] + 2
    assert after["recognised"]["attention"] >= 2
    assert after["fallbacks"] == before["fallbacks"]


@torch.no_grad()
def test_others_run_eagerly_and_are_counted() -> None:
    torch.compiler.reset()

    class Sorts(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.sort(x).values

    _compare(Sorts(), torch.randn(3, 4))
    assert any("aten.sort" in reason for reason in parablock.stats()["fallbacks"])


class _Between(torch.nn.Module):
    """Blocks, with something between them that is none."""

    def __init__(self) -> None:
        super().__init__()
        self.first = _Wrapped(False)
        self.second = _Wrapped(True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = self.first(x)
        result: torch.Tensor = self.second(hidden + torch.sort(hidden, -1).values)
        return result


@torch.no_grad()
def test_blocks_of_a_graph_run_here() -> None:
    torch.compiler.reset()
    before = parablock.stats()
    module, x = _Between().eval(), torch.randn(2, 7, 32)
    compiled = torch.compile(module, backend="parablock")
    assert torch.allclose(compiled(x), module(x), atol=1e-4)
    after = parablock.stats()
    assert after["compiled"] == before["compiled"] + 2
    assert after["recognised"]["attention"] == before["recognised"]["attention"] + 2
    assert after["eager_operations"] > before["eager_operations"]
    # Weights that change are packed again.
    module.first.layer.linear1.weight.add_(0.1)
    assert torch.allclose(compiled(x), module(x), atol=1e-4)


@torch.no_grad()
def test_breaks_are_counted() -> None:
    torch.compiler.reset()

    class Breaks(_Between):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            hidden = self.first(x)
            torch._dynamo.graph_break()
            result: torch.Tensor = self.second(hidden)
            return result

    before = parablock.stats()
    _compare(Breaks().eval(), torch.randn(2, 7, 32))
    after = parablock.stats()
    assert after["graphs"] == before["graphs"] + 2
    assert after["breaks"] > before["breaks"]


@torch.no_grad()
def test_training_mode_drops_without_gradients() -> None:
    torch.compiler.reset()
    before, x = parablock.stats(), torch.randn(2, 7, 32)
    compiled = torch.compile(_Wrapped(True).train(), backend="parablock")
    assert not torch.equal(compiled(x), compiled(x))
    after = parablock.stats()
    assert after["compiled"] == before["compiled"] + 1
    assert after["fallbacks"] == before["fallbacks"]


@pytest.mark.full
@torch.no_grad()
def test_weights_that_change_leave_nothing_behind() -> None:
    torch.compiler.reset()
    module, x = _Wrapped(True).eval(), torch.randn(2, 7, 32)
    made: list[Any] = []

    def keep(*arguments: Any) -> Any:
        made.append(graphs.compile_graph(*arguments))
        return made[-1]

    compiled = torch.compile(module, backend=keep)
    for _ in range(3):
        module.layer.linear1.weight.mul_(1.1)
        assert torch.allclose(compiled(x), module(x), atol=1e-4)
    assert len(made) == len(made[0].variants) == 1


@pytest.mark.full
@torch.no_grad()
def test_sizes_give_way_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.compiler.reset()
    monkeypatch.setattr(graphs, "_MOST_VARIANTS", 1)
    module = _Wrapped(True).eval()
    compiled = torch.compile(module, backend="parablock", dynamic=True)
    before = parablock.stats()
    for tokens in (5, 7, 5):
        x = torch.randn(2, tokens, 32)
        assert torch.allclose(compiled(x), module(x), atol=1e-4)
    after = parablock.stats()
    assert after["dropped"] == before["dropped"] + 2
    assert after["graphs"] == before["graphs"] + 1


@torch.no_grad()
def test_what_changes_in_place_changes() -> None:
    torch.compiler.reset()

    class Changes(_Wrapped):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            x.mul_(2)
            result: torch.Tensor = self.layer(x)
            return result

    module, x = Changes(True).eval(), torch.randn(2, 7, 32)
    own, other = x.clone(), x.clone()
    expected = module(own)
    result = torch.compile(module, backend="parablock")(other)
    assert torch.allclose(result, expected, atol=1e-4)
    assert torch.equal(own, other)


@pytest.mark.parametrize("splits", [False, True])
@torch.no_grad()
def test_results_that_are_constants_may_be_changed(splits: bool) -> None:
    """A call's results are its own, also those that no input decides, and views of them."""
    torch.compiler.reset()

    class Returns(_Wrapped):
        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
            zeros, numbers = torch.zeros_like(x), torch.arange(4)
            result = self.layer(x)
            if splits:
                result = torch.special.bessel_j0(result)
            return result, zeros, zeros[1:], numbers.view(2, 2)

    module, x = Returns(True).eval(), torch.randn(2, 7, 32)
    compiled, before = torch.compile(module, backend="parablock"), parablock.stats()["compiled"]
    expected = module(x)
    for _ in range(3):
        results = compiled(x)
        for found, wanted in zip(results, expected, strict=True):
            torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-4)
        _, zeros, part, numbers = results
        zeros.add_(1)
        numbers.add_(1)
        assert torch.equal(part, zeros[1:])
    assert parablock.stats()["compiled"] == before + 1


def test_options_are_refused() -> None:
    torch.compiler.reset()
    compiled = torch.compile(_Wrapped(True), backend="parablock", options={"a": 1})
    options = r"options={'target': \.\.\., 'mode': \.\.\.} alone, got a"
    with pytest.raises(Exception, match=f"accepts {options}"):
        compiled(torch.randn(2, 7, 32))


def _fail(*ignored: object, **options: object) -> None:
    raise KeyError("this")


@torch.no_grad()
def test_internal_errors_warn(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.compiler.reset()
    monkeypatch.setattr(graphs, "read_program", _fail)
    monkeypatch.setattr(graphs, "SplitGraph", _fail)
    monkeypatch.delenv(VARIABLE)
    with pytest.warns(InternalErrorWarning, match="internal error: KeyError: 'this'"):
        _compare(_Wrapped(True).eval(), torch.randn(2, 7, 32))
    assert "internal error: KeyError: 'this'" in parablock.stats()["fallbacks"]


@torch.no_grad()
def test_internal_errors_fail_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.compiler.reset()
    monkeypatch.setattr(graphs, "read_program", _fail)
    with pytest.raises(KeyError, match="this"):
        _compare(_Wrapped(True).eval(), torch.randn(2, 7, 32))


@torch.no_grad()
def test_errors_of_rules_warn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule's own error leaves its operation to PyTorch, and is no ordinary reason."""
    torch.compiler.reset()
    monkeypatch.setitem(RULES, "aten.cos.default", _fail)
    module, x = _Between().eval(), torch.randn(2, 7, 32)
    compiled = torch.compile(lambda x: module(x.cos()), backend="parablock")
    with pytest.raises(KeyError, match="this"):
        compiled(x)
    torch.compiler.reset()
    monkeypatch.delenv(VARIABLE)
    with pytest.warns(InternalErrorWarning, match=r"internal error.*aten\.cos"):
        assert torch.allclose(compiled(x), module(x.cos()), atol=1e-4)


class _Loss(torch.nn.Module):
    """Blocks whose result is reshaped for what is none."""

    def __init__(self) -> None:
        super().__init__()
        self.first = _Wrapped(True)

    def forward(self, x: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        rows = self.first(x).view(-1, 32)
        return torch.nn.functional.cross_entropy(rows, target.view(-1))


@torch.no_grad()
def test_losses_after_blocks() -> None:
    torch.compiler.reset()
    before = parablock.stats()
    module, x = _Loss().eval(), torch.randn(2, 7, 32)
    target = torch.randint(0, 32, (2, 7))
    result = torch.compile(module, backend="parablock")(x, target)
    assert torch.allclose(result, module(x, target), atol=1e-4)
    after = parablock.stats()
    assert after["recognised"]["attention"] == before["recognised"]["attention"] + 1


class _Moved(_Wrapped):
    offset = 0.75

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.layer(x + self.offset)
        return result


@pytest.mark.full
@torch.no_grad()
def test_numbers_that_are_dynamic() -> None:
    torch.compiler.reset()
    before = parablock.stats()
    module, x = _Moved(True).eval(), torch.randn(2, 7, 32)
    compiled = torch.compile(module, backend="parablock", dynamic=True)
    for offset in (0.75, 1.25):
        module.offset = offset
        assert torch.allclose(compiled(x), module(x), atol=1e-4)
    assert parablock.stats()["compiled"] == before["compiled"] + 2


@torch.no_grad()
def test_autocast_is_named() -> None:
    torch.compiler.reset()
    module, x = _Wrapped(True).eval(), torch.randn(2, 7, 32)
    with torch.autocast("cpu", torch.bfloat16):
        expected = module(x)
        result = torch.compile(module, backend="parablock")(x)
    assert torch.equal(result, expected)
    assert any("autocast" in reason for reason in parablock.stats()["fallbacks"])


@pytest.mark.full
@torch.no_grad()
def test_models_in_threads() -> None:
    torch.compiler.reset()
    modules = [_Wrapped(norm_first).eval() for norm_first in (False, True)]
    x = torch.randn(2, 7, 32)
    expected = [module(x) for module in modules]
    compiled = [torch.compile(module, backend="parablock") for module in modules]
    with ThreadPoolExecutor() as pool:
        results = list(pool.map(torch.no_grad()(lambda f: f(x)), compiled * 2))
    for result, wanted in zip(results, expected * 2, strict=True):
        assert torch.allclose(result, wanted, atol=1e-4)


class _Bounded(torch.nn.Module):
    """Blocks beside a size that data decide."""

    def __init__(self) -> None:
        super().__init__()
        self.first = _Wrapped(True)

    def forward(self, x: torch.Tensor, keeps: torch.Tensor) -> torch.Tensor:
        hidden = self.first(x)
        rows = keeps.nonzero()[:, 0]
        return hidden + torch.zeros(rows.shape[0], 1).sum()


@torch.no_grad()
def test_sizes_that_data_decide_are_left() -> None:
    torch.compiler.reset()
    before = parablock.stats()["fallbacks"]
    torch._dynamo.config.capture_dynamic_output_shape_ops = True
    try:
        module, x = _Bounded().eval(), torch.randn(2, 7, 32)
        keeps = torch.tensor([True, False, True])
        result = torch.compile(module, backend="parablock")(x, keeps)
        assert torch.allclose(result, module(x, keeps), atol=1e-4)
    finally:
        torch._dynamo.config.capture_dynamic_output_shape_ops = False
    new = parablock.stats()["fallbacks"].keys() - before.keys()
    assert not any("internal" in reason for reason in new)


@torch.no_grad()
def test_inputs_without_elements_run_eagerly() -> None:
    torch.compiler.reset()
    x = torch.randn(0, 7, 32)
    assert torch.compile(_Wrapped(True).eval(), backend="parablock")(x).shape == x.shape


@torch.no_grad()
def test_masks_of_padding_run_here() -> None:
    torch.compiler.reset()
    config = transformers.BertConfig(
        vocab_size=97,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=4,
        intermediate_size=48,
    )
    module, ids = transformers.BertModel(config).eval(), torch.randint(5, 97, (2, 9))
    compiled = torch.compile(module, backend="parablock")
    before = parablock.stats()
    for length in (9, 6):
        mask = (torch.arange(9) < length).long().expand(2, 9)
        result = compiled(ids, attention_mask=mask).last_hidden_state
        expected = module(ids, attention_mask=mask).last_hidden_state
        assert torch.allclose(result, expected, atol=1e-5)
    after = parablock.stats()
    assert after["compiled"] == before["compiled"] + 1
    assert after["eager_operations"] == before["eager_operations"]


@torch.no_grad()
def test_nothing_compiled_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.compiler.reset()
    monkeypatch.setattr(graphs, "STATISTICS", Statistics())
    monkeypatch.setattr(graphs._Graph, "has_warned", False)
    compiled = torch.compile(lambda x: torch.sort(x).values, backend="parablock")
    with pytest.warns(UserWarning, match=r"compiled nothing.*aten\.sort"):
        compiled(torch.randn(3, 4))
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        compiled(torch.randn(3, 4))


@torch.no_grad()
def test_tokens_that_are_read_in_another_order() -> None:
    """CANINE's convolution has them last; the attention behind it is wide as it is."""
    torch.compiler.reset()
    config = transformers.CanineConfig(
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=4,
        intermediate_size=48,
        max_position_embeddings=64,
        num_hash_functions=4,
        num_hash_buckets=64,
        local_transformer_stride=16,
    )
    module, ids = transformers.CanineModel(config).eval(), torch.arange(5, 21)[None]
    before = parablock.stats()["fallbacks"]
    result = torch.compile(module, backend="parablock")(ids).last_hidden_state
    assert torch.allclose(result, module(ids).last_hidden_state, atol=1e-4)
    new = parablock.stats()["fallbacks"].keys() - before.keys()
    assert not any("'block." in reason or "internal" in reason for reason in new)


class _OfEmbeddings(torch.nn.Module):
    """A decoder that keeps keys and values, and takes no tokens."""

    def __init__(self, sorts: bool) -> None:
        super().__init__()
        self.sorts = sorts
        config = transformers.LlamaConfig(
            vocab_size=97,
            hidden_size=32,
            num_hidden_layers=1,
            num_attention_heads=4,
            num_key_value_heads=2,
            intermediate_size=48,
        )
        self.decoder = transformers.LlamaModel(config)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.decoder(inputs_embeds=x, use_cache=True).last_hidden_state
        return torch.sort(result).values if self.sorts else result


@pytest.mark.parametrize("sorts", [False, True])
@torch.no_grad()
def test_only_what_is_left_to_pytorch_is_a_fallback(sorts: bool) -> None:
    """A graph that looks like a cache and runs here as a whole is none."""
    torch.compiler.reset()
    module, x = _OfEmbeddings(sorts).eval(), torch.randn(2, 7, 32)
    before = parablock.stats()
    result = torch.compile(module, backend="parablock")(x)
    assert torch.allclose(result, module(x), atol=1e-4)
    after = parablock.stats()
    eager = after["eager_operations"] - before["eager_operations"]
    new = [r for r, count in after["fallbacks"].items() if count > before["fallbacks"].get(r, 0)]
    assert after["compiled"] > before["compiled"]
    assert bool(eager) == sorts
    if sorts:
        assert any("expected one input of tokens" in reason for reason in new), new
        assert any("aten.sort" in reason for reason in new), new
    else:
        assert not new


@torch.no_grad()
def test_faults_of_caches_are_counted_though_the_graph_runs_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    torch.compiler.reset()
    monkeypatch.setattr(graphs, "compile_cached", _fail)
    monkeypatch.delenv(VARIABLE)
    before = parablock.stats()["fallbacks"].get("internal error: KeyError: 'this'", 0)
    with pytest.warns(InternalErrorWarning):
        torch.compile(_OfEmbeddings(False).eval(), backend="parablock")(torch.randn(2, 7, 32))
    assert parablock.stats()["fallbacks"]["internal error: KeyError: 'this'"] == before + 1
