# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m parablock`, with good and bad input."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from parablock.__main__ import main
from parablock_studies.bench import peers
from parablock.weights import read_safetensors, write_safetensors


@pytest.fixture(scope="module")
def files(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """IR and its weights, inputs, and files that are neither."""
    folder = tmp_path_factory.mktemp("files")
    expected = np.load(checkpoint / "expected.npz")
    ids = expected["ids"]
    write_safetensors(folder / "in.safetensors", [("input_ids", ids, "i64")])
    wrong = ids.astype(np.int32)
    write_safetensors(folder / "i32.safetensors", [("input_ids", wrong, "i32")])
    assert main(["import", str(checkpoint), "-o", str(folder / "m.mlir")]) == 0
    (folder / "bad.mlir").write_text("func.func @main(")
    (folder / "bad.safetensors").write_bytes(b"\x00")
    (folder / "empty").mkdir()
    (folder / "bare").mkdir()
    shutil.copy(checkpoint / "config.json", folder / "bare")
    return folder


def test_import_and_optimize(files: Path, checkpoint: Path, tmp_path: Path) -> None:
    assert "block.layer" in (files / "m.mlir").read_text()
    path = tmp_path / "o.mlir"
    options = ["--chip=sm_90a", "--require=block-form-kernels", "-o", str(path)]
    assert main(["optimize", str(checkpoint), *options]) == 0
    serial = path.read_text()
    assert "block.kernel" in serial
    assert main(["optimize", str(files / "m.mlir"), "--parallel=0, 1", *options]) == 0
    assert path.read_text() != serial


def test_how_layers_become_parallel(checkpoint: Path, tmp_path: Path) -> None:
    """Each choice stands in the stamp; --output is the long form of -o."""
    texts = {}
    for flag in ("--pairing=block", "--pairing=shifted", "--norm=shared", "--norm=shared-lossy"):
        path = tmp_path / "o.mlir"
        options = ["--parallel=all", flag, "--output", str(path)]
        assert main(["optimize", str(checkpoint), *options]) == 0
        texts[flag] = path.read_text()
        name = flag.removeprefix("--")
        assert ("#block.approx" in texts[flag]) and (name in texts[flag] or "pairing" in flag)
    assert len(set(texts.values())) == len(texts)
    assert '"model.layers.0+"' in texts["--pairing=shifted"]
    assert '"model.layers.0+"' not in texts["--pairing=block"]
    assert main(["import", str(checkpoint), "--output", str(tmp_path / "m.mlir")]) == 0
    assert "block.layer" in (tmp_path / "m.mlir").read_text()
    page = tmp_path / "page.html"
    assert main(["report", str(checkpoint), "--output", str(page)]) == 0
    assert "<html" in page.read_text()


def test_explain(
    checkpoint: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "e.json"
    assert main(["explain", str(checkpoint), "--json", str(path)]) == 0
    assert "2 attention" in capsys.readouterr().out
    assert json.loads(path.read_text())["recognised"]["mlp"] == 2


def test_report_with_drift(checkpoint: Path, files: Path, tmp_path: Path) -> None:
    page = tmp_path / "r.html"
    data = ["--data", str(files / "in.safetensors"), "--budget-kl=100"]
    assert main(["report", str(checkpoint), *data, "-o", str(page)]) == 0
    assert "Chosen: 1. KL divergence: predicted" in page.read_text()


def test_drift(checkpoint: Path, files: Path, tmp_path: Path) -> None:
    report, choice = tmp_path / "d.json", tmp_path / "c.json"
    options = ["--json", str(report), "--choice", str(choice), "--budget-kl=100"]
    data = ["--data", str(files / "in.safetensors")]
    assert main(["drift", str(checkpoint), *data, *options]) == 0
    assert json.loads(report.read_text())["chosen"]
    page = tmp_path / "page.html"
    parallel = f"--parallel=@{choice}"
    assert main(["report", str(checkpoint), parallel, "-o", str(page)]) == 0
    assert "not exact" in page.read_text()


def test_how_drift_pairs(checkpoint: Path, files: Path, tmp_path: Path) -> None:
    report = tmp_path / "d.json"
    data = ["--data", str(files / "in.safetensors"), "--json", str(report)]
    measured = {}
    for flags in (
        ("--pairing=block", "--norm=separate"),
        ("--pairing=shifted", "--norm=separate"),
        ("--pairing=block", "--norm=shared-lossy"),
    ):
        assert main(["drift", str(checkpoint), *data, *flags]) == 0
        found = json.loads(report.read_text())
        assert [f"--pairing={found['pairing']}", f"--norm={found['norm']}"] == [*flags]
        measured[flags] = found["measured_kl"]
        is_shifted = all(pair.endswith("+") for pair in found["chosen"])
        assert is_shifted == (flags[0] == "--pairing=shifted")
    assert len(set(measured.values())) == 3


@pytest.mark.parametrize(
    "target",
    ["cpu", "reference", pytest.param("emulate:sm_90a", marks=pytest.mark.full)],
)
def test_run(checkpoint: Path, files: Path, tmp_path: Path, target: str) -> None:
    outputs = tmp_path / "out.safetensors"
    options = ["--inputs", str(files / "in.safetensors"), "--outputs", str(outputs)]
    options += [f"--target={target}", "--chip=sm_90a"]
    assert main(["run", str(checkpoint), *options]) == 0
    expected = np.load(checkpoint / "expected.npz")["logits"]
    assert np.abs(read_safetensors(outputs)["logits"].array - expected).max() < 1e-3


def test_run_in_bf16(checkpoint: Path, files: Path, tmp_path: Path) -> None:
    outputs = tmp_path / "out.safetensors"
    options = ["--inputs", str(files / "in.safetensors"), "--outputs", str(outputs)]
    assert main(["run", str(checkpoint), "--dtype=bf16", *options]) == 0
    assert read_safetensors(outputs)["logits"].kind == "bf16"


#: Command lines of bad input, and what the one line about it says. HERE are the
#: files, MODEL is a checkpoint, and OUT must not come to be.
BAD = [
    ("import HERE/none -o OUT", "none"),
    ("import HERE/empty -o OUT", "config.json"),
    ("import HERE/bare -o OUT", "model.safetensors"),
    ("import HERE/bad.mlir -o OUT", "bad.mlir"),
    ("import HERE/m.mlir --dtype=f16 -o OUT", "--dtype"),
    ("import MODEL --weights=HERE/in.safetensors -o OUT", "--weights"),
    ("import MODEL --dtype=f8 -o OUT", "f8"),
    ("import MODEL -o HERE/none/OUT", "cannot write"),
    ("import MODEL -o HERE/empty", "cannot write"),
    ("optimize MODEL --parallel=7-9 -o OUT", "7"),
    ("optimize MODEL --parallel=some -o OUT", "some"),
    ("optimize MODEL --parallel=@HERE/none.json -o OUT", "none.json"),
    ("optimize MODEL --chip=sm_12 -o OUT", "sm_12"),
    ("optimize MODEL --require=block-fuse-output-projections -o OUT", "output"),
    ("optimize MODEL --require=block-nothing -o OUT", "block-nothing"),
    ("explain HERE/none --json OUT", "none"),
    ("report HERE/none -o OUT", "none"),
    ("report MODEL --data=HERE/none -o OUT", "none"),
    ("drift MODEL --data=HERE/bad.safetensors --json OUT", "bad.safetensors"),
    ("drift MODEL --correction=hope --json OUT", "hope"),
    ("run HERE/m.mlir --inputs HERE/in.safetensors --outputs OUT", "--weights"),
    ("run MODEL --inputs HERE/none --outputs OUT", "none"),
    ("run MODEL --inputs HERE/bad.safetensors --outputs OUT", "bad.safetensors"),
    ("run MODEL --inputs HERE/i32.safetensors --outputs OUT", "expected i64"),
    ("run MODEL --target=gpu --inputs HERE/in.safetensors --outputs OUT", "gpu"),
    ("bench HERE/none --json OUT", "none"),
    ("bench MODEL --seq=0 --json OUT", "--seq"),
    ("bench MODEL --batch=-1 --json OUT", "--batch"),
    ("bench MODEL --threads=-1 --peers=torch --json OUT", "threads"),
]


@pytest.mark.parametrize(("line", "said"), BAD, ids=[line for line, _ in BAD])
def test_bad_input(
    files: Path,
    checkpoint: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    line: str,
    said: str,
) -> None:
    output = tmp_path / "out"
    words = {"HERE": str(files), "MODEL": str(checkpoint), "OUT": str(output)}
    for word, text in words.items():
        line = line.replace(word, text)
    try:
        code = main(line.split(" "))
    except SystemExit as stop:
        code = stop.code
    shown = capsys.readouterr()
    assert code == 1
    assert shown.err.startswith("error: ") and shown.err.count("\n") == 1
    assert said in shown.err and not shown.out
    assert not list(tmp_path.iterdir())
    assert not list(files.glob("*.partial*")) and not any((files / "empty").iterdir())


def test_exit_codes_of_tools(
    checkpoint: Path,
    files: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """3 is for numbers out of tolerance, 4 for a device or a peer that is not here."""
    make = peers.PEERS["torch"].make
    wrong = peers.Peer((), lambda problem: lambda: make(problem)() * 2)
    missing = peers.Peer(("no_such_package",), make)
    monkeypatch.setenv("PARABLOCK_CUDA_DRIVER", "no-such-driver")
    bench = ["bench", str(checkpoint), "--peers=torch", f"--json={tmp_path / 'out'}"]
    inputs = ["--inputs", str(files / "in.safetensors"), f"--outputs={tmp_path / 'out'}"]
    run = ["run", str(checkpoint), "--target=sm_90a", *inputs]
    for line, peer, code, said in [
        (bench, wrong, 3, "parablock beside torch: expected results within"),
        (bench, missing, 4, "no peer to compare with (torch: not installed: no_such_package)"),
        (run, missing, 4, "no-such-driver"),
    ]:
        monkeypatch.setitem(peers.PEERS, "torch", peer)
        assert main(line) == code
        shown = capsys.readouterr().err
        assert shown.splitlines()[-1].startswith("error: ") and said in shown
        assert not list(tmp_path.iterdir())


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["import"], ["nothing"], ["import", "x", "--no-such"]):
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 1
        assert capsys.readouterr().err.startswith("error: ")
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == "parablock 0.1.0\n"


def test_devices_stay_devices(checkpoint: Path) -> None:
    assert main(["import", str(checkpoint), "-o", os.devnull]) == 0
    assert not Path(os.devnull).is_file()


def test_links_stay_links(checkpoint: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert main(["import", str(checkpoint), "-o", str(tmp_path / "link")]) == 0
    assert (tmp_path / "link").is_symlink()
    assert "block.layer" in (tmp_path / "file").read_text()


def test_interrupts(
    checkpoint: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(model: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("parablock.public.Model.__str__", interrupt)
    assert main(["import", str(checkpoint), "-o", str(tmp_path / "m.mlir")]) == 130
    assert capsys.readouterr().err == "interrupted\n"
    assert not list(tmp_path.iterdir())


def test_readers_that_leave(checkpoint: Path) -> None:
    """As in `python -m parablock import checkpoint | head -n 1`."""
    command = [sys.executable, "-m", "parablock", "import", str(checkpoint)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout and process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1
