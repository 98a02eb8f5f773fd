# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What failed calls on a device leave behind, and arrays that none may take."""

from __future__ import annotations

import contextlib
import copy
import ctypes
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers as hf
from generating import make_llama
from oracle import check_near, run_exactly

import parablock
from parablock.errors import Error


@contextlib.contextmanager
def _failing(driver: ctypes.CDLL, fault: str) -> Iterator[None]:
    assert driver.parablockFakeSetFault(fault.encode())
    try:
        yield
    finally:
        driver.parablockFakeSetFault(b"")


class _Shifted:
    """An array of another library, some bytes behind the one given."""

    def __init__(self, array: Any, count: int) -> None:
        self.owner, self.shape, self.nbytes = array, array.shape, array.nbytes
        self.__cuda_array_interface__ = {
            "typestr": "<f4",
            "shape": array.shape,
            "data": (array.pointer + count, False),
            "version": 3,
        }


def test_memory_that_a_failed_call_was_bound_to(
    fake_driver: ctypes.CDLL, tmp_path: Path
) -> None:
    """The next call writes its own pools, not those of the one that failed."""
    make_llama(num_hidden_layers=1).save_pretrained(tmp_path)
    decoder = parablock.from_pretrained(tmp_path).paged_decoder(2, "cuda")
    pools, others = decoder.allocate(4), decoder.allocate(4)
    decoder.run([[5, 7, 11]], pools, [[0, 1]], [0])
    wanted = decoder.run([[3]], pools, [[0, 1]], [3]).copy()
    wrong = [others[0], _Shifted(others[1], 4)]
    with pytest.raises(Error, match=r"'past_value.0': expected a device pointer"):
        decoder.run([[3]], wrong, [[0, 1]], [3])
    assert np.array_equal(decoder.run([[3]], pools, [[0, 1]], [3]), wanted)
    assert not any(pool.numpy().any() for pool in others)


def test_rings_that_a_failed_call_has_written(fake_driver: ctypes.CDLL) -> None:
    """Tokens that it has overwritten cannot be returned to."""
    config = hf.MistralConfig(
        vocab_size=61,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        intermediate_size=48,
        sliding_window=6,
        pad_token_id=0,
    )
    module = hf.MistralForCausalLM(config).eval()
    compiled = parablock.generation(module, target="cuda")
    ids = torch.randint(1, 61, (1, 140))
    cache = compiled.make_cache()
    compiled(ids[:, :80], past_key_values=cache, logits_to_keep=1)
    assert cache.caches.most_removed >= 20
    assert fake_driver.parablockFakeSetFault(b"")
    compiled(ids[:, 80:], past_key_values=copy.copy(cache), logits_to_keep=1)
    last = fake_driver.parablockFakeGetCount(1)
    with _failing(fake_driver, f"launch:{last}"), pytest.raises(Error, match="'sample_0'"):
        compiled(ids[:, 80:], past_key_values=cache, logits_to_keep=1)
    with pytest.raises(Error, match="crop: expected at most 5 tokens"):
        cache.crop(-20)
    cache.crop(-2)
    with torch.no_grad():
        found = compiled(ids[:, 78:82], past_key_values=cache).logits
        wanted = module(ids[:, :82]).logits[:, 78:]
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-4)


OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "reorder": lambda cache: cache.reorder_cache(torch.tensor([1, 0])),
    "select": lambda cache: cache.batch_select_indices(torch.tensor([1])),
    "repeat": lambda cache: cache.batch_repeat_interleave(2),
    "copy": copy.copy,
}


@pytest.fixture(scope="module")
def module() -> Any:
    return make_llama(num_hidden_layers=1, eos_token_id=None)


def _check_goes_on(module: Any, compiled: Any, cache: Any, ids: torch.Tensor) -> None:
    held = cache.caches.held
    with torch.no_grad():
        found = compiled(ids[:, held:], past_key_values=cache).logits
        wanted = module(ids).logits[:, held:]
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-4)


def test_caches_that_there_is_no_memory_for(fake_driver: ctypes.CDLL, module: Any) -> None:
    """They hold what they held, and go on when there is memory."""
    compiled = parablock.generation(module, target="cuda")
    ids = torch.randint(3, 97, (2, 70))
    for number in (1, 2):
        fault = f"allocation:{number}"
        cache = compiled.make_cache()
        for first, last in ((0, 60), (60, 70)):
            with _failing(fake_driver, fault), pytest.raises(Error, match="for the caches"):
                compiled(ids[:, first:last], past_key_values=cache)
            assert cache.caches.held == first
            _check_goes_on(module, compiled, cache, ids[:, :last])
        for operation in OPERATIONS.values():
            cache = compiled.make_cache()
            compiled(ids[:, :6], past_key_values=cache)
            with _failing(fake_driver, fault), pytest.raises(Error, match="for the caches"):
                operation(cache)
            _check_goes_on(module, compiled, cache, ids[:, :8])


def test_arrays_that_differ_from_their_memory(fake_driver: ctypes.CDLL) -> None:
    layer = torch.nn.TransformerEncoderLayer(32, 2, 48, batch_first=True, dropout=0.0).eval()
    x = torch.randn(1, 5, 32)
    compiled = parablock.from_torch(layer, (x,)).compile("cuda")
    check_near(compiled(torch._neg_view(x)), run_exactly(layer, (-x,)))

    class Elsewhere(torch.Tensor):
        @property
        def device(self) -> torch.device:  # type: ignore[override]
            return torch.device("cuda:1")

    masked = np.ma.masked_array(x.numpy(), mask=x.numpy() > 0)
    place = "expected memory of the CPU or of cuda:0, which the code is on, got"
    for wrong, message in (
        (x.to("meta"), f"{place} meta"),
        (x.as_subclass(Elsewhere), f"{place} cuda:1"),
        (x.to_sparse(), "expected a dense tensor, got torch.sparse_coo"),
        (torch.nested.nested_tensor([x[0]], layout=torch.jagged), "expected a dense tensor, got torch.jagged"),
        (masked, "expected an array without a mask, got a masked one"),
    ):
        with pytest.raises(Error, match=f"input 'src': {message}"):
            compiled(wrong)


@pytest.mark.parametrize("pages", [2**56 + 1, 2**62, 2**70])
def test_pools_of_more_bytes_than_a_number_has(fake_driver: ctypes.CDLL, tmp_path: Path, pages: int) -> None:
    """Their bytes are not counted modulo 2^64."""
    make_llama(num_hidden_layers=1).save_pretrained(tmp_path)
    decoder = parablock.from_pretrained(tmp_path).paged_decoder(2, "cuda")
    reason = "not enough device memory for the pools of option 'pages': requires [0-9]{19,} bytes"
    with pytest.raises(Error, match=reason):
        decoder.allocate(pages)


def test_pools_are_in_memory_once(fake_driver: ctypes.CDLL, tmp_path: Path) -> None:
    """A session has no memory of its own for what it is bound to."""
    fake_driver.parablockFakeGetUsed.restype = ctypes.c_uint64
    make_llama(num_hidden_layers=1).save_pretrained(tmp_path)
    decoder = parablock.from_pretrained(tmp_path).paged_decoder(2, "cuda")
    pools = decoder.allocate(40_000)
    before = fake_driver.parablockFakeGetUsed()
    decoder.run([[5, 7, 11]], pools, [[0, 1]], [0])
    added = fake_driver.parablockFakeGetUsed() - before
    assert added < min(pool.nbytes for pool in pools) / 10
    assert decoder.decoder.report()["session_bytes"] <= added
