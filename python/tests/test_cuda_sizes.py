# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Open sizes on target 'cuda': one program for all calls, on a driver that emulates kernels."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import pytest
import torch
import transformers as hf
from compiled_generation import count, find_new_reasons
from fake_cuda import FakeCuda, bring_back
from oracle import check_near, run_exactly

import parablock
from parablock.device_code import compile_package


@pytest.fixture
def compilations(fake_driver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The chips of programs that are compiled for the device meanwhile."""
    chips: list[str] = []

    def watch(module: Any, chip: str, *options: Any) -> Any:
        chips.append(chip)
        return compile_package(module, chip, *options)

    monkeypatch.setattr("parablock.device_program.compile_package", watch)
    return chips


def _compile(module: Any) -> Any:
    torch.compiler.reset()
    return torch.compile(module, backend="parablock", dynamic=True, options={"target": "cuda"})


class _Layer(torch.nn.Module):
    """A layer that returns its result, views of it and of its input."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.TransformerEncoderLayer(32, 2, 48, batch_first=True, dropout=0.0)

    def forward(self, x: torch.Tensor) -> Any:
        result = self.layer(x)
        return result, result.transpose(0, 1), result.flatten(0, 1), x[:, 1:]


def test_a_graph_is_one_program(compilations: list[str]) -> None:
    module, before = _Layer().eval(), parablock.stats()
    compiled = _compile(module)
    with torch.no_grad():
        for sizes in ((2, 6), (3, 17), (5, 6), (3, 17)):
            x = torch.randn(*sizes, 32)
            found, wanted = compiled(x), module(x)
            check_near(found[0], run_exactly(module, (x,))[0])
            assert [each.stride() for each in found] == [each.stride() for each in wanted]
            assert torch.equal(found[1], found[0].transpose(0, 1))
            assert torch.equal(found[2], found[0].flatten(0, 1))
            assert found[1].data_ptr() == found[2].data_ptr() == found[0].data_ptr()
            assert found[3].data_ptr() == x[:, 1:].data_ptr()
        assert len(compilations) == count(before, "compiled") == 1
        module.layer.linear1.weight.mul_(2)
        for sizes in ((2, 6), (4, 9), (3, 5)):
            x = torch.randn(*sizes, 32)
            check_near(compiled(x)[0], run_exactly(module, (x,))[0])
    assert len(compilations) == 2 and not find_new_reasons(before)


def test_sizes_that_two_inputs_have(compilations: list[str]) -> None:
    """A mask has rows and tokens of its own, which nothing compares with those of the ids."""
    config = hf.BertConfig(
        vocab_size=61,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=48,
    )
    module, before = hf.BertModel(config).eval(), parablock.stats()
    compiled = _compile(module)
    for rows, tokens in ((2, 6), (3, 13)):
        ids = torch.randint(3, 61, (rows, tokens))
        mask = torch.ones_like(ids)
        mask[1, 4:] = 0
        with torch.no_grad():
            wanted = module(ids, attention_mask=mask).last_hidden_state
            found = compiled(ids, attention_mask=mask).last_hidden_state
        torch.testing.assert_close(found[mask.bool()], wanted[mask.bool()], rtol=1e-4, atol=1e-4)
    assert len(compilations) == count(before, "compiled") == 1 and not find_new_reasons(before)


class _Chunked(_Layer):
    """A mask without a proof for all sizes, which each call computes."""

    def forward(self, x: torch.Tensor) -> Any:
        chunks = torch.arange(x.shape[1]) // 200
        return self.layer(x, src_mask=chunks[:, None] != chunks)


class _Switched(_Layer):
    """What has no rule: PyTorch runs it, for the sizes of each call."""

    def forward(self, x: torch.Tensor) -> Any:
        return torch.cumprod(self.layer(x), 1)


@pytest.mark.parametrize(("made", "programs"), [(_Chunked, 1), (_Switched, 2)])
def test_what_sizes_decide(compilations: list[str], made: type[_Layer], programs: int) -> None:
    module, before = made().eval(), parablock.stats()
    compiled = _compile(module)
    with torch.no_grad():
        for sizes in ((2, 6), (3, 9)):
            x = torch.randn(*sizes, 32)
            torch.testing.assert_close(compiled(x), module(x), rtol=1e-4, atol=1e-4)
    assert len(compilations) == count(before, "compiled") == programs
    assert ("cumprod" in find_new_reasons(before)) == (made is _Switched)


def test_what_calls_compute_is_on_the_device(
    compilations: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """PyTorch may compute tables of sizes on the CPU, whatever device other inputs are on."""
    module, device = _Chunked().eval(), FakeCuda(monkeypatch)
    dims = {1: torch.export.Dim("seq", max=999)}
    model = parablock.from_torch(module, (torch.randn(2, 5, 32),), (dims,))
    compiled, x = model.optimize().compile("cuda"), torch.randn(2, 7, 32)
    with device:
        found = bring_back(compiled(device.place(x)))
    check_near(found, run_exactly(module, (x,)))


def test_an_import_is_one_program(compilations: list[str]) -> None:
    module = _Layer().layer.eval()
    dims = {0: torch.export.Dim("batch", max=9), 1: torch.export.Dim("seq", max=99)}
    model = parablock.from_torch(module, (torch.randn(2, 5, 32),), (dims,))
    compiled = model.optimize().compile("cuda")
    for sizes in ((1, 5), (2, 17), (4, 9)):
        x = torch.randn(*sizes, 32)
        check_near(compiled(x), run_exactly(module, (x,)))
    assert len(compilations) == 1
    with pytest.raises(parablock.Error, match="at most 99 for seq, got 100"):
        compiled(torch.randn(1, 100, 32))
