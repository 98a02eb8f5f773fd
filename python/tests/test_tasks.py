# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tasks with one right answer: drawn, written, and what drift says of them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import parablock
import pytest
from parablock.__main__ import main
from parablock.command.parser import make_parser
from parablock.weights import read_safetensors, write_safetensors
from parablock_studies.tasks.drawing import KINDS, draw_tasks


def _close(text: str) -> str:
    """Returns what closes brackets, by removing pairs."""
    while (shorter := text.replace("()", "").replace("[]", "").replace("{}", "").replace("<>", "")) != text:
        text = shorter
    return text[::-1].translate(str.maketrans("([{<", ")]}>"))


def test_answers_are_right() -> None:
    for prompt, answer in draw_tasks("sums", 3, 100):
        left, right = prompt.rstrip("=").split("+")
        assert len(left) == len(right) == 3 and answer.endswith(";")
        assert int(answer[:-1][::-1]) == int(left) + int(right)
    for prompt, answer in draw_tasks("brackets", 3, 100):
        assert answer == _close(prompt.rstrip(":")) + ";" and len(answer) > 1
    for prompt, answer in draw_tasks("copying", 3, 100):
        assert answer == prompt.replace("|", ";")
    for kind in KINDS:
        assert draw_tasks(kind, 1, 9) == draw_tasks(kind, 1, 9) != draw_tasks(kind, 2, 9)


def _read(path: Path) -> dict[str, np.ndarray]:
    return {name: np.asarray(tensor.array) for name, tensor in read_safetensors(path).items()}


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tasks.safetensors"
    assert main(["tasks", "--kind=copying,sums", "--count=5", "--seed=7", "-o", str(path)]) == 0
    found = _read(path)
    assert sorted(found) == ["copying.answers", "copying.input_ids", "sums.answers", "sums.input_ids"]
    for kind in ("copying", "sums"):
        for (prompt, answer), row, (begin, end) in zip(
            draw_tasks(kind, 7, 5), found[f"{kind}.input_ids"], found[f"{kind}.answers"], strict=True
        ):
            assert row[0] == 0 and bytes(row[1:begin].tolist()).decode() == prompt
            assert bytes(row[begin:end].tolist()).decode() == answer and not row[end:].any()
    for flag, message in (
        ("--kind=riddles", "--kind: expected some of sums, brackets, copying, got 'riddles'"),
        ("--count=1", "--count: expected at least 2"),
        ("--count=99999999999999", "and at most 1000000, got 99999999999999"),
        ("--seed=-1", "--seed: expected at least 0, got -1"),
    ):
        assert main(["tasks", flag, "-o", str(tmp_path / "no")]) == 1
        assert message in capsys.readouterr().err and not (tmp_path / "no").exists()


def test_tokenizer(tmp_path: Path) -> None:
    """A tokenizer's own first token is in front, and an answer's tokens are its own."""
    tokenizers = pytest.importorskip("tokenizers")
    words = {"<s>": 0, **{chr(code): code for code in range(33, 127)}}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(words, []))
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", 0)]
    )
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    paths = [tmp_path / "a.safetensors", tmp_path / "b.safetensors"]
    assert main(["tasks", str(tmp_path), "--count=4", "-o", str(paths[0])]) == 0
    assert main(["tasks", "--count=4", "-o", str(paths[1])]) == 0
    mine, bytewise = map(_read, paths)
    assert all(np.array_equal(mine[name], bytewise[name]) for name in bytewise)
    # One that puts a space in front of every text has none in front of an answer.
    tokenizer.model = tokenizers.models.BPE({**words, "▁": 127}, [])
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    assert main(["tasks", str(tmp_path), "--count=4", "-o", str(paths[0])]) == 0
    spaced = _read(paths[0])
    for kind in KINDS:
        assert np.array_equal(spaced[f"{kind}.answers"], bytewise[f"{kind}.answers"] + 1)
        for before, after in zip(bytewise[f"{kind}.input_ids"], spaced[f"{kind}.input_ids"], strict=True):
            assert after.tolist() == [before[0], 127, *before[1:]]


