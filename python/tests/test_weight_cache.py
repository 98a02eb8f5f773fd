# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packed weights that are kept between processes."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parablock
from parablock import weights

IDS = np.arange(6)[None]


@pytest.fixture(autouse=True)
def wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARABLOCK_WEIGHT_CACHE", "1GiB")
    # What these tests have just written is old enough.
    monkeypatch.setattr(weights, "_YOUNG", 0)


@pytest.fixture
def stored(checkpoint: Path, tmp_path: Path) -> Path:
    """A checkpoint of one's own."""
    return Path(shutil.copytree(checkpoint, tmp_path / "checkpoint"))


@pytest.fixture(scope="module")
def codes(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Code alone, so that not every test compiles it."""
    folder = tmp_path_factory.mktemp("codes")
    run(checkpoint, folder)
    assert [file.suffix for file in folder.iterdir()] == [".code"]
    return folder


@pytest.fixture
def folder(codes: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(codes, tmp_path / "kept"))


def find_part(stored: Path) -> Path:
    """A file of weights."""
    return min(stored.glob("*.safetensors"))


def run(stored: Path, folder: Any, dtype: str = "f32") -> Any:
    model = parablock.from_pretrained(stored, dtype=dtype).optimize()
    return compute(model, folder)


def compute(model: Any, folder: Any) -> Any:
    return np.asarray(model.compile(threads=2, cache=folder)(IDS).logits).tobytes()


@contextlib.contextmanager
def uses(hits: int, misses: int) -> Iterator[None]:
    before = parablock.stats()
    yield
    after = parablock.stats()
    found = [after[name] - before[name] for name in ("weight_hits", "weight_misses")]
    assert found == [hits, misses]


def find_kept(folder: Path) -> Path:
    (file,) = folder.glob("*.weights")
    return file


def change(path: Path, place: int = -64) -> None:
    """Writes other bytes into a file, and says that nothing happened."""
    time.sleep(0.02)
    before = path.stat()
    content = bytearray(path.read_bytes())
    content[place : place + 4] = np.float32(3.5).tobytes()
    with path.open("r+b") as file:
        file.write(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_mtime_ns == before.st_mtime_ns


def test_kept_weights_give_the_same_bits(stored: Path, folder: Path) -> None:
    expected = run(stored, False)
    with uses(0, 1):
        assert run(stored, folder) == expected
    with uses(1, 0):
        assert run(stored, folder) == expected
    assert find_kept(folder).stat().st_mode & 0o777 == 0o600


def test_nothing_is_kept_unless_asked(
    stored: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for off in ("", "0", None):
        if off is None:
            monkeypatch.delenv("PARABLOCK_WEIGHT_CACHE")
        else:
            monkeypatch.setenv("PARABLOCK_WEIGHT_CACHE", off)
        with uses(0, 0):
            run(stored, folder)
    assert [file.suffix for file in folder.iterdir()] == [".code"]


def test_an_argument_keeps_weights_without_the_variable(
    stored: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PARABLOCK_WEIGHT_CACHE")
    model = parablock.from_pretrained(stored).optimize()

    def compute_kept() -> bytes:
        compiled = model.compile(threads=2, cache=folder, keep_weights=True)
        return np.asarray(compiled(IDS).logits).tobytes()

    with uses(0, 1):
        assert compute_kept() == run(stored, False)
    with uses(1, 0):
        assert compute_kept() == run(stored, False)
    find_kept(folder).unlink()
    rows = [[7, 11, 13]]
    with uses(1, 1):
        first, again = (model.generator(cache=folder, keep_weights=True) for _ in range(2))
    assert np.array_equal(first.generate(rows, 3), again.generate(rows, 3))
    # The environment has the last word on how much space there is.
    find_kept(folder).unlink()
    monkeypatch.setenv("PARABLOCK_WEIGHT_CACHE", "0")
    with uses(0, 0):
        compute_kept()
    monkeypatch.setenv("PARABLOCK_WEIGHT_CACHE", "1KiB")
    with uses(0, 1):
        compute_kept()
    assert not list(folder.glob("*.weights"))


def test_who_keeps_no_weights_says_so(stored: Path, folder: Path) -> None:
    model = parablock.from_pretrained(stored).optimize()
    wanted = "option 'keep_weights' requires target 'cpu', got "
    for target in ("reference", "emulate:sm_80", "sm_90a"):
        with pytest.raises(parablock.Error, match=f"{wanted}'{target}'"):
            model.compile(target, keep_weights=True)
    with pytest.raises(parablock.Error, match=f"{wanted}'reference'"):
        model.generator("reference", keep_weights=True)
    with pytest.raises(parablock.Error, match=f"{wanted}'training'"):
        model.compile(training=True, keep_weights=True)
    for call in (model.compile, model.generator):
        with pytest.raises(parablock.Error, match="option 'keep_weights' requires a cache"):
            call(cache=False, keep_weights=True)
    stored_ones = "option 'keep_weights' requires .* safetensors .*, got others"
    narrow = model.optimize(weights="int8")
    for made in (narrow.compile, narrow.generator):
        with pytest.raises(parablock.Error, match=stored_ones):
            made(cache=folder, keep_weights=True)
    with pytest.raises(parablock.Error, match=stored_ones):
        model.generator(weights="int8", cache=folder, keep_weights=True)


def test_generators_other_types_and_processes(stored: Path, folder: Path) -> None:
    model = parablock.from_pretrained(stored)
    with uses(0, 1):
        first = model.generator(cache=folder)
    with uses(1, 0):
        again = model.generator(cache=folder)
    rows = [[7, 11, 13], [23]]
    assert np.array_equal(first.generate(rows, 6), again.generate(rows, 6))
    with uses(0, 1):
        narrow = run(stored, folder, "bf16")
    with uses(1, 0):
        assert run(stored, folder, "bf16") == narrow
    script = (
        "import sys, parablock\n"
        "model = parablock.from_pretrained(sys.argv[1])\n"
        "print(model.generator(cache=sys.argv[2]).generate([[7, 11, 13], [23]], 6).tolist())\n"
        "print(parablock.stats()['weight_hits'], 'torch' in sys.modules)\n"
    )
    time.sleep(2.1)  # it has its own mind of what is young
    command = [sys.executable, "-c", script, str(stored), str(folder)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert said.split("\n")[:2] == [str(first.generate(rows, 6).tolist()), "1 False"]


def test_a_checkpoint_that_was_written_to(stored: Path, folder: Path) -> None:
    before = run(stored, folder)
    change(find_part(stored))
    with uses(0, 1):
        changed = run(stored, folder)
    assert changed == run(stored, False) != before


def test_a_checkpoint_that_changes_while_it_is_open(stored: Path, folder: Path) -> None:
    run(stored, folder)
    model = parablock.from_pretrained(stored).optimize()
    change(find_part(stored))
    with uses(0, 0):  # nobody knows any more what the model has
        changed = compute(model, folder)
    assert changed == run(stored, False)
    assert len(list(folder.glob("*.weights"))) == 1


def test_a_checkpoint_that_changes_while_it_is_packed(
    stored: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = parablock.from_pretrained(stored).optimize()
    said = iter(["as it was", None])
    monkeypatch.setattr(model, "identify_weights", lambda: next(said))
    with uses(0, 1):
        compute(model, folder)
    assert not list(folder.glob("*.weights"))


def test_a_checkpoint_in_the_place_of_another(stored: Path, folder: Path) -> None:
    before = run(stored, folder)
    path = find_part(stored)
    other = path.with_name("other")
    shutil.copy(path, other)
    change(other)
    other.replace(path)
    with uses(0, 1):
        changed = run(stored, folder)
    assert changed == run(stored, False) != before
    with uses(1, 0):
        assert run(stored, folder) == changed
    assert len(list(folder.glob("*.weights"))) == 2


def test_a_checkpoint_that_is_young(
    stored: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights, "_YOUNG", 2_000_000_000)
    find_part(stored).touch()
    with uses(0, 0):
        run(stored, folder)
    assert not list(folder.glob("*.weights"))


def test_weights_from_elsewhere_are_not_known(stored: Path, folder: Path) -> None:
    model = parablock.from_pretrained(stored)
    with uses(0, 0):
        model.optimize(weights="int8").compile(cache=folder)
    assert not list(folder.glob("*.weights"))


@pytest.mark.parametrize(
    "damage",
    [
        lambda kept: b"",
        lambda kept: kept[:100],
        lambda kept: kept[:-1],
        lambda kept: kept + b"\0",
        lambda kept: bytes(len(kept)),  # as a power failure leaves it
        lambda kept: kept[:4096] + bytes(len(kept) - 4096),
        lambda kept: kept.replace(b"weights 1", b"weights 0", 1),
        lambda kept: kept[:20] + b"0000" + kept[24:],
        lambda kept: kept[:90] + bytes([kept[90] ^ 1]) + kept[91:],
        lambda kept: kept[:4096] + bytes([kept[4096] ^ 1]) + kept[4097:],
        lambda kept: kept[:-1] + bytes([kept[-1] ^ 128]),
    ],
)
def test_damaged_weights_are_packed_anew(
    stored: Path, folder: Path, damage: Callable[[bytes], bytes]
) -> None:
    expected = run(stored, folder)
    path = find_kept(folder)
    kept = path.read_bytes()
    assert damage(kept) != kept
    path.write_bytes(damage(kept))
    with uses(0, 1):
        assert run(stored, folder) == expected
    with uses(1, 0):
        assert run(stored, folder) == expected


def test_weights_of_another_model(stored: Path, folder: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(stored, tmp_path / "other"))
    change(find_part(other))
    expected = run(stored, folder)
    path = find_kept(folder)
    foreign = tmp_path / "foreign"
    run(other, foreign)
    find_kept(foreign).replace(path)
    with uses(0, 1):
        assert run(stored, folder) == expected


def test_files_that_others_may_have_written(stored: Path, folder: Path) -> None:
    expected = run(stored, folder)
    path = find_kept(folder)
    path.chmod(0o666)
    with uses(0, 1):
        assert run(stored, folder) == expected
    assert path.stat().st_mode & 0o777 == 0o600  # another file
    path.rename(folder / "moved")
    path.symlink_to(folder / "moved")
    with uses(0, 1):
        assert run(stored, folder) == expected
    assert not path.is_symlink()
    folder.chmod(0o777)
    with uses(0, 0):
        assert run(stored, folder) == expected


def test_the_files_that_were_not_used_for_longest_go(
    stored: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(stored, folder)
    path = find_kept(folder)
    size = path.stat().st_size
    old = folder / f"{'a' * 64}.weights"
    old.write_bytes(bytes(size))
    os.utime(old, (1000, 1000))
    monkeypatch.setenv("PARABLOCK_CACHE_LIMIT", str(size // 2))  # that of code
    monkeypatch.setenv("PARABLOCK_WEIGHT_CACHE", str(2 * size))
    run(stored, folder, "bf16")
    assert path.exists() and not old.exists()
    monkeypatch.setenv("PARABLOCK_WEIGHT_CACHE", "1KiB")
    path.unlink()
    with uses(0, 1):  # it does not fit, and drives out no other
        run(stored, folder)
    assert find_kept(folder)
    monkeypatch.setenv("PARABLOCK_WEIGHT_CACHE", "much")
    with pytest.raises(parablock.Error, match="PARABLOCK_WEIGHT_CACHE: expected bytes.* 'much'"):
        run(stored, folder)
