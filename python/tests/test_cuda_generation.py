# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generation for target 'cuda', on a driver that runs kernels on the emulator."""

from __future__ import annotations

import copy
import gc
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers as hf
from build_tree import DRIVER
from fake_cuda import FakeCuda, bring_back
from generating import assert_close, draw_prompt, get_exact_logits, make_llama

import parablock
from parablock.__main__ import main
from parablock.decoding.page_tables import PagedDecoder
from parablock.device_memory import DeviceArray, OpenDevice
from parablock.errors import Error

NEW = 5
ROWS = [[7, 11, 13, 17, 19], [23, 29], [31, 37, 41, 43]]


@pytest.fixture(scope="module", autouse=True)
def _driver() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PARABLOCK_CUDA_DRIVER", str(DRIVER))
        yield


@pytest.fixture(scope="module")
def module() -> Any:
    return make_llama(num_hidden_layers=1, num_key_value_heads=1, eos_token_id=None)


@pytest.fixture(scope="module")
def compiled(module: Any) -> Any:
    return parablock.generation(module, target="cuda")


@pytest.fixture(scope="module")
def paged(module: Any) -> Any:
    return parablock.generation(module, target="cuda", page_rows=4, pool_pages=40)


def generate(model: Any, prompt: Any, **options: Any) -> Any:
    return model.generate(**prompt, max_new_tokens=NEW, do_sample=False, **options)


def test_rows_with_padding(module: Any, compiled: Any) -> None:
    prompt = draw_prompt()
    found = generate(compiled, prompt, output_logits=True, return_dict_in_generate=True)
    assert torch.equal(found.sequences, generate(module, prompt))
    mask = torch.nn.functional.pad(prompt["attention_mask"], (0, NEW), value=1)
    exact = get_exact_logits(module, found.sequences, mask)[:, 8:-1]
    assert_close(torch.stack(found.logits, 1), exact, torch.ones(exact.shape[:2]))
    assert compiled.device == torch.device("cpu")
    assert "compiled for cuda" in repr(compiled)


WAYS = {
    "beams": {"num_beams": 3},
    "taken back": {"prompt_lookup_num_tokens": 3},
    "prompts in parts": {"prefill_chunk_size": 4},
}


@pytest.mark.parametrize("way", WAYS)
def test_ways_to_generate(module: Any, compiled: Any, way: str) -> None:
    padding = (0,) if way == "taken back" else (0, 4, 1)
    prompt = draw_prompt(padding)
    assert torch.equal(
        generate(compiled, prompt, **WAYS[way]), generate(module, prompt, **WAYS[way])
    )


@pytest.mark.parametrize("way", ["beams", "taken back"])
def test_ways_to_generate_in_pages(module: Any, paged: Any, way: str) -> None:
    prompt = draw_prompt((0,) if way == "taken back" else (0, 4, 1))
    assert torch.equal(
        generate(paged, prompt, **WAYS[way]), generate(module, prompt, **WAYS[way])
    )


@pytest.mark.parametrize("kind", ["compiled", "paged"])
def test_operations_on_caches(
    module: Any, kind: str, request: pytest.FixtureRequest
) -> None:
    """A cache is continued, copied, reordered, repeated, selected and cropped."""
    model = request.getfixturevalue(kind)
    ids = draw_prompt((0, 0))["input_ids"]
    cache = model.make_cache()
    model(ids[:, :6], past_key_values=cache)
    assert all(isinstance(array, DeviceArray) for array in cache.caches.arrays)
    other = copy.copy(cache)
    other.reorder_cache(torch.tensor([1, 0]))
    other.batch_repeat_interleave(2)
    other.crop(-2)
    other.batch_select_indices(torch.tensor([0, 3]))
    # Rows 1 and 0 of the prompt, 4 tokens of each.
    turned = ids[[1, 0]]
    with torch.no_grad():
        found = model(turned[:, 4:], past_key_values=other).logits
        torch.testing.assert_close(found, module(turned).logits[:, 4:], rtol=1e-4, atol=1e-4)
        rest = model(ids[:, 6:], past_key_values=cache).logits
        torch.testing.assert_close(rest, module(ids).logits[:, 6:], rtol=1e-4, atol=1e-4)


def test_caches_grow(module: Any, compiled: Any) -> None:
    """Beyond their first rows, with what they held."""
    prompt = {"input_ids": draw_prompt((0,))["input_ids"].repeat(1, 7)}
    cache = compiled.make_cache()
    with torch.no_grad():
        first = compiled(prompt["input_ids"], past_key_values=cache)
        more = draw_prompt((0,), 5)["input_ids"]
        found = compiled(more, past_key_values=first.past_key_values).logits
        whole = module(torch.cat([prompt["input_ids"], more], 1)).logits[:, -5:]
    assert cache.caches.capacity > 64
    torch.testing.assert_close(found, whole, rtol=1e-4, atol=1e-4)


