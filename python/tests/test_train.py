# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m parablock train` on models of a moment."""

from __future__ import annotations

import ctypes
import json
import os
import random
import signal
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import torch
import transformers
from build_tree import BIN
from safetensors.torch import load_file, save_file

from parablock import Error, from_mlir
from parablock.__main__ import main
from parablock_studies.trainer import checkpoint, paired, tables
from parablock_studies.trainer.run import Run, compute_loss
from parablock_studies.trainer.settings import FORMS, Settings
from parablock_studies.trainer.text import Text, read_text

SMALL: dict[str, Any] = {
    **{"layers": 2, "width": 32, "heads": 2, "tokens": 16, "batch": 2},
    **{"steps": 20, "learning_rate": 3e-3},
}
OPTIONS = [f"--{name.replace('_', '-')}={value}" for name, value in SMALL.items()]
CASES = [(form, "all") for form in FORMS] + [("nanogpt-palm", "upper"), ("sas-p", "1")]
#: Those that PyTorch trains beside us every day: every other one.
EVERYDAY = CASES[::2]
#: Relative, of the losses of 20 steps in f32: what two orders of sums may do.
TOLERANCE = 2e-5


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some 10 kB of words, drawn by a seed."""
    draw = random.Random(3)
    words = ["the ", "cat ", "sat ", "on ", "a ", "mat.\n", "and ", "then ", "slept. "]
    path = tmp_path_factory.mktemp("text") / "words.txt"
    path.write_text("".join(draw.choice(words) for _ in range(2500)))
    return path


@pytest.fixture(scope="module")
def text(data: Path) -> Text:
    return read_text(data, SMALL["tokens"])


def _train(text: Text, steps: int | None = None, **options: Any) -> Run:
    """A run that has done its steps."""
    run = Run(Settings(**{**SMALL, **options}), text)
    run.prepare()
    for _ in range(run.settings.steps if steps is None else steps):
        run.advance()
    return run


def _command(data: Path, out: Path, *options: str) -> int:
    common = [f"--data={data}", f"--out={out}", "--no-memory", "--held-out-rows=8"]
    return main(["train", *common, *OPTIONS, *options])


# Numbers ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "part"),
    [pytest.param(*c, marks=() if c in EVERYDAY else pytest.mark.full) for c in CASES],
)
def test_losses_are_those_of_torch(text: Text, form: str, part: str) -> None:
    ours = _train(text, form=form, parallel_layers=part)
    assert ours.engine is not None
    own = _train(text, form=form, parallel_layers=part, engine="torch")
    assert own.engine is None
    assert ours.history.losses[-1] < 0.8 * ours.history.losses[0]
    for mine, other in zip(ours.history.losses, own.history.losses, strict=True):
        assert abs(mine - other) <= TOLERANCE * other


@pytest.mark.parametrize("form", ["nanogpt-palm", "sas"])
def test_a_budget_lowers_the_peak_alone(text: Text, form: str) -> None:
    run, least = (_train(text, form=form, memory_budget=budget) for budget in ("100%", "min"))
    assert run.engine is not None and least.engine is not None
    peaks = [each.engine.count()["step"]["peak_bytes"] for each in (run, least)]
    assert peaks[1] < peaks[0]
    assert run.history.losses == least.history.losses


@pytest.mark.full
def test_compiled_torch_trains_the_same(text: Text) -> None:
    ours = _train(text, steps=3)
    other = _train(text, steps=3, engine="torch-compile")
    for mine, wanted in zip(ours.history.losses, other.history.losses, strict=True):
        assert abs(mine - wanted) <= TOLERANCE * wanted


@pytest.mark.parametrize("form", [form for form in FORMS if form != "pre-ln"])
def test_weights_are_those_of_the_family(text: Text, form: str, tmp_path: Path) -> None:
    """The family of the form's name computes the module's logits from its weights."""
    run = _train(text, steps=3, form=form, engine="torch")
    sizes = ["--layers=2", "--width=32", "--heads=2", "--hidden=128", "--vocab=256"]
    sizes += ["--batch=2", "--seq=16"]
    if form not in ("nanogpt-modern", "nanogpt-palm"):
        sizes.append("--positions=16")
    mlir = tmp_path / "model.mlir"
    subprocess.run([BIN / "block-gen", f"--family={form}", *sizes, "-o", str(mlir)], check=True)
    run.module.save_pretrained(tmp_path)
    model = from_mlir(mlir, tmp_path / "model.safetensors")
    ids = text.draw(9, 0, 2, 16)[:, :-1]
    found = model.compile("reference")(input_ids=ids)["logits"]
    with torch.no_grad():
        expected = run.module(ids).logits
    torch.testing.assert_close(torch.as_tensor(found), expected, rtol=1e-4, atol=1e-5)


def test_counts_of_published_sizes() -> None:
    """18 layers of width 768 without values and outputs: an eighth less."""
    sizes: dict[str, Any] = {"layers": 18, "width": 768, "heads": 12, "tokens": 1024}
    with torch.device("meta"):
        counts = {
            form: sum(p.numel() for p in Settings(form=form, **sizes).make_module().parameters())
            for form in ("pre-ln", "sas", "sas-p", "no-norm")
        }
    # With 50000 tokens instead of 256.
    counts = {form: count + (50000 - 256) * 768 for form, count in counts.items()}
    assert counts["pre-ln"] == 166645248
    for form in ("sas", "sas-p", "no-norm"):
        assert round(100 * (counts[form] / counts["pre-ln"] - 1), 1) == -12.4


# Checkpoints ------------------------------------------------------------------


def _list_state(folder: Path) -> tuple[Any, ...]:
    """All that later steps depend on, bit for bit."""
    state = json.loads((folder / "training.json").read_text())
    files = [(folder / name).read_bytes() for name in ("model.safetensors", "optimizer.safetensors")]
    return (*files, state["history"]["losses"], state["history"]["held_out"])


@pytest.mark.parametrize(("form", "engine"), [("nanogpt-palm", "parablock"), ("sas", "torch")])
def test_resumed_is_uninterrupted(data: Path, tmp_path: Path, form: str, engine: str) -> None:
    options = [f"--form={form}", f"--engine={engine}"]
    assert _command(data, tmp_path / "whole", *options) == 0
    assert _command(data, tmp_path / "parts", *options, "--stop=3") == 0
    name = f"{form}-{engine}-seed1"
    state = json.loads((tmp_path / "parts" / name / "training.json").read_text())
    assert len(state["history"]["losses"]) == 3
    assert _command(data, tmp_path / "parts", *options, "--stop=11", "--resume") == 0
    assert _command(data, tmp_path / "parts", *options, "--resume") == 0
    assert _list_state(tmp_path / "parts" / name) == _list_state(tmp_path / "whole" / name)


def test_an_interrupt_leaves_a_checkpoint(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ["--form=pre-ln,sas", "--engine=torch"]
    handler = signal.getsignal(signal.SIGINT)
    assert _command(data, tmp_path / "whole", *options) == 0
    advance: Callable[[Run], float] = Run.advance

    def interrupt(run: Run) -> float:
        if run.history.step == 4 and run.settings.form == "pre-ln":
            os.kill(os.getpid(), signal.SIGINT)
        return advance(run)

    monkeypatch.setattr(Run, "advance", interrupt)
    assert _command(data, tmp_path / "parts", *options) == 130
    monkeypatch.undo()
    assert signal.getsignal(signal.SIGINT) is handler
    for form in ("pre-ln", "sas"):
        name = f"{form}-torch-seed1"
        state = json.loads((tmp_path / "parts" / name / "training.json").read_text())
        assert len(state["history"]["losses"]) == 5
    assert _command(data, tmp_path / "parts", *options, "--resume") == 0
    for form in ("pre-ln", "sas"):
        name = f"{form}-torch-seed1"
        assert _list_state(tmp_path / "parts" / name) == _list_state(tmp_path / "whole" / name)


@pytest.mark.parametrize(("form", "part"), CASES)
def test_checkpoints_load_into_transformers(
    text: Text, tmp_path: Path, form: str, part: str
) -> None:
    run = _train(text, steps=2, form=form, parallel_layers=part, engine="torch")
    checkpoint.save(run, text, tmp_path / "kept")
    loaded = transformers.AutoModelForCausalLM.from_pretrained(
        tmp_path / "kept", trust_remote_code=True
    )
    # The folder's own code, not the package's.
    assert type(loaded) is not type(run.module)
    ids = text.draw(9, 0, 2, 16)[:, :-1]
    with torch.no_grad():
        assert torch.equal(loaded(ids).logits, run.module(ids).logits)


def test_a_checkpoint_takes_the_place_of_a_checkpoint_alone(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "pre-ln-torch-seed1"
    folder.mkdir()
    (folder / "thesis.txt").write_text("mine")
    assert _command(data, tmp_path, "--form=pre-ln", "--engine=torch") == 1
    assert "expected a checkpoint to replace, or nothing" in capsys.readouterr().err
    assert (folder / "thesis.txt").read_text() == "mine"


# Errors -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--form=nanogpt"], "--form: expected some of nanogpt-modern"),
        (["--engine=jax"], "--engine: expected some of parablock, torch"),
        (["--data=/nowhere/text"], "'/nowhere/text': No such file"),
        (["--tokens=4096"], "expected at least 4097 bytes that is held out"),
        (["--heads=3"], "--heads: expected heads of an even width, got 3"),
        (["--form=sas", "--parallel-layers=0"], "--parallel-layers: expected a form among"),
        (["--parallel-layers=0,2"], "expected all, upper, or layers from 0 to 1"),
        (["--seed=one"], "--seed: expected numbers"),
        (["--engine=torch", "--memory-budget=min"], "expected the engine parablock"),
        (["--device=gpu"], "--device: expected cpu, cuda or cuda:N, got 'gpu'"),
        (
            ["--device=cuda", "--engine=torch"],
            "--device=cuda: expected --engine=parablock, got 'torch'",
        ),
        (
            ["--device=cuda", "--memory-budget=min"],
            "--memory-budget: expected --device=cpu, got 'cuda'",
        ),
        (["--memory-budget=much"], "option 'memory_budget' requires None, bytes"),
        (["--resume"], "--resume: expected a checkpoint such as"),
    ],
)
def test_errors_are_one_line(
    data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: Sequence[str],
    message: str,
) -> None:
    assert _command(data, tmp_path, "--form=nanogpt-palm", *options) == 1
    lines = capsys.readouterr().err.strip().splitlines()
    lines = [line for line in lines if not line.endswith("step 0")]
    assert len(lines) == 1 and lines[0].startswith("error: ")
    assert message in lines[0]


@pytest.mark.parametrize("option", ["--steps=0", "--clip=-1", "--warmup=1", "--batch=x"])
def test_numbers_out_of_range(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["train", option])
    assert stop.value.code == 1
    assert option.split("=")[0] in capsys.readouterr().err


def _spoil(name: str) -> Callable[[Path], None]:
    def truncate(folder: Path) -> None:
        path = folder / name
        path.write_bytes(path.read_bytes()[:-100])

    return truncate


def _lose(folder: Path) -> None:
    tensors = load_file(folder / "optimizer.safetensors")
    del tensors["exp_avg.transformer.wte.weight"]
    save_file(tensors, folder / "optimizer.safetensors")


def _widen(folder: Path) -> None:
    tensors = load_file(folder / "model.safetensors")
    tensors["transformer.wte.weight"] = torch.zeros(256, 33)
    save_file(tensors, folder / "model.safetensors")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_spoil("training.json"), "JSONDecodeError"),
        (_spoil("model.safetensors"), "SafetensorError"),
        (_spoil("optimizer.safetensors"), "SafetensorError"),
        (_lose, "exp_avg.transformer.wte.weight"),
        (_widen, r"size mismatch for"),
        (lambda folder: (folder / "model.safetensors").unlink(), "No such file"),
    ],
)
def test_bad_checkpoints(
    text: Text, tmp_path: Path, spoil: Callable[[Path], None], message: str
) -> None:
    run = _train(text, steps=1, form="pre-ln", engine="torch")
    checkpoint.save(run, text, tmp_path / "c")
    assert checkpoint.load(run.settings, text, tmp_path / "c").history.step == 1
    spoil(tmp_path / "c")
    with pytest.raises(Error, match=message) as caught:
        checkpoint.load(run.settings, text, tmp_path / "c")
    assert "\n" not in str(caught.value)


def test_other_settings_do_not_resume(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--form=pre-ln", "--engine=torch", "--stop=2"]
    assert _command(data, tmp_path, *options) == 0
    assert _command(data, tmp_path, *options) == 1
    assert "--resume goes on with it" in capsys.readouterr().err
    assert _command(data, tmp_path, *options, "--resume", "--steps=21") == 1
    assert "was trained with steps = 20, and 21 is asked for" in capsys.readouterr().err
    other = tmp_path / "other.txt"
    other.write_bytes(data.read_bytes()[::-1])
    assert _command(data, tmp_path, *options, "--resume", f"--data={other}") == 1
    assert "was trained with sha256 of the text" in capsys.readouterr().err


def test_a_loss_that_is_no_number(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--form=no-norm", "--engine=torch", "--learning-rate=1e30", "--clip=1e30"]
    assert _command(data, tmp_path, *options) == 1
    assert "no-norm-torch-seed1: the loss of step" in capsys.readouterr().err


# Results ----------------------------------------------------------------------


def _read(out: Path) -> Any:
    return json.loads((out / "results.json").read_text())


def test_results_tables_and_pictures(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--form=pre-ln,sas", "--engine=torch", "--seed=1,2,3", "--steps=5"]
    assert _command(data, tmp_path, *options) == 0
    table = capsys.readouterr().out
    found = _read(tmp_path)
    assert [(run["label"], run["seed"]) for run in found["runs"]] == [
        (form, seed) for seed in (1, 2, 3) for form in ("pre-ln", "sas")
    ]
    losses = {
        form: [run["held_out_loss"] for run in found["runs"] if run["label"] == form]
        for form in ("pre-ln", "sas")
    }
    (loss, time) = found["comparisons"]
    wanted = paired.compare(losses["sas"], losses["pre-ln"])
    assert wanted is not None
    assert (loss["mean"], loss["low"], loss["p"]) == (wanted.mean, wanted.low, wanted.p)
    assert (loss["quantity"], time["quantity"], loss["seeds"]) == ("loss", "time", 3)
    assert (tmp_path / "results.md").read_text() == table
    assert "124 million parameters on eight GPUs" in table
    assert f"{wanted.mean:.5f} | {wanted.low:.5f} to {wanted.high:.5f}" in table
    for name in ("loss-by-step", "loss-by-second", "ms-a-step"):
        drawing = ElementTree.parse(tmp_path / f"{name}.svg").getroot()
        texts = "".join(drawing.itertext())
        assert "pre-ln, torch" in texts and "sas, torch" in texts
        for line in drawing.iter("{http://www.w3.org/2000/svg}polyline"):
            x, y = zip(*(map(float, at.split(",")) for at in line.attrib["points"].split()))
            assert 0 <= min(x) <= max(x) <= 780 and 0 <= min(y) <= max(y) <= 400


def test_one_seed_says_nothing(data: Path, tmp_path: Path) -> None:
    assert _command(data, tmp_path, "--form=pre-ln,sas", "--engine=torch") == 0
    assert all(each["significant"] is None for each in _read(tmp_path)["comparisons"])
    assert "one seed gives no interval" in (tmp_path / "results.md").read_text()


def test_memory_is_predicted_and_measured(data: Path, tmp_path: Path) -> None:
    base = [f"--data={data}", f"--out={tmp_path}", "--steps=1", "--form=pre-ln"]
    sizes = ["--layers=2", "--width=64", "--heads=2", "--tokens=128", "--batch=32"]
    assert main(["train", *base, *sizes, "--engine=parablock,torch"]) == 0
    memory = _read(tmp_path)["memory"]
    ours, other = memory["pre-ln parablock"], memory["pre-ln torch"]
    assert other["predicted"] is None
    # What a step has to hold: gradients and logits.
    bound = 4 * 2 * 12 * 64**2 + 4 * 32 * 128 * 256
    assert bound < ours["predicted"] < ours["measured"] < ours["process"]
    # The logits are gone by then.
    logits = 4 * 32 * 128 * 256
    assert ours["predicted"] - logits <= ours["allocated"] <= ours["predicted"]
    assert ours["measured"] < 2 * ours["predicted"]
    assert bound < other["measured"] < other["process"]
    assert (tmp_path / "memory.svg").exists()
    out = tmp_path / "least"
    options = [*base[:1], *base[2:], *sizes, f"--out={out}", "--memory-budget=min"]
    assert main(["train", *options]) == 0
    least = _read(out)["memory"]["pre-ln parablock"]
    assert least["predicted"] < 0.8 * ours["predicted"]
    assert least["measured"] < ours["measured"]


BASE = ["--form=sas-p", "--engine=torch"]


@pytest.fixture(scope="module")
def usual(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    out = tmp_path_factory.mktemp("usual")
    assert _command(data, out, *BASE) == 0
    return _read(out)


@pytest.mark.parametrize(
    "option",
    [
        *("--form=sas", "--parallel-layers=0", "--layers=3", "--width=64", "--heads=4"),
        *("--tokens=8", "--batch=3", "--steps=21", "--learning-rate=1e-3", "--warmup=0.5"),
        *("--weight-decay=0.9", "--clip=0.01", "--seed=2", "--held-out-rows=9"),
    ],
)
def test_options_change_losses(data: Path, tmp_path: Path, usual: Any, option: str) -> None:
    assert _command(data, tmp_path, *BASE, option) == 0
    (own,), (run,) = usual["runs"], _read(tmp_path)["runs"]
    assert run["held_out_loss"] != own["held_out_loss"]


def test_other_options(data: Path, tmp_path: Path, usual: Any) -> None:
    options = ["--threads=2", "--save-every=7"]
    assert _command(data, tmp_path, *BASE, *options) == 0
    found = _read(tmp_path)
    assert found["settings"]["threads"] == 2 != usual["settings"]["threads"]
    assert list(found["runs"][0]["held_out"]) == ["7", "14", "20"]
    assert list(usual["runs"][0]["held_out"]) == ["20"]
    assert found["corpus"]["text"] == "words.txt"
    own = ["--layers=1", "--width=16", "--heads=2", "--tokens=8", "--batch=1", "--steps=1"]
    out = tmp_path / "own"
    assert main(["train", *BASE, *own, "--no-memory", f"--out={out}"]) == 0
    assert "standard library of Python" in _read(out)["corpus"]["text"]


# Statistics -------------------------------------------------------------------


def test_students_distribution() -> None:
    """Quantiles as printed tables have them."""
    for degrees, wanted in ((1, 12.706), (2, 4.303), (4, 2.776), (5, 2.571), (9, 2.262), (120, 1.980)):
        assert round(paired.find_quantile(0.95, degrees), 3) == wanted
    assert round(paired.find_quantile(0.99, 7), 3) == 3.499


def test_a_paired_comparison() -> None:
    """The hours of sleep of two drugs that Student's paper compares, in ten people."""
    first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    found = paired.compare(first, second)
    assert found is not None and found.count == 10
    assert round(found.mean, 2) == -1.58
    assert (round(found.low, 4), round(found.high, 4)) == (-2.4599, -0.7001)
    assert round(found.p, 6) == 0.002833
    assert paired.compare([1.0], [2.0]) is None
    same = paired.compare([1.0, 2.0], [1.0, 2.0])
    assert same is not None and same.p == 1.0 and same.low == 0.0


