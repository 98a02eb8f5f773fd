# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times beside those of peers."""

from __future__ import annotations

import ctypes
import json
import logging
import os
from pathlib import Path

import numpy as np
import pytest

import parablock
from parablock.__main__ import main
from parablock_studies.bench import peers


def _bench(checkpoint: Path, folder: Path, *options: str) -> int:
    return main(
        [
            "bench",
            str(checkpoint),
            "--seq=9",
            "--batch=2",
            "--repeat=2",
            "--threads=1",
            f"--json={folder}/bench.json",
            f"--plot={folder}/bench.svg",
            *options,
        ]
    )


def test_times_beside_torch(checkpoint: Path, tmp_path: Path) -> None:
    assert _bench(checkpoint, tmp_path, "--peers=torch") == 0
    report = json.loads((tmp_path / "bench.json").read_text())
    assert report["sizes"] == {"batch": 2, "seq": 9, "threads": 1}
    results = report["results"]
    assert results["parablock"]["ratio"] == 1.0
    assert results["torch"]["distance"] < 1e-5
    ratio = results["torch"]["median_ms"] / results["parablock"]["median_ms"]
    assert results["torch"]["ratio"] == pytest.approx(ratio)
    assert (tmp_path / "bench.svg").read_text().count("<rect") == 2


def test_wrong_numbers_have_no_time(
    checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make_right(problem: peers.Problem) -> peers.Run:
        compiled = parablock.from_pretrained(problem.folder).compile()
        return lambda: compiled(**problem.inputs)["logits"]

    wrong = peers.Peer((), lambda problem: lambda: np.zeros((2, 9, 97)))
    missing = peers.Peer(("no_such_package",), wrong.make)
    monkeypatch.setitem(peers.PEERS, "torch", peers.Peer((), make_right))
    monkeypatch.setitem(peers.PEERS, "onnxruntime", wrong)
    monkeypatch.setitem(peers.PEERS, "iree", missing)
    assert _bench(checkpoint, tmp_path, "--peers=torch,onnxruntime,iree") == 0
    results = json.loads((tmp_path / "bench.json").read_text())["results"]
    assert "wrong numbers" in results["onnxruntime"]["skipped"]
    assert "no_such_package" in results["iree"]["skipped"]
    monkeypatch.setitem(peers.PEERS, "torch", wrong)
    assert _bench(checkpoint, tmp_path, "--peers=torch") == 3
    assert _bench(checkpoint, tmp_path, "--peers=iree") == 4
    assert _bench(checkpoint, tmp_path, "--peers=abacus") == 1


def test_dims_and_silence(
    checkpoint: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def make_loud(problem: peers.Problem) -> peers.Run:
        os.system("echo a compiler; echo warns >&2")
        logging.getLogger("peer").warning("W0101")
        compiled = parablock.from_pretrained(problem.folder).compile()
        return lambda: compiled(**problem.inputs)["logits"]

    monkeypatch.setitem(peers.PEERS, "torch", peers.Peer((), make_loud))
    options = ("--peers=torch", "--dims=batch=1,seq=7")
    assert _bench(checkpoint, tmp_path, *options) == 0
    said = capfd.readouterr()
    assert "compiler" not in said.out and not said.err
    sizes = json.loads((tmp_path / "bench.json").read_text())["sizes"]
    assert sizes == {"batch": 1, "seq": 7, "threads": 1}
    assert _bench(checkpoint, tmp_path, "--peers=torch", "--dims=tokens=3") == 1
    assert "expected some of batch, seq, got 'tokens'" in capfd.readouterr().err
    with pytest.raises(SystemExit, match="1"):
        _bench(checkpoint, tmp_path, "--dims=seq")
    assert "--dims: expected name=size, got 'seq'" in capfd.readouterr().err


def test_a_device(
    checkpoint: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fake_driver: ctypes.CDLL,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def make_on_device(problem: peers.Problem) -> peers.Run:
        assert problem.device == "cuda:0"
        compiled = parablock.from_pretrained(problem.folder).compile()
        return lambda: compiled(**problem.inputs)["logits"]

    monkeypatch.setitem(peers.PEERS, "torch", peers.Peer((), make_on_device, True))
    monkeypatch.setitem(peers.PEERS, "iree", peers.Peer((), make_on_device))
    options = ("--target=cuda:0", "--peers=torch,iree")
    assert _bench(checkpoint, tmp_path, *options) == 1
    assert "option 'threads' requires target 'cpu'" in capfd.readouterr().err
    assert _bench(checkpoint, tmp_path, *options, "--threads=0") == 0
    report = json.loads((tmp_path / "bench.json").read_text())
    assert report["target"] == "cuda:0" and "median_ms" in report["results"]["torch"]
    assert report["results"]["iree"] == {"skipped": "runs on the CPU here"}
    monkeypatch.setenv("PARABLOCK_CUDA_DRIVER", "none")
    assert _bench(checkpoint, tmp_path, *options, "--threads=0") == 4
    assert "no CUDA driver" in capfd.readouterr().err


@pytest.mark.full
def test_every_peer_that_is_installed(checkpoint: Path, tmp_path: Path) -> None:
    assert _bench(checkpoint, tmp_path) == 0
    results = json.loads((tmp_path / "bench.json").read_text())["results"]
    for name, peer in peers.PEERS.items():
        runs = peer.find_reason(peers.Problem(checkpoint, {}, 1)) is None
        assert ("median_ms" in results[name]) == runs, results