def test_weights_that_changed(module: Any) -> None:
    own = copy.deepcopy(module)
    compiled = parablock.generation(own, target="cuda")
    prompt = draw_prompt((0,))
    before = generate(compiled, prompt)
    with torch.no_grad():
        own.lm_head.weight.neg_()
    assert torch.equal(generate(compiled, prompt), generate(own, prompt))
    assert not torch.equal(generate(compiled, prompt), before)


def test_windows_are_rings() -> None:
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
    prompt = draw_prompt((0, 3), tokens=60)
    prompt["input_ids"] %= 61
    found = generate(compiled, prompt, num_beams=2)
    assert torch.equal(found, generate(module, prompt, num_beams=2))


def _make_t5() -> Any:
    config = hf.T5Config(
        vocab_size=61,
        d_model=32,
        d_kv=16,
        d_ff=48,
        num_layers=1,
        num_heads=2,
        decoder_start_token_id=0,
    )
    return hf.T5ForConditionalGeneration(config).eval()


def _make_bart() -> Any:
    config = hf.BartConfig(
        vocab_size=61,
        d_model=32,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=48,
        decoder_ffn_dim=48,
        max_position_embeddings=64,
        decoder_start_token_id=2,
        forced_eos_token_id=None,
    )
    return hf.BartForConditionalGeneration(config).eval()


@pytest.mark.parametrize("make", [_make_t5, _make_bart])
def test_encoders_and_decoders(make: Callable[[], Any]) -> None:
    module = make()
    compiled = parablock.generation(module, target="cuda")
    ids = torch.randint(3, 61, (2, 7))
    mask = torch.ones_like(ids)
    mask[1, 4:] = 0
    prompt = {"input_ids": ids, "attention_mask": mask}
    for options in ({}, {"num_beams": 3}):
        found = generate(compiled, prompt, **options)
        assert torch.equal(found, generate(module, prompt, **options))


class _Lent:
    """What another library's array says of the same memory."""

    def __init__(self, pool: DeviceArray) -> None:
        self.owner = pool
        self.__cuda_array_interface__ = {
            "shape": pool.shape,
            "typestr": "<f4",
            "data": (pool.pointer, False),
            "version": 3,
            "stream": None,
        }


def test_tables_of_a_server(module: Any, tmp_path: Any) -> None:
    module.save_pretrained(tmp_path)
    model = parablock.from_pretrained(tmp_path)
    ids, tables = [[5, 7, 11], [2, 3, 4]], [[3, 0], [1, 2]]
    found, first_on_device = [], np.zeros(0)
    for target in ("cuda", "cpu"):
        decoder: PagedDecoder = model.paged_decoder(2, target)
        pools = decoder.allocate(pages=4)
        assert isinstance(pools[0], DeviceArray) == (target == "cuda")
        first = decoder.run(ids, pools, tables, [0, 0])
        first_on_device = first if target == "cuda" else first_on_device
        second = decoder.run([[1], [2]], pools, tables, [3, 3])
        found.append(np.concatenate([first, second], 1))
        with pytest.raises(Error, match=r"pools: expected (f32|float32) \[4, 2, 8\]"):
            decoder.run(ids, decoder.allocate(pages=4)[:1] + decoder.allocate(5)[1:], tables, [0, 0])
        with pytest.raises(Error, match="pools: expected memory of its own for each"):
            decoder.run(ids, [pools[0]] * 2, tables, [0, 0])
    np.testing.assert_allclose(*found, rtol=1e-4, atol=1e-4)
    decoder = model.paged_decoder(2, "cuda")
    pools = decoder.allocate(pages=4)
    lent: list[Any] = [_Lent(pool) for pool in pools]
    np.testing.assert_array_equal(decoder.run(ids, lent, tables, [0, 0]), first_on_device)
    lent[1].__cuda_array_interface__["stream"] = 2
    with pytest.raises(Error, match="whose content is there, got a _Lent in the order of stream 2"):
        decoder.run(ids, lent, tables, [0, 0])
    lent[1].__cuda_array_interface__ |= {"stream": None, "mask": lent[0]}
    with pytest.raises(Error, match="expected an array without a mask"):
        decoder.run(ids, lent, tables, [0, 0])
    lent[1] = _Lent(pools[0])
    with pytest.raises(Error, match="pools: expected memory of its own for each"):
        decoder.run(ids, lent, tables, [0, 0])
    wrong = [np.zeros((4, 2, 8), np.float32)] * 2
    with pytest.raises(Error, match="pools: expected memory of the device for key.0"):
        decoder.run(ids, wrong, tables, [0, 0])


