# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile for target 'cuda', on a driver that runs kernels on the emulator."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
import torch
import transformers as hf
from compiled_generation import count, find_new_reasons
from generating import draw_prompt, make_llama
from oracle import check_near, run_exactly

import parablock
from parablock.backend.autocast import find_kind
from parablock.backend.placement import choose_target, read_options
from parablock.errors import Error


def _compile(module: Any, **options: Any) -> Any:
    torch.compiler.reset()
    return torch.compile(module, backend="parablock", **options)


def _make_layer() -> tuple[torch.nn.Module, torch.Tensor]:
    layer = torch.nn.TransformerEncoderLayer(32, 2, 48, batch_first=True, dropout=0.0).eval()
    return layer, torch.randn(2, 5, 32)


def test_a_module(fake_driver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    layer, x = _make_layer()
    before = parablock.stats()
    targets = []
    create = parablock.Model.compile

    def watch(self: Any, target: str, **options: Any) -> Any:
        targets.append(target)
        return create(self, target, **options)

    monkeypatch.setattr(parablock.Model, "compile", watch)
    compiled = _compile(layer, options={"target": "cuda"})
    with torch.no_grad():
        found = compiled(x)
        check_near(found, run_exactly(layer, (x,)))
        layer.linear1.weight.mul_(2)
        changed = compiled(x)
        check_near(changed, run_exactly(layer, (x,)))
    assert not torch.equal(found, changed) and set(targets) == {"cuda"}
    assert count(before, "compiled") >= 1 and not find_new_reasons(before)


def test_autocast(fake_driver: ctypes.CDLL) -> None:
    """Weights are packed in 16 bits; without autocast the same graph is another program."""
    module, ids = make_llama(num_hidden_layers=1, use_cache=False), torch.randint(3, 61, (2, 7))
    before, compiled = parablock.stats(), _compile(module, options={"target": "cuda"})
    exact = run_exactly(module, (ids,)).logits
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        found, own = compiled(ids).logits, module(ids).logits
        check_near(found, exact, own, torch.bfloat16)
    with torch.no_grad():
        wide = compiled(ids).logits
        check_near(wide, exact)
    assert (found.dtype, wide.dtype) == (torch.bfloat16, torch.float32)
    assert count(before, "compiled") == 2 and not find_new_reasons(before)
    def narrow(ids: torch.Tensor) -> Any:
        with torch.autocast("cpu", torch.bfloat16):
            return module(ids).logits

    with torch.no_grad():
        inside = _compile(narrow, options={"target": "cuda"})(ids)
    assert torch.equal(inside, found) and count(before, "compiled") == 3
    assert not find_new_reasons(before)
    # The same graph in f16, which is what autocast on a GPU has by default, is another one.
    with torch.no_grad(), torch.autocast("cpu", torch.float16):
        half, own = compiled(ids).logits, module(ids).logits
        check_near(half, exact, own, torch.float16)
    assert half.dtype == torch.float16 and (half.float() - found.float()).abs().max() > 1e-4
    assert count(before, "compiled") == 4 and not find_new_reasons(before)


def test_autocast_to_f16_of_steps(fake_driver: ctypes.CDLL) -> None:
    module, ids = make_llama(num_hidden_layers=1, use_cache=False), torch.randint(3, 61, (1, 7))
    before = parablock.stats()
    with torch.autocast("cpu", torch.float16):
        wanted = module(ids).logits
        assert torch.equal(_compile(module)(ids).logits, wanted)
    assert find_new_reasons(before) == "autocast: expected torch.bfloat16, got torch.float16"


def test_autocast_that_is_pytorchs(fake_driver: ctypes.CDLL) -> None:
    """A fused layer casts by itself, and a graph that is recognised in part is not split."""
    layer, x = _make_layer()
    module, ids = make_llama(num_hidden_layers=1, use_cache=False), torch.randint(3, 61, (1, 7))
    before = parablock.stats()
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        assert torch.equal(_compile(layer, options={"target": "cuda"})(x), layer(x))

        def run(ids: torch.Tensor) -> Any:
            return torch.cumprod(module(ids).logits, 1)

        assert torch.equal(_compile(run, options={"target": "cuda"})(ids), run(ids))
    reasons = find_new_reasons(before)
    assert "autocast: the type of '_transformer_encoder_layer_fwd' is unknown" in reasons
    assert "cumprod" in reasons and not count(before, "compiled")


def test_a_part_of_a_graph(fake_driver: ctypes.CDLL) -> None:
    """What is no block stays PyTorch's; the block runs on the device."""
    layer, x = _make_layer()

    def run(x: torch.Tensor) -> torch.Tensor:
        return torch.cumprod(layer(x), 1)

    before = parablock.stats()
    with torch.no_grad():
        found = _compile(run, options={"target": "cuda"})(x)
        torch.testing.assert_close(found, run(x), rtol=1e-4, atol=1e-4)
    assert count(before, "compiled") == 1 and "cumprod" in find_new_reasons(before)


def test_an_encoder_with_padding(fake_driver: ctypes.CDLL) -> None:
    """BERT's graph of two inputs, and its import, with rows of several lengths."""
    config = hf.BertConfig(
        vocab_size=61,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=48,
        max_position_embeddings=32,
    )
    module, before = hf.BertModel(config).eval(), parablock.stats()
    ids = torch.randint(3, 61, (2, 7))
    mask = torch.ones_like(ids)
    mask[1, 4:] = 0
    with torch.no_grad():
        wanted = module(ids, attention_mask=mask)
        found = _compile(module, options={"target": "cuda"})(ids, attention_mask=mask)
    model = parablock.from_torch(module, (ids,), example_kwargs={"attention_mask": mask})
    imported = model.compile("cuda")(ids, attention_mask=mask)
    own = mask.bool()
    for each in (found, imported):
        for name in ("last_hidden_state", "pooler_output"):
            place = own if name == "last_hidden_state" else ...
            torch.testing.assert_close(
                each[name][place], wanted[name][place], rtol=1e-4, atol=1e-4
            )
    assert count(before, "compiled") == 1 and not find_new_reasons(before)


def test_static_caches(fake_driver: ctypes.CDLL) -> None:
    """Buffers in the CPU's memory are copied, and new rows come back."""
    module = make_llama(num_hidden_layers=1, eos_token_id=None)
    prompt, before = draw_prompt((0, 2)), parablock.stats()
    wanted = module.generate(**prompt, max_new_tokens=3, do_sample=False)
    module.forward = _compile(module.forward, options={"target": "cuda"})
    found = module.generate(
        **prompt,
        max_new_tokens=3,
        do_sample=False,
        cache_implementation="static",
        disable_compile=True,
    )
    assert torch.equal(found, wanted)
    assert parablock.stats()["recognised"]["cache"] > before["recognised"].get("cache", 0)
    assert not find_new_reasons(before)


def test_wrong_options(monkeypatch: pytest.MonkeyPatch) -> None:
    layer, x = _make_layer()
    monkeypatch.setenv("PARABLOCK_CUDA_DRIVER", "none")
    for options, message in (
        ({"options": {"target": "cuda"}}, "no CUDA driver"),
        ({"options": {"target": "gpu"}}, "option 'target' requires 'cpu', 'cpu:PROCESSOR'"),
        ({"options": {"chip": "sm_90a"}}, "accepts options={'target': ..., 'mode': ...} alone, got chip"),
        ({"mode": "max-autotune"}, "accepts mode='reduce-overhead' alone, got 'max-autotune'"),
        ({"mode": "reduce-overhead"}, "requires target 'cuda', got 'cpu': omit mode=, or give"),
    ):
        with pytest.raises(Exception, match=message), torch.no_grad():
            _compile(layer, **options)(x)


def test_modes_of_tensors(fake_driver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module on a GPU has graphs of numbers and of the CPU's tensors, too, which fall back."""
    mode = {"mode": "reduce-overhead"}
    there, here = torch.ones(2, device="meta"), torch.ones(2)
    for args in ((), (3,), (torch.tensor(3),), (here, there)):
        assert read_options(mode, args) == (None, "reduce-overhead")
    with pytest.raises(Error, match="requires target 'cuda', got 'cpu': omit mode="):
        read_options(mode, (here,))
    with pytest.raises(Error, match="requires target 'cuda', got 'cpu:"):
        read_options({"options": {"target": "cpu:x86-64-v3", **mode}}, (there,))
    with monkeypatch.context() as patch:
        patch.setattr(torch.cuda, "is_available", lambda: True)
        assert read_options(mode, (here,)) == (None, "reduce-overhead")
    monkeypatch.setattr("parablock.backend.placement._is_of_cpu", lambda args: False)
    layer, x = _make_layer()
    before = parablock.stats()
    with torch.no_grad():
        assert torch.equal(_compile(layer, **mode)(x), layer(x))
    reason = "option 'mode' requires target 'cuda', got 'reduce-overhead' and 'cpu'"
    assert reason in find_new_reasons(before) and not count(before, "compiled")


def test_targets_of_tensors() -> None:
    """Tensors of a device that this machine lacks stand for those of one."""

    class OnDevice(torch.Tensor):
        place = torch.device("cuda:1")

        @property
        def device(self) -> torch.device:  # type: ignore[override]
            return self.place

    there = torch.ones(2).as_subclass(OnDevice)
    assert choose_target(None, [there, torch.tensor(3)]) == "cuda:1"
    assert choose_target("cuda:1", [there]) == "cuda:1"
    with pytest.raises(Error, match="another device than target 'cuda': cuda:1"):
        choose_target("cuda", [there])
    with pytest.raises(Error, match="tensors on several devices: cpu, cuda:1"):
        choose_target(None, [there, torch.ones(2)])
    with pytest.raises(Error, match="tensors on another device: meta"):
        choose_target(None, [torch.ones(2, device="meta")])
    assert find_kind([there]) == "cuda" and find_kind([torch.ones(2), 3]) == "cpu"
