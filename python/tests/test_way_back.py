# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folders of save_pretrained in transformers and in Parablock, against float64."""

from __future__ import annotations

import contextlib
import copy
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import oracle
import pytest
import torch
import transformers as hf
from build_tree import BIN
from families import FAMILIES, make_inputs, randomise
from newest_folders import run_folders
from oracle import check_near, get_distance, run_exactly
from test_drift_choice import DATA, TRAINED
from transformers import AttentionInterface, AttentionMaskInterface, masking_utils

import parablock
from parablock.weights import read_file, read_safetensors

hf.utils.logging.disable_progress_bar()

#: The folder of the newest version, which `./check --full` installs beside the pinned one.
_NEWEST = os.environ.get("PARABLOCK_NEWEST_TRANSFORMERS", "")

#: Families with code for parallel pairs.
NAMES = ("llama", "gpt2", "mistral", "qwen2", "qwen3", "gpt_neox-serial", "opt", "gemma2", "gemma3_text")
FORMS: dict[str, dict[str, Any]] = {
    "serial": {"parallel": "none"},
    "all": {"parallel": "all"},
    "one": {"parallel": "1", "scale": 0.7071067811865476, "mlp_scale": 0.9},
    "shifted": {"parallel": "all", "pairing": "shifted", "attn_scale": 0.8},
    "lossy": {"parallel": "all", "norm": "shared-lossy"},
    "lossy-shifted": {"parallel": "0+", "norm": "shared-lossy", "scale": 0.9},
    "shared": {"parallel": "0,1", "norm": "shared"},
    "ladder": {"parallel": "all", "pairing": "ladder"},
    "rung": {"parallel": "1", "pairing": "ladder", "scale": 0.9, "mlp_scale": 0.7},
}
PAIRS = {
    "serial": [],
    "all": ["0", "1"],
    "one": ["1"],
    "shifted": ["0+"],
    "lossy": ["0", "1"],
    "lossy-shifted": ["0+"],
    "shared": ["0", "1"],
    "ladder": ["0", "1"],
    "rung": ["1"],
}
#: The cases of every day; the others belong to a full run.
DAILY = {("llama", "all"), ("llama", "shifted"), ("gpt2", "lossy-shifted"), ("llama", "serial"), ("gpt2", "one"),
         ("llama", "ladder"), ("gpt2", "rung")}
