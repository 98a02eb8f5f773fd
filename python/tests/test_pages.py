# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Caches in pages: tokens are those of caches in one piece, bit for bit, in less memory."""

from __future__ import annotations

import copy
import importlib.util
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers as hf
from families import FAMILIES, randomise
from generating import draw_prompt, make_llama

import parablock
from parablock.decoding.caches import BufferInfo
from parablock.decoding.pages import PagedCaches, Paging

EXAMPLES = Path(__file__).parents[2] / "examples" / "serving"
ROWS = [[7, 11, 13, 17, 19], [23, 29], [31, 37, 41, 43]]


@pytest.fixture(scope="module")
def module() -> Any:
    return make_llama(num_hidden_layers=1)


@pytest.fixture(scope="module")
def model(module: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("pages") / "llama"
    module.save_pretrained(path)
    return parablock.from_pretrained(path)


@pytest.fixture(scope="module")
def generator(model: Any) -> Any:
    return model.generator()


@pytest.fixture(scope="module")
def plain(module: Any) -> Any:
    return parablock.generation(module)


@pytest.fixture(scope="module")
def paged(module: Any) -> Any:
    return parablock.generation(module, page_rows=4)


class Writer:
    """Does what a model does: writes new tokens where tables say, and sees all of them."""

    def __init__(self, most: int | None = None, window: int | None = None) -> None:
        infos = [BufferInfo(f"past_key.{n}", f"key.{n}", 1, "f32") for n in range(2)]
        self.caches = PagedCaches(infos, Paging(4, most, window))
        self.window = window
        self.texts: list[list[float]] = []
        self.draw = random.Random(5)

    def add(self, batch: int, tokens: int) -> None:
        if not self.caches.held:
            self.texts = [[] for _ in range(batch)]
        assert self.caches.split(tokens) == [tokens]
        self.caches.reserve(batch, tokens)
        held = self.caches.held
        places = []
        for row, text in enumerate(self.texts):
            text += [self.draw.random() for _ in range(tokens)]
            for place in range(held, held + tokens):
                page = self.caches.table[row, place // 4]
                places.append((page, place % 4))
                for array in self.caches.arrays:
                    array[page, place % 4] = text[place]
        # As engines check it before a call.
        assert len({*places}) == len(places)
        self.caches.note(tokens, np.zeros(batch, np.int64))
        self.check()

    def check(self) -> None:
        held = self.caches.held
        # What the next token sees.
        first = 0 if self.window is None else max(0, held - self.window + 1)
        for array in self.caches.arrays:
            for row, text in enumerate(self.texts):
                pages = self.caches.table[row, first // 4 : -(-held // 4)]
                assert pages.size == 0 or pages.min() >= 0
                seen = array[pages].reshape(-1)[first % 4 : held - first // 4 * 4]
                np.testing.assert_array_equal(seen, np.array(text[first:], np.float32))


@pytest.mark.parametrize("first", [1, 8, 50])
def test_what_rows_hold_is_theirs(first: int) -> None:
    writer, draw = Writer(), random.Random(first)
    writer.add(2, first)
    for _ in range(80):
        caches = writer.caches
        steps = ["one", "one", "some", "crop", "order", "choose", "repeat", "copy"]
        step = draw.choice(steps)
        if step in ("one", "some"):
            writer.add(caches.batch, 1 if step == "one" else draw.randint(2, 20))
        elif step == "crop":
            count = draw.randint(0, caches.held - 1)
            caches.crop(count)
            writer.texts = [text[: len(text) - count] for text in writer.texts]
        elif step == "order":
            rows = [draw.randrange(caches.batch) for _ in range(caches.batch)]
            caches.reorder(np.array(rows))
            writer.texts = [[*writer.texts[row]] for row in rows]
        elif step == "choose":
            rows = [draw.randrange(caches.batch) for _ in range(draw.randint(1, 3))]
            caches.select(np.array(rows))
            writer.texts = [[*writer.texts[row]] for row in rows]
        elif step == "repeat" and caches.batch < 3:
            caches.repeat(2)
            writer.texts = [[*text] for text in writer.texts for _ in range(2)]
        else:
            writer.caches = caches.copy()
            for array in caches.arrays:
                array[:] = np.nan
        writer.check()
        assert writer.caches.pages_held <= writer.caches.batch * -(-writer.caches.held // 4)
    writer.caches.reset()
    assert writer.caches.pages_held == writer.caches.nbytes_held == 0
    writer.add(4, 3)


def test_rows_share_what_they_have_in_common() -> None:
    writer = Writer()
    writer.add(1, 10)
    writer.caches.repeat(4)
    writer.texts = [[*writer.texts[0]] for _ in range(4)]
    assert writer.caches.pages_held == 3
    # Each has the last page for itself, and two of all.
    writer.add(4, 1)
    assert writer.caches.pages_held == 6
    assert writer.caches.nbytes_held == 6 * 4 * 2 * 4
    writer.caches.select(np.array([2]))
    assert writer.caches.pages_held == 3


def test_pages_far_behind_a_window_go_back() -> None:
    writer = Writer(window=5)
    caches = writer.caches
    writer.add(2, 60)
    assert caches.pages_held == 30 and caches.most_removed == 60
    for tokens in (1, 30, 1, 8, 100):
        writer.add(2, tokens)
        # The latest 69 tokens stay; all but four of them can be taken back.
        assert caches.held < 73 or 2 * 18 <= caches.pages_held <= 2 * 19
        assert caches.held < 73 or 65 <= caches.most_removed <= 65 + 3
    assert caches.held == 200 and caches.pages_held == 2 * 18
    assert caches.copy().pages_held == 2 * 18 and caches.copy().most_removed == 68
    said = "^crop: expected at most 68 tokens, since layers with a window have none before "
    with pytest.raises(parablock.Error, match=said):
        caches.crop(69)
    caches.crop(68)
    writer.texts = [text[:132] for text in writer.texts]
    writer.check()
    assert caches.pages_held == 2 and caches.most_removed == 0
    writer.add(2, 9)
    caches.crop(141)
    assert caches.pages_held == 0
    writer.add(2, 7)
    assert caches.most_removed == 7


def test_a_pool_that_is_full() -> None:
    writer = Writer(most=5)
    writer.add(2, 8)
    said = (
        "^pool_pages: expected room for 2 more pages of 4 tokens, for 2 rows of 9 tokens, got "
        "5 pages, 4 of which are held$"
    )
    with pytest.raises(parablock.Error, match=said):
        writer.caches.reserve(2, 1)
    writer.check()
    # What is given back is room.
    writer.caches.crop(4)
    writer.caches.select(np.array([1]))
    writer.texts = [writer.texts[1][:4]]
    writer.add(1, 16)
    assert len(writer.caches.arrays[0]) == 5


@pytest.mark.parametrize("step", ["repeat", "reorder"])
def test_a_call_that_failed(step: str) -> None:
    """What was taken for its tokens is nobody's when rows share what they hold."""
    writer = Writer()
    writer.add(2, 3)
    writer.caches.reserve(2, 20)
    if step == "repeat":
        writer.caches.repeat(2)
        rows = [0, 0, 1, 1]
    else:
        rows = [1, 1]
        writer.caches.reorder(np.array(rows))
    writer.texts = [[*writer.texts[row]] for row in rows]
    assert writer.caches.pages_held == len({*rows})
    writer.add(len(rows), 20)


OPTIONS: list[dict[str, Any]] = [
    {"do_sample": False},
    {"num_beams": 3, "do_sample": False, "num_return_sequences": 2},
    {"do_sample": False, "prefill_chunk_size": 3},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_generate(plain: Any, paged: Any, options: dict[str, Any]) -> None:
    """Logits as well, with padding in front, over several pages."""
    given = {**draw_prompt(), "max_new_tokens": 12, "eos_token_id": -1, **options}
    more = {"output_logits": True, "return_dict_in_generate": True}
    if "prefill_chunk_size" in options:
        given["input_ids"], given["attention_mask"] = (
            given[name][:1] for name in ("input_ids", "attention_mask")
        )
    wanted, found = (each.generate(**given, **more) for each in (plain, paged))
    assert torch.equal(found.sequences, wanted.sequences)
    for own, other in zip(found.logits, wanted.logits, strict=True):
        assert torch.equal(own, other)
    caches = found.past_key_values.caches
    if "num_beams" in options:
        assert caches.pages_held < caches.batch * -(-caches.held // 4)


def test_padding_has_no_pages(paged: Any) -> None:
    given = draw_prompt((0, 8, 5))
    result = paged(**given)
    caches = result.past_key_values.caches
    # 9 tokens in three pages, two and one of which are padding alone.
    assert caches.pages_held == 3 + 1 + 2
    again = copy.deepcopy(result.past_key_values)
    assert again.caches.pages_held == 6 and repr(again) == repr(result.past_key_values)


def test_assisted(plain: Any, paged: Any) -> None:
    """Tokens are taken back, and pages with them."""
    given = {**draw_prompt((0,)), "max_new_tokens": 10, "do_sample": False}
    helper = make_llama(num_hidden_layers=1, seed=3)
    wanted, found = (
        each.generate(**given, assistant_model=helper) for each in (plain, paged)
    )
    assert torch.equal(found, wanted)


@pytest.mark.full
def test_pairs() -> None:
    """The decoder of an encoder-decoder, whose memory is in one piece."""
    torch.manual_seed(0)
    config = hf.T5Config(
        vocab_size=97, d_model=32, d_kv=8, d_ff=48, num_layers=1, num_heads=4,
        decoder_start_token_id=0, pad_token_id=0, eos_token_id=-1,
    )  # fmt: skip
    module = hf.T5ForConditionalGeneration(config).eval()
    given = {"input_ids": torch.tensor([[7, 11, 13], [5, 3, 2]]), "num_beams": 2}
    wanted, found = (
        each.generate(**given, max_new_tokens=9)
        for each in (parablock.generation(module), parablock.generation(module, page_rows=4))
    )
    assert torch.equal(found, wanted)


@pytest.mark.parametrize("temperature", [0, 0.9])
def test_generator(model: Any, generator: Any, temperature: float) -> None:
    """Rows of different lengths that end at different times."""
    options = {"temperature": temperature, "seed": 3}
    free = generator.generate(ROWS, 30, stop=(), **options)
    stops = [int(free[0, 9]), int(free[2, 20])]
    for stop in ((), stops):
        wanted = generator.generate(ROWS, 30, stop=stop, **options)
        found = model.generator(page_rows=4).generate(ROWS, 30, stop=stop, **options)
        assert np.array_equal(found, wanted)


def test_generator_with_little_room(model: Any, generator: Any) -> None:
    rows = [[7, 11, 13], [23, 29, 5]]
    free = generator.generate(rows, 30, stop=())
    # 32 tokens of each row are computed of.
    small = model.generator(page_rows=4, pool_pages=15)
    said = (
        "^pool_pages: expected room for 2 more pages of 4 tokens, for 2 rows of 29 tokens, "
        "got 15 pages, 14 of which are held$"
    )
    with pytest.raises(parablock.Error, match=said):
        small.generate(rows, 30, stop=())
    # Where a row ends early, its pages are the other's.
    stop = next(int(t) for t in free[0, 3:20] if t not in free[1, 3:])
    wanted = generator.generate(rows, 30, stop=stop)
    assert wanted.shape == free.shape
    assert np.array_equal(small.generate(rows, 30, stop=stop), wanted)


def test_shared_beginnings(model: Any, generator: Any) -> None:
    """One row of each group computes what its rows begin with, in pages that all of these have."""
    system = [*range(5, 18)]
    groups = [[3, *system, 7], [*system, 8], [3, *system, 9, 1], [*system, 2]]
    for rows in (
        [[*system, 7], [*system, 9]],
        [[*system, 7], [*system, 9, 8, 3, 4], [*system, 9, 2]],
        groups,
    ):
        for options in ({}, {"temperature": 0.9, "seed": 3, "repetition_penalty": 1.2}):
            wanted = generator.generate(rows, 9, stop=(), **options)
            paged = model.generator(page_rows=4)
            assert np.array_equal(paged.generate(rows, 9, stop=(), **options), wanted)
            # A row that ends leaves the shared pages to the others.
            stop = int(wanted[0, -6])
            ended = generator.generate(rows, 9, stop=stop, **options)
            assert np.array_equal(paged.generate(rows, 9, stop=stop, **options), ended)
    # Three shared pages, and one and then two of each row: without sharing, eight and then ten.
    rows = [[*system, 7], [*system, 9]]
    small = model.generator(page_rows=4, pool_pages=7)
    assert np.array_equal(
        small.generate(rows, 6, stop=()), generator.generate(rows, 6, stop=())
    )
    other = [rows[0], [6, *rows[1][1:]]]
    with pytest.raises(parablock.Error, match="^pool_pages: expected room for 8 more pages"):
        small.generate(other, 6, stop=())


def test_windows(tmp_path: Path) -> None:
    """Pages behind a window go back: as many are enough for any number of tokens."""
    module: Any = FAMILIES["mistral"].make()
    module.save_pretrained(tmp_path)
    model = parablock.from_pretrained(tmp_path)
    rows = [[*range(5, 12)], [7, 9]]
    wanted = model.generator().generate(rows, 90, stop=())
    found = model.generator(page_rows=4, pool_pages=6).generate(rows, 90, stop=())
    assert np.array_equal(found, wanted)


def test_windows_of_generate() -> None:
    """The same of generate(), also where tokens are taken back."""
    config = hf.MistralConfig(
        vocab_size=97, hidden_size=16, intermediate_size=24, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=1, sliding_window=5,
    )  # fmt: skip
    module = hf.MistralForCausalLM(config).eval()
    randomise(module)
    compiled = parablock.generation(module, page_rows=4)
    given = {"max_new_tokens": 120, "do_sample": False, "eos_token_id": -1}
    given |= {"pad_token_id": 0, "return_dict_in_generate": True}
    single = {**draw_prompt((0,)), **given}
    wanted, found = (each.generate(**single) for each in (module, compiled))
    assert torch.equal(found.sequences, wanted.sequences)
    # 128 tokens would be 32 pages.
    assert found.past_key_values.caches.pages_held == 18
    assisted = compiled.generate(**single, assistant_model=make_llama(num_hidden_layers=1))
    assert torch.equal(assisted.sequences, wanted.sequences)
    beams = {**draw_prompt(), **given, "num_beams": 3, "max_new_tokens": 80}
    wanted, found = (each.generate(**beams) for each in (module, compiled))
    assert torch.equal(found.sequences, wanted.sequences)
    assert found.past_key_values.caches.pages_held < 9 * 19


def test_bad_options(module: Any, model: Any) -> None:
    for make in (model.generator, lambda **given: parablock.generation(module, **given)):
        for name, value in (("page_rows", 0), ("page_rows", 1.5), ("page_rows", True)):
            said = f"^option '{name}' requires a whole number( from 1)?, got {value}$"
            with pytest.raises(parablock.Error, match=said):
                make(**{name: value})
        with pytest.raises(parablock.Error, match="^option 'pool_pages' requires page_rows$"):
            make(pool_pages=4)
        with pytest.raises(parablock.Error, match="^option 'pool_pages' requires a whole number from 1, got -1$"):
            make(page_rows=4, pool_pages=-1)
    with pytest.raises(parablock.Error, match="^option 'page_rows' requires a whole number, got None$"):
        model.paged_decoder(None)


def test_tables_of_others(model: Any, generator: Any) -> None:
    """Rows of different lengths in one call, in pages of the caller's."""
    decoder = model.paged_decoder(page_rows=4)
    pools = decoder.allocate(9)
    before = [pool.ctypes.data for pool in pools]
    tables = np.array([[8, 2, 5], [1, 7, -1]])
    texts = [[7, 11, 13, 17, 19], [23, 29]]
    new = []
    for text, table in zip(texts, tables, strict=True):
        logits = decoder.run([text], pools, [table], [0])
        assert logits.shape == (1, 1, 97)
        new.append([int(logits.argmax())])
    for _ in range(4):
        lengths = [len(t) + len(n) - 1 for t, n in zip(texts, new, strict=True)]
        logits = decoder.run([n[-1:] for n in new], pools, tables, lengths)
        for own, token in zip(new, logits[:, 0].argmax(1), strict=True):
            own.append(int(token))
    for text, own in zip(texts, new, strict=True):
        assert generator.generate([text], 5, stop=())[0, len(text) :].tolist() == own
    assert [pool.ctypes.data for pool in pools] == before
    # Page 0 is nobody's.
    assert all(not pool[0].any() and pool[8].any() for pool in pools)
    starts, kept = [0, 1], [0, 2]
    wanted = decoder.run([[5, 6, 7], [0, 6, 7]], pools, [[0], [3]], [0, 0], starts, kept)
    assert wanted.shape == (2, 2, 97)
    alone = decoder.run([[6, 7]], pools, [[4]], [0])
    np.testing.assert_allclose(wanted[1, 1], alone[0, 0], rtol=1e-4, atol=1e-5)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"tables": [[3]]}, r"input 'pages': expected 0 to 2, .*, got 3 at \[0, 0\]"),
    ({"tables": [[0], [0]]}, "tables: expected 1 rows, as many as ids, got 2"),
    ({"lengths": [4]}, r"input 'past_lengths': expected room for 2 tokens in 1 pages of 4 .*"),
    ({"lengths": [0.5]}, r"lengths: expected whole numbers of 1 dimensions, got float64 .*"),
    ({"ids": [7]}, r"ids: expected whole numbers of 2 dimensions, got int64 \[1\]"),
    ({"ids": [[7, 97]]}, "input 'input_ids': expected .*"),
    ({"kept": [2]}, r"input 'logits_to_keep': expected 0 to 1, got 2 at \[0\]"),
]


@pytest.mark.parametrize(("given", "said"), BAD, ids=[str(given) for given, _ in BAD])
def test_bad_tables(decoder: Any, given: dict[str, Any], said: str) -> None:
    right = {"ids": [[7, 11]], "pools": decoder.allocate(3), "tables": [[1]], "lengths": [0]}
    with pytest.raises(parablock.Error, match=f"^{said}$"):
        decoder.run(**{**right, **given})
    assert not any(pool.any() for pool in right["pools"])


@pytest.fixture(scope="module")
def decoder(model: Any) -> Any:
    return model.paged_decoder(4)


def test_bad_pools(decoder: Any) -> None:
    pools = decoder.allocate(3)
    with pytest.raises(parablock.Error, match="^pools: expected 2, got 1$"):
        decoder.run([[7]], pools[:1], [[0]], [0])
    said = r"^pools: expected float32 \[3, 4, 16\] for value.0, got float32 \[2, 4, 16\]$"
    with pytest.raises(parablock.Error, match=said):
        decoder.run([[7]], [pools[0], pools[1][:2]], [[0]], [0])
    gaps = np.zeros((3, 4, 32), np.float32)[:, :, ::2]
    with pytest.raises(parablock.Error, match="^pools: expected memory for key.0 that lies"):
        decoder.run([[7]], [gaps, pools[1]], [[0]], [0])
    said = "^pools: expected an array of 3 dimensions for value.0, got Tensor of 3$"
    with pytest.raises(parablock.Error, match=said):
        decoder.run([[7]], [pools[0], torch.zeros(3, 4, 16)], [[0]], [0])
    whole = np.zeros((5, 4, 16), np.float32)
    for own, other in ((pools[0], pools[0]), (whole[:3], whole[2:])):
        with pytest.raises(parablock.Error, match="^pools: .* for each, got some that overlap$"):
            decoder.run([[7]], [own, other], [[0]], [0])
    for count in (0, -1, 1.5):
        with pytest.raises(parablock.Error, match="^option 'pages' requires a whole number( from 1)?, got"):
            decoder.allocate(count)


def test_server(model: Any, generator: Any) -> None:
    """The example of docs/use/Serving.md: requests come and go, in too few pages for all."""
    spec = importlib.util.spec_from_file_location("tables", EXAMPLES / "block_tables.py")
    assert spec and spec.loader
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    common = [(7 * n + 3) % 90 + 3 for n in range(35)]
    prompts = [common + [5 + n] * (n + 1) for n in range(5)] + [[11, 13]]
    requests = [example.Request(text, 6 + 5 * n) for n, text in enumerate(prompts)]
    server = example.Server(model, pages=9)
    server.serve(requests)
    for request in requests:
        tokens = generator.generate([request.prompt], request.count, stop=())
        assert tokens[0, len(request.prompt) :].tolist() == request.new
    # Several at a time, not all of them, and some begin with pages of others.
    assert 1 < server.most_running < len(requests) and server.shared >= 2
    assert sorted(server.free) == list(range(9)) and not server.known
    with pytest.raises(MemoryError):
        example.Server(model, pages=1).serve([example.Request([7] * 20, 3)])
