# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models as Python's objects: copies, threads, interrupts."""

from __future__ import annotations

import contextlib
import copy
import gc
import pickle
import signal
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import numpy as np
import pytest
import torch

import parablock
from parablock.interrupts import call_interruptibly
from parablock.native import get_core_module


def test_copies_are_refused(checkpoint: Path) -> None:
    model = parablock.from_pretrained(checkpoint)
    compiled = model.compile()
    for make in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match=r"import it again, or .*save\(\)"):
            make(model)
        with pytest.raises(TypeError, match="make another one from the model"):
            make(compiled)


def test_models_describe_themselves(checkpoint: Path) -> None:
    model = parablock.from_pretrained(checkpoint)
    assert repr(model) == "<Model 'llama': 2 attention, 2 mlp, 4 norm>"


def test_models_in_threads(checkpoint: Path) -> None:
    """Two of their own, and one that both share."""
    shared = parablock.from_pretrained(checkpoint).compile()
    expected = np.load(checkpoint / "expected.npz")
    worst: list[float] = []

    def work() -> None:
        own = parablock.from_pretrained(checkpoint).optimize().compile()
        for model in (own, shared) * 5:
            logits = model(expected["ids"])["logits"]
            worst.append(float(np.abs(logits - expected["logits"]).max()))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(worst) == 20 and max(worst) < 1e-4


def test_interrupts_need_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*ignored: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    started = time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            call_interruptibly(threading.Event().wait, 20)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - started < 10


_INTERRUPTED = """
import atexit, os, signal, sys, threading, time
ends = threading.Event()
# Of what is done at the end, what was asked for first comes last.
if sys.argv[2] == "late":
    atexit.register(time.sleep, 0.1)
    atexit.register(ends.set)
import parablock
# What runs in the background of a shell begins with interrupts ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
model = parablock.from_pretrained(sys.argv[1]).optimize(chip="sm_90a")
if sys.argv[2] in ("thread", "late"):
    # A thread of the application's own, which it leaves behind.
    def work():
        if sys.argv[2] == "late":
            ends.wait()
        model.compile("emulate:sm_80")
    threading.Thread(target=work, daemon=True).start()
else:
    threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        while True:
            model.save(sys.argv[2])
    except KeyboardInterrupt:
        print("interrupted")
time.sleep(0.02)
sys.exit(int(sys.argv[3]))
"""


@pytest.mark.parametrize("code", [0, 5])
@pytest.mark.parametrize("way", ["interrupt", "thread", "late"])
def test_ends_while_work_goes_on(
    checkpoint: Path, tmp_path: Path, way: str, code: int
) -> None:
    """A thread that comes back when Python has ended is none that ends it badly."""
    place = str(tmp_path / "m.pbk") if way == "interrupt" else way
    command = [sys.executable, "-c", _INTERRUPTED, checkpoint, place, str(code)]
    for _ in range(3):
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (code, "")
        assert done.stdout == ("interrupted\n" if way == "interrupt" else "")


def test_errors_come_from_other_threads() -> None:
    with pytest.raises(ZeroDivisionError):
        call_interruptibly(divmod, 1, 0)


def test_calls_that_fail_keep_nothing() -> None:
    """Memory of a device is there for the next call, before a garbage collector comes."""

    class Owner:
        """What has memory."""

    def fail(owner: Owner) -> None:
        raise ValueError(owner)

    kept = []
    gc.disable()
    try:
        for _ in range(50):
            owner = Owner()
            kept.append(weakref.ref(owner))
            with contextlib.suppress(ValueError):
                call_interruptibly(fail, owner)
            del owner
            assert kept[-1]() is None
    finally:
        gc.enable()


def test_memory_is_what_it_is_said_to_be(checkpoint: Path) -> None:
    core = get_core_module()
    for array, kind in (
        (np.zeros(2, np.float32), "i32"),
        (np.zeros(2, np.float32), "f64"),
        (np.zeros(2, np.uint8), "i1"),
        (np.zeros(2, np.int16), "bf16"),
        (np.zeros(2, np.complex64), "f64"),
        (np.zeros(2, np.float32), "none"),
    ):
        with pytest.raises(ValueError, match="expected memory of the type"):
            core.Tensor(array, kind)
    for array, kind in (
        (np.zeros(2, np.uint16), "bf16"),
        (torch.zeros(2, dtype=torch.bfloat16), "bf16"),
        (torch.zeros(2, dtype=torch.bool), "i1"),
        (np.zeros(2, np.bool_), "i1"),
        (np.zeros(2, np.float16), "f16"),
    ):
        core.Tensor(array, kind)
    for wrong in ("a", np.zeros(2, np.float32).tolist(), 1):
        with pytest.raises(TypeError, match="expected an array"):
            core.Tensor(wrong, "f32")
    compiled = parablock.from_pretrained(checkpoint).compile("reference")
    fixed = np.zeros(2, np.float32)
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="outputs that can be written to"):
        compiled._function.program.run([], [core.Tensor(fixed, "f32")])