CASES = [
    pytest.param(name, form, marks=() if (name, form) in DAILY else (pytest.mark.full,))
    for name in NAMES
    for form in FORMS
]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Folders of small models by family, which transformers wrote."""
    made: dict[str, Path] = {}

    def make(name: str) -> Path:
        if name not in made:
            made[name] = tmp_path_factory.mktemp("source") / name
            FAMILIES[name].make().save_pretrained(made[name])
        return made[name]

    return make


def load(folder: Path, **options: Any) -> Any:
    """The model that transformers makes of a folder, in evaluation mode."""
    return hf.AutoModelForCausalLM.from_pretrained(folder, trust_remote_code=True, **options).eval()


def convert(source: Path, folder: Path, **options: Any) -> parablock.Model:
    """Saves a converted model, and returns it."""
    model = parablock.from_pretrained(source).optimize(**options)
    assert model.save_pretrained(folder) == folder
    return model


def _list_stamps(model: parablock.Model) -> dict[str, Any]:
    layers = model.count()["layers"]
    return {layer["name"]: (layer["form"], layer["approx"]) for layer in layers}


@pytest.mark.parametrize(("name", "form"), CASES)
def test_logits(name: str, form: str, sources: Callable[[str], Path], tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    model = convert(sources(name), folder, **FORMS[form])
    (ids,) = make_inputs(FAMILIES[name])
    there = load(folder)
    exact = run_exactly(there, (ids,)).logits
    check_near(model.compile()(ids.numpy())["logits"], exact)
    serial = get_distance(run_exactly(load(sources(name)), (ids,)).logits, exact)
    assert (serial == 0) == (form == "serial") and (serial == 0 or serial > 1e-2)
    # It is the conversion that it was, for its readers and in IR.
    config = json.loads((folder / "config.json").read_text())
    assert config.get("parablock", {}).get("chosen", []) == PAIRS[form]
    assert (folder / "parablock_pairs.py").exists() == (form != "serial")
    card = (folder / "README.md").read_text() if form != "serial" else ""
    assert ("(a ladder)" in card) == (FORMS[form].get("pairing") == "ladder")
    again = parablock.from_pretrained(folder)
    check_near(again.compile()(ids.numpy())["logits"], exact)
    assert _list_stamps(again.optimize()) == _list_stamps(model)
    # Caches, and hidden states of the model's width, in transformers.
    tokens = [
        there.generate(ids, max_new_tokens=5, do_sample=False, use_cache=cached, pad_token_id=0)
        for cached in (True, False)
    ]
    assert torch.equal(*tokens)
    states = there(ids, output_hidden_states=True).hidden_states
    assert [state.shape for state in states] == [(*ids.shape, 48)] * 3


@pytest.mark.parametrize("form", ["all", "shifted", "ladder"])
@pytest.mark.parametrize(
    "name", ["gpt2", *(pytest.param(name, marks=pytest.mark.full) for name in ("llama", "gemma3_text"))]
)
def test_generated_tokens_and_padding(
    name: str, form: str, sources: Callable[[str], Path], tmp_path: Path
) -> None:
    model = convert(sources(name), tmp_path / "saved", **FORMS[form])
    there = load(tmp_path / "saved")
    (ids,) = make_inputs(FAMILIES[name])
    rows = [ids[0].tolist(), ids[1, 4:].tolist()]
    wanted = [model.generator().generate([row], max_new_tokens=8)[0] for row in rows]
    padded = torch.tensor([rows[0], [0] * 4 + rows[1]])
    mask = torch.tensor([[1] * 11, [0] * 4 + [1] * 7])
    found = there.generate(padded, attention_mask=mask, max_new_tokens=8, do_sample=False, pad_token_id=0)
    for row, own, expected in zip(found, rows, wanted, strict=True):
        expected = np.asarray(expected).reshape(-1)[-8:].tolist()
        assert row[-8:].tolist() == expected and len(own) > 4


@contextlib.contextmanager
def in_float64() -> Iterator[None]:
    """Computes in float64 where model code asks for float32, too."""
    torch.set_default_dtype(torch.float64)
    try:
        with oracle._Float64():
            yield
    finally:
        torch.set_default_dtype(torch.float32)


def _check_checkpoints(module: Any, ids: torch.Tensor, has_pairs_across: bool) -> None:
    """Compares gradients in training mode with those of checkpoints, dropout included."""
    found: list[dict[str, torch.Tensor]] = []
    module.train()
    for is_replayed in (False, True):
        if is_replayed:
            options = {"use_reentrant": False}
            module.gradient_checkpointing_enable(gradient_checkpointing_kwargs=options)
        module.zero_grad()
        torch.manual_seed(5)
        module(ids, labels=ids).loss.backward()
        found.append({n: p.grad.clone() for n, p in module.named_parameters() if p.grad is not None})
    assert {*found[0]} == {*found[1]}
    for n, gradient in found[0].items():
        assert get_distance(found[1][n], gradient.double()) < 1e-5, n
    if has_pairs_across:
        options = {"use_reentrant": True}
        module.gradient_checkpointing_enable(gradient_checkpointing_kwargs=options)
        with pytest.raises(RuntimeError, match="use_reentrant=False"):
            module(ids, labels=ids)
    module.gradient_checkpointing_disable()


def _check_gradients(module: Any, ids: torch.Tensor) -> dict[str, torch.Tensor]:
    """Compares gradients with finite differences."""

    def measure() -> Any:
        return module(ids, labels=ids).loss

    measure().backward()
    parameters = dict(module.named_parameters())
    gradients = {n: p.grad.clone() for n, p in parameters.items() if p.grad is not None}
    generator = torch.Generator().manual_seed(3)
    steps = {n: torch.randn(g.shape, generator=generator) for n, g in gradients.items()}
    slope = sum(float((steps[n] * gradients[n]).sum()) for n in steps)
    start = {n: parameters[n].detach().clone() for n in steps}

    def differ(size: float) -> float:
        ends = []
        for step in (size, -size):
            with torch.no_grad():
                for n, direction in steps.items():
                    parameters[n].copy_(start[n] + step * direction)
                ends.append(float(measure()))
        return (ends[0] - ends[1]) / (2 * size)

    # Extrapolated to a step of 0: a slope may be small beside the curvature.
    assert (4 * differ(5e-6) - differ(1e-5)) / 3 == pytest.approx(slope, rel=1e-5)
    with torch.no_grad():
        for n, value in start.items():
            parameters[n].copy_(value)
    return gradients


@pytest.mark.parametrize(
    ("name", "form"),
    [
        pytest.param(name, form, marks=() if name == "gpt2" and form in ("shifted", "ladder") else pytest.mark.full)
        for name in NAMES
        for form in ("all", "shifted", "lossy-shifted", "ladder")
    ],
)
def test_training(name: str, form: str, sources: Callable[[str], Path], tmp_path: Path) -> None:
    """Gradients are those of finite differences, with checkpoints too, and what was trained loads."""
    convert(sources(name), tmp_path / "saved", **FORMS[form])
    module = load(tmp_path / "saved").double().eval()
    (ids,) = make_inputs(FAMILIES[name])
    with in_float64():
        gradients = _check_gradients(module, ids)
    _check_checkpoints(module.float(), ids, has_pairs_across=form != "all")
    parameters = dict(module.named_parameters())
    # A step, saved by transformers, is read by both.
    module.eval()
    with torch.no_grad():
        for n, gradient in gradients.items():
            parameters[n] -= 0.01 * gradient.float()
    module.save_pretrained(tmp_path / "trained")
    exact = run_exactly(load(tmp_path / "trained"), (ids,)).logits
    assert get_distance(run_exactly(module, (ids,)).logits, exact) < 1e-6
    with pytest.warns(UserWarning, match="changed after the conversion: its drift is unmeasured"):
        again = parablock.from_pretrained(tmp_path / "trained")
    check_near(again.compile()(ids.numpy())["logits"], exact)


@pytest.fixture(scope="module")
def refitted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, parablock.Model, parablock.Drift]:
    """The trained example with pairs that a refit corrected, saved beside a tokenizer of the source."""
    folder = tmp_path_factory.mktemp("refitted")
    serial = folder / "serial"
    serial.mkdir()
    for name in ("config.json", "model.safetensors"):
        (serial / name).write_bytes((TRAINED / name).read_bytes())
    (serial / "tokenizer.json").write_text("{}")
    (serial / "generation_config.json").write_text('{"eos_token_id": 7}')
    model = parablock.from_pretrained(serial)
    drift = model.drift(DATA, pairing="shifted", correction="refit", blocks="2+,5+", add_biases=True)
    made = model.optimize(parallel=drift)
    made.save_pretrained(folder / "saved", max_shard_size="2MB")
    return folder / "saved", made, drift


def test_refitted_weights(refitted: tuple[Path, parablock.Model, parablock.Drift]) -> None:
    folder, model, drift = refitted
    ids = read_safetensors(DATA)["input_ids"].array[:2]
    there = load(folder)
    exact = run_exactly(there, (torch.tensor(ids),)).logits
    check_near(model.compile()(ids)["logits"], exact)
    again = parablock.from_pretrained(folder)
    check_near(again.compile()(ids)["logits"], exact)
    model.save_onnx(folder.with_suffix(".onnx"))
    session = onnxruntime.InferenceSession(folder.with_suffix(".onnx"))
    check_near(session.run(None, {"input_ids": ids.astype(np.int64)})[0], exact)
    added = [each["name"] for each in drift.to_dict()["added_parameters"]]
    assert added and {*added} <= {name for name, _ in there.named_parameters()}
    section = json.loads((folder / "config.json").read_text())["parablock"]
    assert section["chosen"] == ["2+", "5+"] and section["correction"] == "refit"
    stamp = _list_stamps(again.optimize())["model.layers.2+"][1]
    assert float(stamp["measured"]) == pytest.approx(drift.to_dict()["measured_kl"], rel=1e-6)
    assert "correction=refit" in stamp["parameters"]
    assert (folder / "generation_config.json").exists() and (folder / "tokenizer.json").exists()
    assert again.special_tokens.stop == (7,)
    index = json.loads((folder / "model.safetensors.index.json").read_text())
    files = {*index["weight_map"].values()}
    assert len(files) > 1
    for file in files:
        assert read_file(folder / file)[1]["format"] == "pt"
    assert "KL divergence" in (folder / "README.md").read_text()


def test_saved_again(
    refitted: tuple[Path, parablock.Model, parablock.Drift], tmp_path: Path
) -> None:
    """A folder that was read is written as it is, in other types, too."""
    folder = refitted[0]
    parablock.from_pretrained(folder).save_pretrained(tmp_path / "again")
    first, second = ({**json.loads((f / "config.json").read_text())} for f in (folder, tmp_path / "again"))
    assert first == second
    narrow = parablock.from_pretrained(folder, dtype="bf16")
    narrow.save_pretrained(tmp_path / "narrow")
    there = load(tmp_path / "narrow")
    assert there.dtype == torch.bfloat16
    ids = torch.tensor(read_safetensors(DATA)["input_ids"].array[:1])
    exact = run_exactly(there, (ids,)).logits
    found = narrow.compile()(ids)["logits"]
    assert get_distance(torch.as_tensor(found), exact) < 2e-2


def test_without_parablock(refitted: tuple[Path, parablock.Model, parablock.Drift]) -> None:
    """transformers alone runs a folder."""
    folder, model, _ = refitted
    code = (
        "import sys; sys.modules['parablock'] = None; import torch, transformers; "
        f"m = transformers.AutoModelForCausalLM.from_pretrained({str(folder)!r}, trust_remote_code=True); "
        "print(m(torch.arange(9)[None]).logits[0, -1].argmax().item())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    wanted = model.compile()(np.arange(9)[None])["logits"][0, -1].argmax()
    assert done.stdout.strip() == str(wanted), done.stderr


def test_untrusted_code_is_no_serial_model(sources: Callable[[str], Path], tmp_path: Path) -> None:
    """No reader takes the weights for the serial model's."""
    convert(sources("llama"), tmp_path / "saved", parallel="all")
    with pytest.raises(ValueError, match="trust_remote_code"):
        hf.AutoModelForCausalLM.from_pretrained(tmp_path / "saved", trust_remote_code=False)
    done = subprocess.run(
        [BIN / "block-gen", f"--config={tmp_path / 'saved' / 'config.json'}", "--seq=4"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and "model type 'parablock_llama' is not supported" in done.stderr


@pytest.mark.skipif(
    not _NEWEST, reason="PARABLOCK_NEWEST_TRANSFORMERS names no folder of the newest transformers"
)
def test_newest_transformers(sources: Callable[[str], Path], tmp_path: Path) -> None:
    """The newest transformers computes of every family's folders what the pinned one does."""
    for name in NAMES:
        for form in ("all", "shifted", "ladder"):
            convert(sources(name), tmp_path / f"{name}-{form}", **FORMS[form])
    expected = run_folders(tmp_path)
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("newest_folders.py"), tmp_path],
        env={**os.environ, "PYTHONPATH": _NEWEST},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert Path(_NEWEST, f"transformers-{done.stdout.strip()}.dist-info").exists()
    found = np.load(tmp_path / "found.npz")
    assert {*found} == {*expected} and len(expected) == 12 * len(NAMES)
    for key, value in expected.items():
        folder, _, kind = key.partition(" ")
        if kind in ("cached", "uncached"):
            assert np.array_equal(found[key], found[f"{folder} uncached"]), key
        assert get_distance(torch.tensor(found[key]), torch.tensor(value).double()) < 1e-5, key


@pytest.mark.parametrize("name", NAMES)
def test_conditions_of_serving(name: str, sources: Callable[[str], Path], tmp_path: Path) -> None:
    """A foreign attention function serves the base class, and gets what a caller hands down."""
    convert(sources(name), tmp_path / "saved", parallel="0+")
    seen: list[Any] = []

    def attend(module: Any, *args: Any, **options: Any) -> Any:
        seen.append(options.get("foreign"))
        file = inspect.getmodule(type(module))
        return file.eager_attention_forward(module, *args, **options)

    AttentionInterface.register("foreign", attend)
    AttentionMaskInterface.register("foreign", masking_utils.ALL_MASK_ATTENTION_FUNCTIONS["eager"])
    config = hf.AutoConfig.from_pretrained(tmp_path / "saved", trust_remote_code=True)
    assert "AutoModel" in config.auto_map
    base = hf.AutoModel.from_pretrained(
        tmp_path / "saved", trust_remote_code=True, attn_implementation="foreign"
    ).eval()
    assert base._supports_attention_backend
    # Experts would have to be an attribute `experts` of their layer (test_way_back_experts.py).
    assert not any("expert" in part for part, _ in base.named_modules())
    (ids,) = make_inputs(FAMILIES[name])
    with torch.no_grad():
        found = base(ids, foreign=5).last_hidden_state
    assert seen == [5, 5]
    there = load(tmp_path / "saved", attn_implementation="eager")
    with torch.no_grad():
        expected = there.base_model(ids).last_hidden_state
    assert get_distance(found, expected.double()) < 1e-5


def test_moves_and_copies(sources: Callable[[str], Path], tmp_path: Path) -> None:
    convert(sources("llama"), tmp_path / "saved", parallel="0+")
    there = load(tmp_path / "saved")
    (ids,) = make_inputs(FAMILIES["llama"])
    wanted = there(ids).logits
    assert torch.equal(copy.deepcopy(there)(ids).logits, wanted)
    assert get_distance(there.to(torch.bfloat16)(ids).logits, wanted.double()) < 0.1
    narrow = load(tmp_path / "saved", dtype=torch.bfloat16)
    assert narrow.dtype == torch.bfloat16


def test_plain_folder(sources: Callable[[str], Path], tmp_path: Path) -> None:
    """A serial model is the checkpoint that it was, parts that the IR lacks included."""
    config = hf.BertConfig(
        vocab_size=97, hidden_size=48, num_hidden_layers=2, num_attention_heads=4, intermediate_size=72
    )
    module = hf.BertForPreTraining(config).eval()
    randomise(module)
    module.save_pretrained(tmp_path / "source")
    model = parablock.from_pretrained(tmp_path / "source")
    # Layers whose stream is normalised between the branches do not become a ladder.
    with pytest.raises(parablock.Error, match=r"got one without any; explain\(\) has the reasons: omit parallel="):
        model.optimize(parallel="all", pairing="ladder").save_pretrained(tmp_path / "saved")
    assert not (tmp_path / "saved").exists()
    model.optimize().save_pretrained(tmp_path / "saved")
    one, other = (read_file(tmp_path / f / "model.safetensors")[0] for f in ("source", "saved"))
    assert {*one} == {*other}
    assert all(np.array_equal(one[name].array, other[name].array) for name in one)
    there = hf.BertForPreTraining.from_pretrained(tmp_path / "saved")
    for name, parameter in module.named_parameters():
        assert torch.equal(there.get_parameter(name), parameter)
    assert not (tmp_path / "saved" / "parablock_pairs.py").exists()


def test_refusals(sources: Callable[[str], Path], tmp_path: Path) -> None:
    model = parablock.from_pretrained(sources("llama"))
    (ids,) = make_inputs(FAMILIES["llama"])
    module = FAMILIES["llama"].make()
    with pytest.raises(parablock.Error, match="requires a model of from_pretrained.*got another one: save the module"):
        parablock.from_torch(module, (ids,)).save_pretrained(tmp_path / "no")
    with pytest.raises(parablock.Error, match=r"'max_shard_size' requires .*, got '5 G'"):
        model.save_pretrained(tmp_path / "no", max_shard_size="5 G")
    with pytest.raises(parablock.Error, match="is the folder that the model was read from"):
        model.save_pretrained(sources("llama"))
    FAMILIES["falcon-rw"].make().save_pretrained(tmp_path / "falcon")
    falcon = parablock.from_pretrained(tmp_path / "falcon").optimize(parallel="all")
    with pytest.raises(parablock.Error, match=r"of model type 'falcon', only for bert, deepseek_v3, .* or keep a package"):
        falcon.save_pretrained(tmp_path / "no")
    assert not (tmp_path / "no").exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "config.json").write_text("{}")
    (tmp_path / "mine" / "optimizer.state").write_text("precious")
    with pytest.raises(parablock.Error, match="nothing but a checkpoint.*got 'optimizer.state'"):
        model.save_pretrained(tmp_path / "mine")
    convert(sources("llama"), tmp_path / "once", parallel="0")
    twice = parablock.from_pretrained(tmp_path / "once").optimize(parallel="1")
    with pytest.raises(parablock.Error, match="converted once: its checkpoint has the pairs 0, .*made 0,1"):
        twice.save_pretrained(tmp_path / "twice")
    # What was written before gives way.
    convert(sources("llama"), tmp_path / "once", parallel="1")
    assert parablock.from_pretrained(tmp_path / "once").count()["layers"][1]["form"] == "parallel"