def test_holms_procedure() -> None:
    assert paired.find_significant([0.01, 0.04, 0.03, 0.005]) == [True, False, False, True]
    assert paired.find_significant([]) == []


@pytest.mark.parametrize(
    ("quantity", "low", "high", "significant", "verdict"),
    [
        ("loss", -0.23, -0.08, True, "yes"),
        ("loss", -0.23, -0.08, False, "alone"),
        ("loss", -0.03, 0.02, False, "no"),
        ("time", 0.84, 0.98, False, "alone"),
        ("time", 0.97, 1.02, False, "no"),
    ],
)
def test_what_is_significant_alone(
    quantity: str, low: float, high: float, significant: bool, verdict: str
) -> None:
    """An interval is of one comparison, what is significant is so among all."""
    each = {
        "quantity": quantity,
        "of": ["a", "parablock"],
        "with": ["b", "parablock"],
        "seeds": 3,
        "mean": (low + high) / 2,
        "low": low,
        "high": high,
        "p": 0.012,
        "significant": significant,
    }
    row = tables.write_comparisons({"comparisons": [each]}).splitlines()[2]
    assert row.endswith(f"| {verdict} |")


def test_the_pair_on_a_device_is_that_of_the_cpu(
    fake_driver: ctypes.CDLL, data: Path, tmp_path: Path
) -> None:
    own = [*OPTIONS, "--steps=3", "--warmup=0.5", f"--data={data}", "--held-out-rows=8"]
    losses = {}
    for device in ("cpu", "cuda"):
        out = tmp_path / device
        assert main(["train", *own, f"--device={device}", f"--out={out}"]) == 0
        found = _read(out)
        losses[device] = {run["form"]: run["curve"] for run in found["runs"]}
        for form in ("nanogpt-modern", "nanogpt-palm"):
            memory = found["memory"][f"{form} parablock"]
            assert memory["measured"] and bool(memory["device"]) == (device == "cuda")
            assert all(run["median_ms"] > 0 for run in found["runs"])
    assert "steps on cuda" in (tmp_path / "cuda" / "results.md").read_text()
    for form, curve in losses["cpu"].items():
        mine = [loss for _, _, loss in losses["cuda"][form]]
        wanted = [loss for _, _, loss in curve]
        assert len(mine) == 3 and wanted[2] < wanted[0]
        assert mine == pytest.approx(wanted, rel=TOLERANCE)