def test_tables_on_the_device(
    module: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables, lengths and ids of a server that has them there, of 32 bits as well."""
    module.save_pretrained(tmp_path)
    decoder = parablock.from_pretrained(tmp_path).paged_decoder(2, "cuda")
    ids, tables, lengths = ([[5, 7], [2, 3]], [[3, 0], [1, 2]], [0, 0])
    wanted = decoder.run(ids, decoder.allocate(4), tables, lengths)
    pools = decoder.allocate(4)
    with FakeCuda(monkeypatch) as cuda:
        placed = [cuda.place(torch.tensor(each, dtype=torch.int32)) for each in (ids, tables, lengths)]
        found = decoder.run(placed[0], pools, placed[1], placed[2], starts=cuda.place(torch.zeros(2).long()))
        assert np.array_equal(bring_back(found).numpy(), wanted)
        # Logits are where the ids are.
        found = decoder.run(ids, pools, placed[1], placed[2])
        assert isinstance(found, np.ndarray) and np.array_equal(found, wanted)
        wrong = cuda.place(torch.tensor([[3, 0], [4, 2]]))
        with pytest.raises(Error, match="pages.*4"):
            decoder.run(placed[0], pools, wrong, placed[2])
        with pytest.raises(Error, match="tables: expected 2 rows, as many as ids, got 1"):
            decoder.run(placed[0], pools, wrong[:1], placed[2])
        message = "lengths: expected int32 or int64 of 1 dimensions, got float32"
        with pytest.raises(Error, match=message):
            decoder.run(placed[0], pools, placed[1], cuda.place(torch.zeros(2)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint whose rows end at token 2."""
    path = tmp_path_factory.mktemp("cuda") / "llama"
    make_llama(num_hidden_layers=1).save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def generators(folder: Path) -> tuple[Any, Any]:
    """On the device, and on the CPU."""
    model = parablock.from_pretrained(folder)
    return model.generator(target="cuda"), model.generator()


REQUESTS: dict[str, dict[str, Any]] = {
    "greedy": {},
    "drawn": {"temperature": 0.9, "top_k": 20, "top_p": 0.9, "seed": 7},
    "repeated": {"repetition_penalty": 1.8, "stop": ()},
}


@pytest.mark.parametrize("name", REQUESTS)
def test_tokens_are_those_of_the_cpu(generators: tuple[Any, Any], name: str) -> None:
    options = REQUESTS[name]
    on_device, on_host = (each.generate(ROWS, 8, **options) for each in generators)
    assert np.array_equal(on_device, on_host)


def test_rows_that_end(generators: tuple[Any, Any]) -> None:
    plain = generators[1].generate(ROWS, 8, stop=())
    stops = [int(plain[row, 6 + row]) for row in range(3)]
    on_device, on_host = (each.generate(ROWS, 8, stop=stops) for each in generators)
    assert np.array_equal(on_device, on_host) and on_host.shape[1] <= 5 + 4
    assert not np.array_equal(on_host, plain[:, : on_host.shape[1]])


def test_a_stream_ends_generation(generators: tuple[Any, Any]) -> None:
    steps: list[list[int]] = []

    def take(tokens: np.ndarray) -> bool:
        steps.append(tokens.tolist())
        return len(steps) == 3

    found = generators[0].generate(ROWS, 8, stop=(), stream=take)
    assert found.shape == (3, 5 + 3) and found[:, 5:].T.tolist() == steps


def test_streams_that_fail(generators: tuple[Any, Any]) -> None:
    """An exception ends generation, and the next one begins anew."""
    generator, wanted = generators[0], generators[1].generate(ROWS, 3, stop=())

    def fail(_: np.ndarray) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generator.generate(ROWS, 8, stop=(), stream=fail)

    def refresh(_: np.ndarray) -> None:
        generator.decoder.refresh()

    with pytest.raises(Error, match="refresh: expected weights that stay while a generation"):
        generator.generate(ROWS, 8, stop=(), stream=refresh)
    generator.decoder.refresh()
    assert np.array_equal(generator.generate(ROWS, 3, stop=()), wanted)


def test_pages_of_a_generator(folder: Path, generators: tuple[Any, Any]) -> None:
    model = parablock.from_pretrained(folder)
    paged = model.generator(target="cuda", page_rows=3, pool_pages=13)
    found = paged.generate(ROWS, 8, stop=())
    assert np.array_equal(found, generators[1].generate(ROWS, 8, stop=()))
    with pytest.raises(Error, match="pool_pages: expected room for"):
        paged.generate(ROWS, 30, stop=())
    assert np.array_equal(paged.generate(ROWS, 8, stop=()), found)


def test_shared_beginnings(folder: Path, generators: tuple[Any, Any]) -> None:
    model = parablock.from_pretrained(folder)
    system = [*range(5, 14)]
    rows = [[*system, 7], [*system, 9, 8, 3], [*system, 9, 2]]
    # Two shared pages; each row by itself would have three.
    paged = model.generator(target="cuda", page_rows=4, pool_pages=8)
    for options in ({}, {"temperature": 0.9, "seed": 3, "repetition_penalty": 1.2}):
        wanted = generators[1].generate(rows, 5, stop=(), **options)
        assert np.array_equal(paged.generate(rows, 5, stop=(), **options), wanted)
    # Two groups, of one page each for two rows, and three pages of each row.
    rows = [[3, *system], [*system, 8], [3, *system[:8], 9], [*system, 2]]
    paged = model.generator(target="cuda", page_rows=4, pool_pages=12)
    for options in ({}, {"temperature": 0.9, "seed": 3, "repetition_penalty": 1.2}):
        wanted = generators[1].generate(rows, 3, stop=(), **options)
        assert np.array_equal(paged.generate(rows, 3, stop=(), **options), wanted)
    with pytest.raises(Error, match="pool_pages: expected room for"):
        model.generator(target="cuda", page_rows=4, pool_pages=7).generate(rows, 3, stop=())


def test_wrong_requests(generators: tuple[Any, Any]) -> None:
    generator = generators[0]
    with pytest.raises(Error, match="ids: expected tokens below 97, got 97 in row 1"):
        generator.generate([[1], [97]], 2)
    with pytest.raises(Error, match="temperature"):
        generator.generate([[1, 2]], 2, temperature=-1.0)
    assert generator.generate([[1, 2]], 2).shape[0] == 1


def test_learned_positions_end(tmp_path: Path) -> None:
    config = hf.GPT2Config(n_layer=1, n_embd=32, n_head=2, vocab_size=61, n_positions=16)
    hf.GPT2LMHeadModel(config).save_pretrained(tmp_path)
    model = parablock.from_pretrained(tmp_path)
    generator = model.generator(target="cuda")
    with pytest.raises(Error, match="expected at most 16 tokens, .* positions for, got 17"):
        generator.generate([[1, 2, 3]], 15)
    found = generator.generate([[1, 2, 3], [4]], 14, stop=())
    assert np.array_equal(found, model.generator().generate([[1, 2, 3], [4]], 14, stop=()))


def test_without_pytorch(folder: Path) -> None:
    text = (
        "import sys\n"
        "sys.modules['torch'] = None\n"
        "import parablock\n"
        "generator = parablock.from_pretrained(sys.argv[1]).generator(target='cuda')\n"
        "print(generator.generate([[5, 7, 11]], 4, stop=()).tolist())\n"
    )
    command = [sys.executable, "-c", text, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    wanted = parablock.from_pretrained(folder).generator().generate([[5, 7, 11]], 4, stop=())
    assert json.loads(done.stdout) == wanted.tolist()


def test_the_command(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    options = ["generate", str(folder), "--ids=5,7,11", "--max-new-tokens=4", "--target=cuda"]
    assert main(options) == 0
    written = capfd.readouterr()
    wanted = parablock.from_pretrained(folder).generator().generate([[5, 7, 11]], 4)
    assert written.out == ",".join(map(str, wanted[0, 3:])) + "\n"
    assert "GB/s" in written.err and "memory speed" not in written.err


def test_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """docs/use/Gpu.md begins with lines of Python, and with what they print."""
    torch.manual_seed(1)
    config = hf.LlamaConfig(
        num_hidden_layers=2,
        hidden_size=64,
        intermediate_size=128,
        num_attention_heads=4,
        num_key_value_heads=2,
        vocab_size=97,
        max_position_embeddings=64,
    )
    hf.LlamaForCausalLM(config).save_pretrained(tmp_path / "checkpoint")
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[2] / "docs" / "use" / "Gpu.md").read_text()
    lines, printed = re.findall(r"```(?:python)?\n(.*?)```", page, re.DOTALL)[:2]
    assert len(lines.splitlines()) == 5
    capsys.readouterr()
    exec(lines, {"parablock": parablock})
    assert capsys.readouterr().out == printed


def test_memory_is_given_back(module: Any) -> None:
    device = OpenDevice(0)
    gc.collect()
    before = device.read_facts().free_bytes
    compiled = parablock.generation(module, target="cuda")
    generate(compiled, draw_prompt())
    assert device.read_facts().free_bytes < before
    del compiled
    gc.collect()
    assert device.read_facts().free_bytes == before


def test_no_driver(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARABLOCK_CUDA_DRIVER", "none")
    for options in ({}, {"page_rows": 4}):
        with pytest.raises(parablock.MissingError, match="no CUDA driver"):
            parablock.generation(module, target="cuda", **options)
    with pytest.raises(Error, match="option 'target' requires 'cpu'.* or 'reference'"):
        parablock.generation(module, target="cuda:")