@pytest.mark.parametrize(
    ("change", "there", "here"),
    [
        ({"schema": 2}, "schema 1", "schema 1 and 'chosen'"),
        ({"norm": "none"}, "'norm' requires one of", "expected .* norm|norm"),
        ({"chosen": ["7"]}, r"pair '7' requires layers \[7\], got 2", "7"),
        ({"chosen": ["0", "0+"]}, "in another pair", "0"),
        ({"scales": {"sale": 2.0}}, "'scales' has no entry 'sale'", "sale"),
        ({"scales": [1]}, None, "'scales' of 'parablock' requires an object"),
        ({"chosen": [1]}, None, "'chosen', a list of pairs"),
        ({"correction": "refit"}, None, "requires 'model_hash'"),
        ({"pairing": "both"}, "'pairing' requires 'ladder' or 'shortcut', got 'both'", "'pairing' of 'parablock' requires"),
        ({"pairing": "ladder", "norm": "shared"}, "shortcuts require the norm 'separate', got 'shared'", "norm"),
        ({"pairing": "ladder", "chosen": ["0+"]}, r"a ladder requires layers, got pair '0\+'", "0"),
    ],
)
def test_broken_sections(
    change: dict[str, Any], there: str | None, here: str, sources: Callable[[str], Path], tmp_path: Path
) -> None:
    convert(sources("llama"), tmp_path / "saved", parallel="0")
    path = tmp_path / "saved" / "config.json"
    config = json.loads(path.read_text())
    config["parablock"].update(change)
    path.write_text(json.dumps(config))
    if there is not None:
        with pytest.raises(ValueError, match=there):
            load(tmp_path / "saved")
    with pytest.raises(parablock.Error, match=here) as caught:
        parablock.from_pretrained(tmp_path / "saved")
    assert str(path) in str(caught.value)