def test_no_tokenizer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tokenizers")
    assert main(["tasks", str(tmp_path), "-o", str(tmp_path / "no")]) == 1
    assert "tokenizer.json for tasks, got none; without a folder" in capsys.readouterr().err


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small Llama of random weights, with branches that change what it says."""
    import torch
    import transformers

    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        num_hidden_layers=3,
        hidden_size=32,
        intermediate_size=64,
        num_attention_heads=2,
        num_key_value_heads=2,
        vocab_size=128,
        max_position_embeddings=64,
        initializer_range=0.2,
    )
    folder = tmp_path_factory.mktemp("llama")
    transformers.LlamaForCausalLM(config).eval().save_pretrained(folder)
    return folder


def _write_data(folder: Path) -> list[str]:
    ids = np.random.default_rng(1).integers(0, 128, (16, 12))
    write_safetensors(folder / "data.safetensors", [("input_ids", ids, "i64")])
    return ["--data", str(folder / "data.safetensors")]


def _solve_some(folder: Path, path: Path) -> parablock.Model:
    """Writes tasks whose answers are the model's own tokens; returns the model."""
    model = parablock.from_pretrained(folder)
    rows = np.random.default_rng(0).integers(1, 128, (40, 9))
    logits = np.asarray(model.compile("cpu")(rows)["logits"])
    rows[:, 8] = logits[:, 7].argmax(-1)
    spans = np.tile([8, 9], (40, 1))
    write_safetensors(path, [("own.input_ids", rows, "i64"), ("own.answers", spans, "i64")])
    return model


def test_drift(serial: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, report = tmp_path / "own.safetensors", tmp_path / "d.json"
    model = _solve_some(serial, path)
    ids = np.random.default_rng(1).integers(0, 128, (16, 12))
    drift = model.drift(ids, tasks=path, generate=0)
    (kind,) = drift.to_dict()["tasks"]["kinds"]
    assert (kind["kind"], kind["tasks"], kind["serial"]) == ("own", 20, 20) and kind["parallel"] < 20
    assert f"Tasks solved, serial and parallel: own 20 and {kind['parallel']} of 20." in str(drift)
    flags = [*_write_data(tmp_path), "--tasks", str(path), "--budget-tasks=1", "--json", str(report)]
    assert main(["drift", str(serial), *flags]) == 0
    assert "Budget of tasks 1" in capsys.readouterr().out
    assert json.loads(report.read_text())["budget_tasks"] == 1
    with pytest.raises(parablock.Error, match="^budget_tasks: expected a tasks=FILE beside it"):
        model.drift(ids, budget_tasks=0.5)


@pytest.mark.parametrize("pairing", ["ladder", "shifted"])
def test_pairing(serial: Path, tmp_path: Path, pairing: str) -> None:
    """The command offers each pairing that block-drift has; its choice makes that form."""
    report, choice = tmp_path / "d.json", tmp_path / "c.json"
    flags = [*_write_data(tmp_path), f"--pairing={pairing}", "--generate=0"]
    flags += ["--json", str(report), "--choice", str(choice)]
    assert main(["drift", str(serial), *flags]) == 0
    assert json.loads(report.read_text())["pairing"] == pairing
    stamps = parablock.from_pretrained(serial).optimize(parallel=f"@{choice}").count()["layers"]
    assert any(layer["approx"] for layer in stamps)


def test_pairings_are_those_of_the_passes(serial: Path) -> None:
    listed = "block, shifted, best, ladder or shortcut"
    with pytest.raises(parablock.Error, match=f"pairing: expected {listed}, got 'odd'"):
        parablock.from_pretrained(serial).drift(pairing="odd")
    for command in ("drift", "optimize"):
        for name in listed.replace(" or ", ", ").split(", "):
            parsed = make_parser().parse_args([command, "model", f"--pairing={name}"])
            assert parsed.pairing == name
