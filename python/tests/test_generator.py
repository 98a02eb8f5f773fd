# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generation without PyTorch, beside transformers' tokens."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from families import FAMILIES
from generating import make_llama
from points import find_points

import parablock

ROWS = [[7, 11, 13, 17, 19], [23, 29], [31, 37, 41, 43]]
PADDED = [[2] * (5 - len(row)) + row for row in ROWS]
MASK = [[0] * (5 - len(row)) + [1] * len(row) for row in ROWS]


@pytest.fixture(scope="module")
def module() -> Any:
    return make_llama(num_hidden_layers=1)


@pytest.fixture(scope="module")
def folder(module: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("generator") / "llama"
    module.save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def generator(folder: Path) -> Any:
    return parablock.from_pretrained(folder).generator()


def expect(module: Any, count: int, **options: Any) -> np.ndarray:
    """What transformers makes of the rows."""
    tokens = module.generate(
        torch.tensor(PADDED),
        attention_mask=torch.tensor(MASK),
        max_new_tokens=count,
        **{"do_sample": False, **options},
    )
    result: np.ndarray = tokens.numpy()
    return result


def test_rows_of_different_lengths(module: Any, generator: Any) -> None:
    found = generator.generate(ROWS, max_new_tokens=12)
    assert found.dtype == np.int64 and np.array_equal(found, expect(module, 12))
    # A row is what it is alone.
    for row, together in zip(ROWS, found, strict=True):
        alone = generator.generate([row], max_new_tokens=12)[0]
        assert together[5 - len(row) :][: len(alone)].tolist() == alone.tolist()


def test_arrays(generator: Any) -> None:
    rows = np.array([ROWS[0], ROWS[0][::-1]])
    found = generator.generate(rows, 4)
    assert found.shape == (2, 9) and np.array_equal(found[:, :5], rows)
    assert np.array_equal(generator.generate(rows.astype(np.int32), 4), found)
    assert np.array_equal(generator.generate(torch.tensor(rows), 4), found)


def test_repetition_penalty(module: Any, generator: Any) -> None:
    found = generator.generate([ROWS[0]], 12, repetition_penalty=1.8, stop=())
    expected = module.generate(
        torch.tensor([ROWS[0]]),
        max_new_tokens=12,
        do_sample=False,
        repetition_penalty=1.8,
        eos_token_id=-1,
    )
    assert np.array_equal(found, expected.numpy())
    assert not np.array_equal(found, generator.generate([ROWS[0]], 12, stop=()))


@pytest.mark.parametrize(
    "options", [{"top_k": 5}, {"top_p": 0.7}, {"min_p": 0.1}, {"top_k": 1}], ids=str
)
def test_sampling(generator: Any, options: dict[str, Any]) -> None:
    def draw(seed: int | None, **more: Any) -> list[list[int]]:
        given = {"temperature": 1.5, "stop": (), **options, **more}
        tokens: list[list[int]] = generator.generate(ROWS, 8, seed=seed, **given).tolist()
        return tokens

    assert draw(3) == draw(3)
    if options == {"top_k": 1}:
        assert draw(None) == generator.generate(ROWS, 8, stop=()).tolist()
    else:
        assert draw(3) != draw(4) and draw(None) != draw(None)
        assert draw(3) != draw(3, temperature=0.01)


def test_draws_of_a_seed(module: Any, generator: Any) -> None:
    """Beside PyTorch's logits, and the number that a seed has for each token."""
    found = generator.generate(ROWS, 8, temperature=0.7, seed=5, stop=())
    for row, tokens in enumerate(found):
        own = torch.tensor(tokens[5 - len(ROWS[row]) :])[None]
        with torch.no_grad():
            logits = module(own).logits[0, -9:-1].double() / 0.7
        sums = logits.softmax(1).cumsum(1)
        for step, point in enumerate(find_points(5, row, 8)):
            assert tokens[5 + step] == torch.searchsorted(sums[step], point, right=True)
    alone = generator.generate(ROWS[:1], 8, temperature=0.7, seed=5, stop=())
    assert np.array_equal(alone[0], found[0])


def test_stops(module: Any, generator: Any) -> None:
    plain = generator.generate(ROWS, 12, stop=())
    stop = int(plain[1, 8])
    found = generator.generate(ROWS, 12, stop=stop)
    assert np.array_equal(found, expect(module, 12, eos_token_id=stop, pad_token_id=2))
    # What comes behind an end is padding.
    assert (found[1, 5 + plain[1, 5:].tolist().index(stop) + 1 :] == 2).all()
    several = [int(plain[row, 7]) for row in range(3)]
    found = generator.generate(ROWS, 12, stop=several)
    assert found.shape[1] <= 8
    assert np.array_equal(found, expect(module, 12, eos_token_id=several, pad_token_id=2))


def test_stops_of_the_folder(module: Any, folder: Path, tmp_path: Path) -> None:
    """generation_config.json is asked, or else config.json, and neither has to be there."""
    tokens = parablock.from_pretrained(folder).generator().generate(ROWS, 12, stop=())
    stop = int(tokens[0, 8])
    copied = tmp_path / "llama"
    shutil.copytree(folder, copied)
    path = copied / "generation_config.json"
    path.write_text(json.dumps({"eos_token_id": [stop, 96], "pad_token_id": 5}))
    model = parablock.from_pretrained(copied)
    assert (model.special_tokens.stop, model.special_tokens.pad) == ((stop, 96), 5)
    found = model.generator().generate(ROWS, 12)
    wanted = expect(module, 12, eos_token_id=[stop, 96], pad_token_id=5)
    # Padding in front as well.
    wanted[:, :5] = np.where(np.array(MASK) == 1, wanted[:, :5], 5)
    assert np.array_equal(found, wanted)
    # What it does not say is not asked of config.json.
    assert json.loads((copied / "config.json").read_text())["eos_token_id"] is not None
    path.write_text(json.dumps({"pad_token_id": 5}))
    special = parablock.from_pretrained(copied).special_tokens
    assert (special.stop, special.pad) == ((), 5)
    path.unlink()
    config = json.loads((copied / "config.json").read_text())
    config.update(eos_token_id=None, pad_token_id=-1)
    (copied / "config.json").write_text(json.dumps(config))
    special = parablock.from_pretrained(copied).special_tokens
    assert (special.stop, special.pad, special.padding) == ((), None, 0)
    path.write_text('{"eos_token_id": "end"}')
    with pytest.raises(
        parablock.Error, match="expected eos_token_id to be a number .* got 'end'"
    ):
        parablock.from_pretrained(copied)
    path.write_text("[")
    with pytest.raises(parablock.Error, match="generation_config.json' is not a config: "):
        parablock.from_pretrained(copied)


def test_streams(generator: Any) -> None:
    steps: list[list[int]] = []
    found = generator.generate(
        ROWS, 6, stop=(), stream=lambda step: steps.append(step.tolist())
    )
    assert np.array_equal(np.array(steps).T, found[:, 5:])

    def stop_at_three(step: np.ndarray) -> bool:
        steps.append(step.tolist())
        return len(steps) == 3

    steps.clear()
    assert np.array_equal(
        generator.generate(ROWS, 6, stop=(), stream=stop_at_three), found[:, :8]
    )


def test_calls_within_calls(generator: Any) -> None:
    """Whoever sees a step may use the generator, and other threads do meanwhile."""
    plain = generator.generate(ROWS, 6, stop=())
    inner: list[Any] = []
    found = generator.generate(
        ROWS,
        6,
        stop=(),
        stream=lambda _: inner.append(generator.generate(ROWS[:1], 6, stop=())),
    )
    assert np.array_equal(found, plain) and len(inner) == 6
    assert all(np.array_equal(each[0], plain[0]) for each in inner)
    with ThreadPoolExecutor(3) as pool:
        others = [pool.submit(generator.generate, [row], 6, stop=()) for row in ROWS * 2]
    for number, other in enumerate(others):
        row = ROWS[number % 3]
        assert np.array_equal(other.result()[0], plain[number % 3, 5 - len(row) :])


def test_what_ends_a_stream_comes_out(generator: Any) -> None:
    with pytest.raises(ZeroDivisionError):
        generator.generate(ROWS, 6, stream=lambda _: 1 / 0)
    assert generator.generate(ROWS, 2, stop=()).shape == (3, 7)


def test_signals_end_it(folder: Path) -> None:
    """Python looks at signals between two steps, of which there are many here."""
    program = (
        "import parablock, signal\n"
        f"generator = parablock.from_pretrained({str(folder)!r}).generator()\n"
        "def end(number, frame): raise KeyboardInterrupt\n"
        "signal.signal(signal.SIGALRM, end)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.3)\n"
        "try: generator.generate([[7]], 10**7, stop=())\n"
        "except KeyboardInterrupt: print('ended')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("ended\n", "")


def test_weights_that_are_no_numbers(module: Any, tmp_path: Path) -> None:
    spoilt = copy.deepcopy(module)
    spoilt.lm_head.weight.data[3] = torch.nan
    spoilt.save_pretrained(tmp_path)
    said = "row 0, token 0: expected logits with a largest number among them, got NaN"
    with pytest.raises(parablock.Error, match=said):
        parablock.from_pretrained(tmp_path).generator().generate(ROWS, 2)


def test_learned_positions(tmp_path: Path) -> None:
    """Padding in front has none, and there is an end of them."""
    module: Any = FAMILIES["gpt2"].make()
    module.generation_config.pad_token_id = 2
    module.save_pretrained(tmp_path)
    generator = parablock.from_pretrained(tmp_path).generator()
    assert np.array_equal(generator.generate(ROWS, 12), expect(module, 12))
    assert generator.generate([ROWS[0]], 60).shape == (1, 65)
    called: list[Any] = []
    said = "expected at most 64 tokens, which is what the model has positions for, got 65"
    with pytest.raises(parablock.Error, match=said):
        generator.generate([ROWS[0]], 61, stream=called.append)
    assert not called


def test_windows(tmp_path: Path) -> None:
    """Caches of layers with a window are as large after any number of tokens."""
    module: Any = FAMILIES["mistral"].make()
    module.generation_config.pad_token_id = 2
    module.save_pretrained(tmp_path)
    generator = parablock.from_pretrained(tmp_path).generator()
    rows = [[*range(5, 90), *range(5, 90)], [7, 9]]
    padded = torch.tensor([rows[0], [2] * 168 + rows[1]])
    mask = torch.ones_like(padded)
    mask[1, :168] = 0
    expected = module.generate(padded, attention_mask=mask, max_new_tokens=20, do_sample=False)
    assert np.array_equal(generator.generate(rows, 20, stop=()), expected.numpy())
    caches, sizes = generator.decoder.make_caches(), []
    for _ in range(6):
        ids, none = np.full((2, 100), 7), np.zeros(2, np.int64)
        logits = generator.decoder.allocate_logits(2, 1)
        generator.decoder.run(ids, caches, none, np.array([99]), logits)
        sizes.append(caches.nbytes)
    assert caches.held == 600 and len({*sizes}) == 1
    # Keys and values of two layers, of a window of 5 tokens and 64 more.
    assert sizes[0] == 2 * 2 * 2 * (5 + 64) * 24 * 4


def test_other_ways_to_a_generator(module: Any, folder: Path, tmp_path: Path) -> None:
    """The reference, one thread, IR in a file, and layers that became parallel."""
    wanted = expect(module, 5)
    model = parablock.from_pretrained(folder)
    assert np.array_equal(model.generator("reference").generate(ROWS, 5), wanted)
    assert np.array_equal(model.generator(threads=1).generate(ROWS, 5), wanted)
    assert np.array_equal(model.optimize().generator().generate(ROWS, 5), wanted)
    path = tmp_path / "m.mlir"
    path.write_text(str(model))
    from_ir = parablock.from_mlir(path, folder / "model.safetensors").generator()
    assert np.array_equal(from_ir.generate(ROWS, 5)[0], wanted[0])
    parallel = model.optimize(parallel="all")
    ids = np.array([ROWS[0]])
    found = parallel.generator().generate(ids, 5)
    for length in range(5, 10):
        logits = parallel.compile()(found[:, :length]).logits[0, -1]
        assert found[0, length] == logits.argmax()
    assert not np.array_equal(found[0], wanted[0])


def test_half_the_bits(folder: Path) -> None:
    """bf16 needs neither PyTorch nor ml_dtypes."""
    model = parablock.from_pretrained(folder, dtype="bf16")
    generator = model.generator()
    tokens = generator.generate(ROWS, 6, stop=())
    module = make_llama(num_hidden_layers=1).bfloat16()
    with torch.no_grad():
        ids = torch.tensor(tokens[:1, :-1])
        logits = module(ids).logits[0, 4:].float()
    # As good as the best, as far as bf16 can tell.
    chosen = logits[torch.arange(6), torch.tensor(tokens[0, 5:])]
    assert bool((logits.max(1).values - chosen < 0.1 * logits.std(1)).all())


def test_codes(folder: Path) -> None:
    """The same codes, whether the model has them or the generator makes them."""
    model = parablock.from_pretrained(folder)
    plain = model.generator()
    codes = model.generator(weights="int8")
    again = model.optimize(weights="int8").generator()
    found = codes.generate(ROWS, 6, temperature=0.5, seed=1, stop=())
    assert np.array_equal(again.generate(ROWS, 6, temperature=0.5, seed=1, stop=()), found)
    assert codes.decoder.count_bytes() < 0.6 * plain.decoder.count_bytes()
    with pytest.raises(
        parablock.Error, match="weights: expected 'int8', which they are already"
    ):
        model.optimize(weights="int8").generator(weights="int4")
    with pytest.raises(parablock.Error, match="int3"):
        model.generator(weights="int3")


def test_bytes_of_a_token(folder: Path, generator: Any) -> None:
    """All weights but the table of tokens, which has a row each; the head is another."""
    module = make_llama(num_hidden_layers=1)
    total = sum(parameter.numel() for parameter in module.parameters())
    assert generator.decoder.count_bytes() == 4 * (total - 97 * 32)


def test_bytes_of_a_token_where_the_head_is_the_table(tmp_path: Path) -> None:
    module: Any = FAMILIES["gpt2"].make()
    module.save_pretrained(tmp_path)
    total = sum(parameter.numel() for parameter in module.parameters())
    decoder = parablock.from_pretrained(tmp_path, dtype="bf16").generator().decoder
    assert decoder.count_bytes() == 2 * (total - 64 * 48)


def test_without_torch(folder: Path) -> None:
    program = (
        "import sys; sys.modules['torch'] = None; sys.modules['transformers'] = None\n"
        "import numpy, parablock\n"
        f"generator = parablock.from_pretrained({str(folder)!r}).generator()\n"
        "tokens = generator.generate(numpy.array([[7, 11, 13]]), max_new_tokens=4, stop=())\n"
        "assert tokens.shape == (1, 7), tokens\n"
        "try: parablock.generation(None)\n"
        "except parablock.MissingError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        "generation requires torch and transformers, not installed: pip install torch "
        "transformers; Model.generator() requires neither\n"
    )


BAD: list[tuple[dict[str, Any], str]] = [
    (
        {"ids": 7},
        r"ids: expected rows of tokens as in \[\[1, 2, 3\]\]: 'int' object is not iterable",
    ),
    ({"ids": []}, "ids: expected at least one row of tokens, got none"),
    ({"ids": [7, 11]}, r"ids: expected rows of .*, got int64 \[\] as row 0"),
    ({"ids": [[7], []]}, r"ids: expected rows of .*, got float64 \[0\] as row 1"),
    ({"ids": [[1.5]]}, r"ids: expected rows of .*, got float64 \[1\] as row 0"),
    ({"ids": [[7], [97]]}, "ids: expected tokens below 97, got 97 in row 1"),
    ({"ids": [[-1]]}, "ids: expected tokens below 97, got -1 in row 0"),
    ({"max_new_tokens": 0}, "option 'max_new_tokens' requires a whole number from 1, got 0"),
    ({"max_new_tokens": 1.5}, "option 'max_new_tokens' requires a whole number, got 1.5"),
    ({"temperature": -1}, "temperature: expected a number from 0 on, got -1"),
    ({"top_k": -1}, r"top_k: expected 0 \(all tokens\) or more, got -1"),
    ({"seed": -1}, r"option 'seed' requires None or a whole number from 0 to 2\^64 - 1, got -1"),
    ({"stop": "end"}, "stop: expected a token or several, got 'end'"),
    ({"stop": 1.5}, "stop: expected a token or several, got 1.5"),
    ({"stop": [[1]]}, r"stop: expected a token or several, got \[\[1\]\]"),
]


@pytest.mark.parametrize(("given", "said"), BAD, ids=[str(given) for given, _ in BAD])
def test_bad_calls(generator: Any, given: dict[str, Any], said: str) -> None:
    with pytest.raises(parablock.Error, match=f"^{said}$"):
        generator.generate(**{"ids": ROWS, "max_new_tokens": 2, **given})


def test_bad_models(folder: Path, tmp_path: Path) -> None:
    model = parablock.from_pretrained(folder)
    with pytest.raises(parablock.Error, match="option 'target' requires 'cpu', .* got 'sm_80'"):
        model.generator("sm_80")
    with pytest.raises(parablock.Error, match="option 'threads' requires a whole number from 0 .*, got -1"):
        model.generator(threads=-1)
    said = "expected a model of 'input_ids' that gives 'logits', got one of 'hidden_states' "
    with pytest.raises(parablock.Error, match=f"{said}that gives 'hidden_states'"):
        parablock.from_pretrained(folder, layers_only=True).generator()
    path = tmp_path / "fixed.mlir"
    text = str(model).replace("tensor<?x?x", "tensor<2x?x")
    path.write_text(text.replace('["batch", "seq"]', '["seq"]'))
    said = r"expected a model for any number of rows and tokens, got one for input_ids \[2, -1\]"
    with pytest.raises(parablock.Error, match=said):
        parablock.from_mlir(path, folder / "model.safetensors").generator()
    bert: Any = FAMILIES["bert"].make()
    bert.save_pretrained(tmp_path)
    with pytest.raises(parablock.Error, match="block-add-caches: expected causal attention"):
        parablock.from_pretrained(tmp_path).generator()
