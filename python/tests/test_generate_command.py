# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m parablock generate`, each of its options, and bad input."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from generating import make_llama

import parablock
from parablock.__main__ import main
from parablock.decoding.text import StopTexts, TextStream, open_tokenizer

#: Any text has tokens: all 256 bytes have one, and some pairs.
TEXTS = ["the cat, the hat", "ein Käse für später", "то же самое 日本語"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small Llama, and a tokenizer of bytes."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    path = tmp_path_factory.mktemp("generate") / "llama"
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=300,
        special_tokens=["<s>", "</s>", "<pad>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(TEXTS * 9, trainer)
    module = make_llama(
        vocab_size=tokenizer.get_vocab_size(), eos_token_id=1, num_hidden_layers=1
    )
    module.save_pretrained(path)
    tokenizer.save(str(path / "tokenizer.json"))
    return path


@pytest.fixture(autouse=True)
def reading(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Memory is measured where a test is about it."""
    if request.function is not test_speeds:
        monkeypatch.setattr("parablock.command.generate.measure_reading", lambda *_: 1e9)


@pytest.fixture(scope="module")
def plain(folder: Path) -> str:
    """What IDS go on with, by the likeliest tokens."""
    generator = parablock.from_pretrained(folder).generator()
    tokens = generator.generate([[40, 50, 60]], 16, stop=())
    return ",".join(map(str, tokens[0, 3:])) + "\n"


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs the command in one thread, and returns what it writes."""

    def call(*options: str) -> tuple[str, str]:
        assert main(["generate", str(folder), "--threads=1", *options]) == 0
        shown = capsys.readouterr()
        return shown.out, shown.err

    return call


def read(text: str) -> list[int]:
    return [int(word) for word in text.strip().split(",")]


IDS = "--ids=40,50,60"


def test_numbers(plain: str, run: Any) -> None:
    assert run(IDS, "--max-new-tokens=16")[0] == plain


def test_text(folder: Path, run: Any) -> None:
    """It is what the tokenizer makes of the tokens, whatever is drawn."""
    tokenizer = open_tokenizer(folder)
    generator = parablock.from_pretrained(folder).generator()
    prompt = tokenizer.encode("the cat").ids
    for seed in range(2):
        out, _ = run(
            "--prompt=the cat", "--temperature=2", f"--seed={seed}", "--max-new-tokens=30"
        )
        tokens = generator.generate([prompt], 30, temperature=2, seed=seed)[0]
        whole = tokenizer.decode(tokens.tolist())
        assert whole == tokenizer.decode(prompt) + out[:-1] and out[-1] == "\n"


def test_speeds(run: Any) -> None:
    _, err = run(IDS, "--max-new-tokens=12")
    pattern = (
        r"12 tokens, the first one after \d+\.\d{3} s, then \d+\.\d a second\n"
        r"0\.\d MB of weights a token: \d+\.\d GB/s, \d+\.\d\d of memory speed "
        r"\(\d+\.\d GB/s\)\n"
    )
    assert re.fullmatch(pattern, err), err
    _, err = run(IDS, "--max-new-tokens=1")
    assert re.fullmatch(r"1 token, the first one after \d+\.\d{3} s\n", err), err


@pytest.mark.parametrize(
    "option",
    [
        "--temperature=2",
        "--repetition-penalty=5",
        "--weights=int4",
        "--weights=int8",
        "--dtype=bf16",
        "--dtype=f16",
        "--target=reference",
    ],
)
def test_options_reach_the_generator(
    folder: Path, run: Any, plain: str, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    """Each gives what the same argument does."""
    given: list[Any] = []
    before = parablock.Model.generator

    def note(self: Any, target: str, threads: int, *, weights: Any) -> Any:
        made = before(self, target, threads, weights=weights)
        given.append((made.decoder.kind, target, threads, weights, made.decoder.count_bytes()))
        return made

    monkeypatch.setattr(parablock.Model, "generator", note)
    found, _ = run(IDS, "--max-new-tokens=16", "--seed=1", option)
    ((kind, target, threads, weights, size),) = given
    # All but the table of tokens.
    whole = (folder / "model.safetensors").stat().st_size - 4 * 32 * 299
    assert threads == 1
    if "weights" in option:
        assert weights == option.partition("=")[2] and size < 0.8 * whole
    elif "dtype" in option:
        assert kind == option.partition("=")[2] and size < 0.51 * whole
    elif "target" in option:
        assert target == "reference" and found == plain
    else:
        assert found != plain


def test_sampling(plain: str, run: Any) -> None:
    hot = [IDS, "--temperature=3", "--max-new-tokens=16"]
    drawn = {run(*hot, f"--seed={seed}")[0] for seed in (1, 2, 1)}
    assert len(drawn) == 2 and plain not in drawn
    for option in ("--top-k=1", "--top-p=0", "--min-p=1"):
        assert run(*hot, option)[0] == plain


def test_stops(plain: str, run: Any) -> None:
    numbers = read(plain)
    stop = numbers[5]
    found = read(run(IDS, "--max-new-tokens=16", f"--stop={stop}", "--stop=299")[0])
    assert found == numbers[: numbers.index(stop) + 1]
    options = ["--prompt=the", "--temperature=2", "--seed=5", "--max-new-tokens=40"]
    text = run(*options)[0][:-1]
    stop_text = text[20:23]
    out, err = run(*options, f"--stop={stop_text}", "--stop=nowhere to be found")
    assert out == text[: text.index(stop_text)] + "\n"
    assert int(err.split()[0]) < 40


class _Characters:
    """Decodes bytes, as much of a tokenizer as a stream of text needs."""

    def decode(self, ids: list[int]) -> str:
        return bytes(ids).decode(errors="replace")


def test_characters_come_whole() -> None:
    stream = TextStream(_Characters(), b"abc")
    parts = [stream.add(byte) for byte in "d\u00e9\u65e5".encode()]
    assert parts == ["d", "", "\u00e9", "", "", "\u65e5"]
    assert stream.add(0xC3) == "" and stream.finish() == "\ufffd"


def test_texts_that_end() -> None:
    stops = StopTexts(["stop", "top up"])
    parts = [stops.add(part) for part in ("a st", "o", "ne ", "to", "p", " us")]
    # The last letter may be the first one of an end.
    assert "".join(parts) == "a stone top u" and not stops.has_ended
    assert stops.finish() == "s" and not stops.has_ended
    stops = StopTexts(["stop", "top up"])
    assert stops.add("one stop up") == "one " and stops.has_ended and stops.finish() == ""


BAD = [
    ("MODEL", "expected either --prompt or --ids"),
    ("MODEL --ids=1 --prompt=a", "expected either --prompt or --ids"),
    ("MODEL --ids=1,x", "expected numbers such as 1,2,3, got '1,x'"),
    ("MODEL --ids=1,999", "ids: expected tokens below 300, got 999 in row 0"),
    ("MODEL --prompt=", "--prompt: expected a text of at least one token, got none"),
    ("MODEL --prompt=a --stop=", "--stop: expected a text, got an empty one"),
    ("MODEL --ids=1 --stop=a", "--stop: expected the number of a token with --ids, got 'a'"),
    ("MODEL --ids=1 --max-new-tokens=0", "--max-new-tokens: expected 1 or more, got '0'"),
    ("MODEL --ids=1 --temperature=-1", "--temperature: expected a number from 0 on, got '-1'"),
    ("MODEL --ids=1 --top-k=-1", "top_k: expected 0 (all tokens) or more, got -1"),
    ("MODEL --ids=1 --top-p=2", "top_p: expected a number from 0 to 1, got 2"),
    ("MODEL --ids=1 --min-p=2", "min_p: expected a number from 0 to 1, got 2"),
    ("MODEL --ids=1 --repetition-penalty=0", "repetition_penalty: expected more than 0"),
    (
        "MODEL --ids=1 --seed=-1",
        "option 'seed' requires None or a whole number from 0 to 2^64 - 1, got -1",
    ),
    ("MODEL --ids=1 --weights=int3", "int3"),
    ("MODEL --ids=1 --dtype=f8", "f8"),
    ("MODEL --ids=1 --threads=-1", "option 'threads' requires a whole number from 0 (all cores), got -1"),
    ("MODEL --ids=1 --target=sm_80", "option 'target' requires 'cpu', 'cpu:PROCESSOR', 'cuda', 'cuda:NUMBER' or 'reference', got 'sm_80'"),
    ("HERE/none --ids=1", "none"),
    ("HERE/none --prompt=a", "expected a tokenizer.json for --prompt, got none; --ids takes"),
    ("HERE/bad --prompt=a", "tokenizer.json' is not a tokenizer: "),
]


@pytest.mark.parametrize(("line", "said"), BAD, ids=[line for line, _ in BAD])
def test_bad_input(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "tokenizer.json").write_text("{")
    words = {"HERE": str(tmp_path), "MODEL": str(folder)}
    for word, text in words.items():
        line = line.replace(word, text)
    try:
        code = main(["generate", *line.split(" ")])
    except SystemExit as stop:
        code = stop.code  # type: ignore[assignment]
    shown = capsys.readouterr()
    assert code == 1 and not shown.out
    assert shown.err.startswith("error: ") and shown.err.count("\n") == 1
    assert said in shown.err


def test_missing_tokenizers(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "tokenizers" else before(name)
    )
    assert main(["generate", str(folder), "--prompt=a"]) == 4
    assert "--prompt requires tokenizers, which is not installed" in capsys.readouterr().err
    assert main(["generate", str(folder), IDS, "--max-new-tokens=2"]) == 0


def test_interrupts(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What came until then is a line of its own."""
    from parablock.command.generate import _Clock

    before, calls = _Clock.take, [0]

    def interrupt(self: _Clock, tokens: Any) -> bool:
        calls[0] += 1
        if calls[0] == 3:
            raise KeyboardInterrupt
        return before(self, tokens)

    monkeypatch.setattr(_Clock, "take", interrupt)
    assert main(["generate", str(folder), IDS]) == 130
    shown = capsys.readouterr()
    assert len(read(shown.out)) == 2 and shown.out.endswith("\n")
    assert shown.err == "interrupted\n"


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["generate", "--help"])
    assert caught.value.code == 0
    shown = capsys.readouterr().out
    assert "--prompt" in shown and "--max-new-tokens" in shown


def test_nothing_of_torch(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    import subprocess

    program = (
        "import sys; sys.modules['torch'] = None\n"
        "from parablock.__main__ import main\n"
        f"sys.exit(main(['generate', {str(folder)!r}, '--prompt=the', '--max-new-tokens=3']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("3 tokens, ")
