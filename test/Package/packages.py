#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packages run, and say what is wrong with them.

usage: packages.py BUILD FOLDER C_COMPILER [--full] [TEST...]

block-launch and the engine cuda run on a driver library that the emulator backs, so
everything of the launcher happens but the device itself.
"""

import hashlib
import itertools
import json
import os
import re
import shutil
import struct
import subprocess
import sys

from package_runs import (BUILD, COMPILER, DRIVER, FOLDER, IS_FULL, ROOT, launch, make_model, read_log, run,
                          write_ids, write_tensors)

import early_accesses  # noqa: E402


def test_numbers():
    """The launcher and the engine emulate give the same bytes, on each chip and at several sizes."""
    sizes = [("sm_90a", 2, 17), ("sm_90a", 2, 33), ("sm_80", 1, 1)]
    if IS_FULL:
        sizes += [("sm_90a", 1, 1), ("sm_80", 2, 17), ("sm_80", 1, 65)]
    for chip, batch, seq in sizes:
        write_ids(FOLDER / "n.safetensors", batch, seq)
        run("block-run", "p.pbk", "--engine=emulate", f"--chip={chip}", "--inputs=n.safetensors",
            "--weights=packed.safetensors", "--outputs=e.safetensors")
        launch("--outputs=l.safetensors", "--json=l.json", inputs="n.safetensors", chip=chip)
        report = json.loads((FOLDER / "l.json").read_text())
        assert report["chip"] == chip and report["device"] == "emulator", report
        assert report["arena"]["peak_bytes"] < report["arena"]["sum_bytes"], report["arena"]
        same = (FOLDER / "e.safetensors").read_bytes() == (FOLDER / "l.safetensors").read_bytes()
        assert same, f"{chip} batch={batch} seq={seq}: other results than the engine's"


def list_kernels(chip):
    """All that a chip's plan may launch, by name."""
    steps = chip["plan"]["launches"]
    return {kernel["kernel"]: kernel for step in steps for kernel in (step, step.get("few", {})) if "kernel" in kernel}


def test_few():
    """Each product has a kernel for up to 64 rows: a session of so few launches it, and none for the head's rows."""
    chip = json.loads((FOLDER / "p.pbk" / "manifest.json").read_text())["chips"][0]
    steps = {step["kernel"]: step for step in chip["plan"]["launches"]}
    few = {name: step["few"] for name, step in steps.items() if "few" in step}
    assert {name for name in few if "kernel" in few[name]} == {name for name in steps if name[:2] in ("li", "he")}, few
    assert all(kernel["most"] == 64 and len(kernel["sizes"]) == 2 for kernel in few.values()), few
    for batch, seq in [(1, 64), (2, 32), (13, 5), (1, 65)]:
        write_ids(FOLDER / "n.safetensors", batch, seq)
        launch("--json=l.json", "--outputs=l.safetensors", inputs="n.safetensors", chip="sm_90a")
        launched = {kernel["name"] for kernel in json.loads((FOLDER / "l.json").read_text())["kernels"]}
        wanted = {few[name].get("kernel") if name in few and batch * seq <= 64 else name for name in steps} - {None}
        assert launched == wanted, (batch, seq, launched)


def count_carved(chip, kilobytes):
    """Kernels that have room for all CTAs that fit on a multiprocessor, where those are several; the driver keeps a
    kilobyte of each."""
    fitting = [min(kilobytes // (kernel["shared_bytes"] / 1024 + 1), 2048 // kernel["threads"])
               for kernel in list_kernels(chip).values() if kernel["shared_bytes"]]
    return sum(count >= 2 for count in fitting)


def test_counts():
    """One number: the report's, the manifest's, the launcher's and the driver's launches.

    With and without a graph the same bytes come out, and again on what a run left behind. All launches but the first
    begin early where code waits by itself, and none when that is off.
    """
    manifest = json.loads((FOLDER / "p.pbk" / "manifest.json").read_text())
    report = json.loads((FOLDER / "r.json").read_text())
    launch("--json=l.json", "--outputs=g.safetensors", "--repeat=2", chip="sm_90a", PARABLOCK_FAKE_LOG="log.txt")
    log = read_log("log.txt")
    launched = sum(kernel["count"] for kernel in json.loads((FOLDER / "l.json").read_text())["kernels"])
    chip = manifest["chips"][0]
    wanted = report["model"]["launches"]
    assert wanted == launched == chip["launches"] == len(chip["plan"]["launches"]) - 1, (wanted, launched, chip["launches"])
    assert log["launches"] == 2 * wanted and log["graph launches"] == 2, log
    assert log["programmatic launches"] == wanted - 1, log  # when the graph was captured
    assert log["tensor maps"] > 0 and log["used"] == 0, log
    assert log.get("carve-outs", 0) == count_carved(chip, 228), log
    layers = [layer["launches"] for layer in report["layers"]]
    assert chip["launches_per_layer"] == layers, (chip["launches_per_layer"], layers)
    entries = re.findall(r"^\.visible \.entry (\w+)", (FOLDER / "p.pbk" / "sm_90a.ptx").read_text(), re.M)
    assert sorted(entries) == sorted(list_kernels(chip)), entries

    launch("--outputs=h.safetensors", "--graph=off", "--programmatic-launch=off", chip="sm_90a",
           PARABLOCK_FAKE_LOG="log.txt")
    log = read_log("log.txt")
    assert "graph launches" not in log and "programmatic launches" not in log, log
    assert (FOLDER / "g.safetensors").read_bytes() == (FOLDER / "h.safetensors").read_bytes()

    carved = count_carved(manifest["chips"][1], 164)
    launch(chip="sm_80", PARABLOCK_FAKE_LOG="few.txt")
    assert carved > 0 and read_log("few.txt")["carve-outs"] == carved, (read_log("few.txt"), carved)


def test_waiting():
    """Code that may begin early looks at nothing but the program's parameters before it waits, and at those it does."""
    manifest = json.loads((FOLDER / "p.pbk" / "manifest.json").read_text())
    roles = [argument["role"] for argument in manifest["arguments"]]
    kernels = early_accesses.split_kernels((FOLDER / "p.pbk" / "sm_90a.ptx").read_text())
    early = 0
    for step in plan_of(manifest)["launches"]:
        assert step["programmatic"], step
        constants = {number for number, argument in enumerate(step["arguments"]) if argument.get("constant")}
        for number in constants:
            argument = step["arguments"][number]
            assert roles[argument.get("pointer", argument.get("tensor_map"))] == "parameter", (step, number)
        kernel = kernels[step["kernel"]]
        waits, signal = kernel.index("griddepcontrol.wait"), kernel.index("griddepcontrol.launch_dependents")
        assert (signal < waits) == (step["shared_bytes"] <= 113 * 1024), step["kernel"]  # room for a second CTA
        for line, parameters in early_accesses.find_early(kernel):
            assert parameters and parameters <= constants, (step["kernel"], line, parameters, constants)
            early += "cp.async.bulk" in line
    assert early > 0, "no weight is brought before the launch before has ended"
    # Without the wait nothing is said to be early.
    run("block-opt", "b.mlir", "--block-to-gpu=chip=sm_90a programmatic-launch=false", "-o", "d.mlir")
    text = (FOLDER / "d.mlir").read_text()
    assert "nvvm.griddepcontrol" not in text and "constant = true" not in text


def test_engine():
    """block-run --engine=cuda, of a package and of IR, against the original."""
    subjects = [("b.mlir", ["--repeat=2"])] + [("p.pbk", [])] * IS_FULL
    for subject, extra in subjects:
        run("block-run", subject, "--engine=cuda", "--dims=batch=1,seq=3", "--seed=7", "--baseline=a.mlir",
            "--json=j.json", *extra, PARABLOCK_FAKE_CHIP="sm_80")
        report = json.loads((FOLDER / "j.json").read_text())
        assert report["engine"] == "cuda" and report["kernels"], report
    assert not list(FOLDER.glob("parablock-cuda*")), "a package is left behind"


def test_old_driver():
    """A driver that refuses the machine code compiles the PTX, and one that captures no launches that begin early gets
    plain ones.
    """
    launch("--json=l.json", chip="sm_90a", PARABLOCK_FAKE_CUBIN="refuse", PARABLOCK_FAKE_CAPTURE="plain",
           PARABLOCK_FAKE_LOG="log.txt")
    log = read_log("log.txt")
    assert log["graph launches"] == 1 and "programmatic launches" not in log, log
    text = launch(code=1, PARABLOCK_FAKE_CUBIN="refuse", PARABLOCK_FAKE_PTX="refuse")
    assert re.search(r"sm_80.ptx: cuModuleLoadDataEx: CUDA_ERROR_UNSUPPORTED_PTX_VERSION: the driver is older than the "
                     "code, and requires an update", text), text


def test_code_of_others():
    """The driver that stands in for a GPU finds code that others load, where a variable names its package."""
    script = ("import ctypes, sys\n"
              "driver, module = ctypes.CDLL(sys.argv[1]), ctypes.c_void_p()\n"
              "image = open(sys.argv[2], 'rb').read() + b'\\0'\n"
              "driver.cuCtxPushCurrent_v2(None)\n"
              "print('result', driver.cuModuleLoadDataEx(ctypes.byref(module), image, 0, None, None))")
    shutil.rmtree(FOLDER / "nothing", ignore_errors=True)
    (FOLDER / "nothing").mkdir()
    for place, result in [("p.pbk", 0), (FOLDER, 0), ("nothing", 200)]:
        text = run(sys.executable, "-c", script, DRIVER, "p.pbk/sm_80.ptx", PARABLOCK_FAKE_PACKAGES=place)
        assert text == f"result {result}\n", (place, text)


def test_missing():
    """No driver and no device end with 4."""
    text = launch(code=4, chip="none")
    assert "no CUDA device: cuInit: CUDA_ERROR_NO_DEVICE" in text, text
    text = run("block-run", "p.pbk", "--engine=cuda", code=4, PARABLOCK_FAKE_CHIP="none")
    assert "no CUDA device" in text, text
    text = launch("--device=1", code=4)
    assert "no CUDA device 1: the driver has 1" in text, text
    text = launch(code=4, PARABLOCK_CUDA_DRIVER=FOLDER / "none.so")
    assert "no CUDA driver: " in text and text.count("\n") == 1, text


def damage(name, edit, sign=True):
    """A copy of the package with one file changed; `sign`: a changed manifest gets its hash."""
    copy = FOLDER / "damaged.pbk"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(FOLDER / "p.pbk", copy)
    path = copy / name
    path.write_bytes(edit(path.read_bytes()))
    if sign:
        sign_manifest(copy)


def sign_manifest(package):
    digest = hashlib.sha256((package / "manifest.json").read_bytes()).hexdigest()
    (package / "manifest.sha256").write_text(f"{digest}  manifest.json\n")


def flip_last(data):
    return data[:-1] + bytes([data[-1] ^ 1])


def edit_manifest(change):
    def edit(data):
        manifest = json.loads(data)
        change(manifest)
        return json.dumps(manifest).encode()
    return edit


def plan_of(manifest):
    return manifest["chips"][0]["plan"]


def edit_plan(change):
    return edit_manifest(lambda manifest: change(plan_of(manifest)))


def empty(manifest):
    """Nothing to take, to give or to do."""
    manifest.update(arguments=[], results=[], layers=[], dims=[])
    plan_of(manifest).update(buffers=[], workspaces=[], results=[], launches=[dict(
        plan_of(manifest)["launches"][0], inputs=[], outputs=[], arguments=[{"dim": [0, 0]}])])


def constant_of(step):
    return next(argument for argument in step["arguments"] if argument.get("constant"))


def other_of(step):
    return next(argument for argument in step["arguments"] if "dim" not in argument and not argument.get("constant"))


def make_inputs(manifest):
    """Weights that a caller may write."""
    for argument in manifest["arguments"]:
        if argument["role"] == "parameter":
            argument.update(role="input", limits=[])


def test_damage():
    """One clear error for each, and no output; a damaged file is nothing to go around."""
    def launch_of(plan):
        return plan["launches"][1]

    def few_of(plan):
        return next(step for step in plan["launches"] if "few" in step)

    def update(key, value):
        return edit_plan(lambda plan: launch_of(plan).update({key: value}))

    def edit_few(change):
        return edit_plan(lambda plan: change(few_of(plan)["few"]))

    cases = [
        ("manifest.json", lambda data: data[:200], "manifest.json: "),
        ("manifest.json", lambda data: b"", "manifest.json: expected a value, got the end"),
        ("manifest.json", edit_manifest(lambda m: m.update(schema=4)), "expected schema 3, got 4: the package is made for a newer"),
        ("manifest.json", edit_manifest(lambda m: m.update(schema=1)), "expected schema 3, got 1: the package is made for an older"),
        ("manifest.json", edit_manifest(lambda m: m.pop("chips")), "expected 'chips' to be an array, got nothing"),
        ("manifest.json", edit_manifest(empty), "expected the number of a tensor, below 0"),
        ("manifest.json", edit_manifest(lambda m: m["arguments"][0].pop("limits")), "expected 'limits' to be an array, got nothing"),
        ("manifest.json", edit_manifest(lambda m: m["arguments"][0]["limits"][0].update(kind="x")), "unknown limit 'x' of 'input_ids'"),
        ("manifest.json", edit_plan(lambda p: p["launches"][0].update(outputs=[999])), "number of a tensor"),
        ("manifest.json", edit_plan(lambda p: p["launches"].pop(0)), "before anything writes it"),
        ("manifest.json", edit_plan(lambda p: p["launches"][0].update(outputs=[0])), "writes the argument"),
        ("manifest.json", edit_plan(lambda p: p["launches"].append(p["launches"][-1])), "which another one has written"),
        ("manifest.json", edit_manifest(lambda m: m["arguments"][0].update(shape=["size", 3])), "unknown dimension 'size'"),
        ("manifest.json", edit_manifest(lambda m: m["arguments"][1].update(shape=["seq", 64])), "to have a fixed size"),
        ("manifest.json", edit_manifest(lambda m: m["chips"][0]["ptx"].update(file="../x")), "to lie in the package"),
        ("manifest.json", edit_plan(lambda p: p.update(workspaces=[1])), "expected a workspace to be a buffer of its own"),
        ("manifest.json", edit_plan(lambda p: p["buffers"][0].update(shape=["batch", "seq", 32])), "as the code records"),
        ("manifest.json", edit_plan(lambda p: p["buffers"][0].update(shape=["batch", "batch", 64])), "as the code records"),
        ("manifest.json", edit_plan(lambda p: p["buffers"][0].update(dtype="f32")), "as the code records"),
        ("manifest.json", edit_plan(lambda p: launch_of(p)["arguments"].pop()), "as the code declares"),
        ("manifest.json", edit_plan(lambda p: launch_of(p)["arguments"].reverse()), "as the code declares"),
        ("manifest.json", update("threads", 64), "as the code declares"),
        ("manifest.json", update("cluster", 2), "as the code declares"),
        ("manifest.json", update("shared_bytes", 16), "as the code records"),
        ("manifest.json", update("grid", 7), "as the code records"),
        ("manifest.json", update("kernel", "none"), "kernel 'none': expected it in the code, got none"),
        # A kernel for few rows has room for no more.
        ("manifest.json", edit_few(lambda few: few.update(most=65)), "at most 64 0.0 0.1' as the code records"),
        ("manifest.json", edit_few(lambda few: few["sizes"].pop()), "at most 64 0.0 0.1' as the code records"),
        ("manifest.json", edit_few(lambda few: few.update(most=0)), "expected 'most' to be"),
        ("manifest.json", edit_few(lambda few: few["sizes"].append({"dim": [1]})), "expected 'dim' to be a tensor and a dimension"),
        ("manifest.json", edit_few(lambda few: few["sizes"].append({"dim": [0, 7]})), "expected a dimension of 'input_ids'"),
        ("manifest.json", edit_few(lambda few: few.update(grid=9)), "as the code records"),
        ("manifest.json", edit_few(lambda few: few.update(kernel="none")), "kernel 'none': expected it in the code, got none"),
        ("manifest.json", edit_plan(lambda p: few_of(p).update(few_of(p).pop("few"))), "as the code records"),
        ("manifest.json", edit_few(lambda few: few.pop("kernel")), "as the code records"),
        # What a kernel may read while the launch before runs.
        ("manifest.json", edit_plan(lambda p: constant_of(launch_of(p)).pop("constant")), "as the code records"),
        ("manifest.json", edit_plan(lambda p: other_of(launch_of(p)).update(constant=True)),
         "expected a parameter that no launch writes for what it takes for constant, got '"),
        ("manifest.json", edit_manifest(make_inputs), "expected a parameter that no launch writes for what it takes for"),
        ("manifest.sha256", lambda data: (b"1" if data[:1] == b"0" else b"0") + data[1:], "manifest.json: expected the hash"),
        ("manifest.sha256", lambda data: data[::-1], "manifest.sha256: expected the hash of manifest.json"),
        ("sm_90a.ptx", flip_last, "sm_90a.ptx: expected the hash"),
        ("sm_90a.cubin", flip_last, "sm_90a.cubin: expected the hash"),
        ("sm_90a.cubin", lambda data: data[:100], "sm_90a.cubin: expected"),
    ]
    for name, edit, message in cases:
        damage(name, edit, sign=name == "manifest.json")
        text = launch("--outputs=x.safetensors", package="damaged.pbk", code=1, chip="sm_90a")
        assert message in text and "damaged.pbk" in text and text.count("error:") == 1, f"{message}\n{text}"
        assert text.count("\n") == 1, text
        assert not (FOLDER / "x.safetensors").exists()
    damage("manifest.json", edit_manifest(lambda m: m.update(note="x")), sign=False)
    text = launch(package="damaged.pbk", code=1)
    assert "damaged.pbk/manifest.json: expected the hash" in text and "of manifest.sha256, got" in text, text
    (FOLDER / "damaged.pbk" / "manifest.sha256").unlink()
    text = launch(package="damaged.pbk", code=1)
    assert "damaged.pbk/manifest.sha256: No such file" in text, text
    damage("sm_90a.bc", flip_last)
    text = run("block-run", "damaged.pbk", "--engine=emulate", "--dims=batch=1,seq=1", code=1)
    assert "sm_90a.bc: expected the hash" in text, text


def test_verify():
    """Without a device; the hash is what sha256sum says, and may be asked for."""
    text = run("block-launch", "--verify", "p.pbk", PARABLOCK_CUDA_DRIVER="none")
    digest = hashlib.sha256((FOLDER / "p.pbk" / "manifest.json").read_bytes()).hexdigest()
    assert text == f"{digest}  p.pbk\n", text
    done = subprocess.run(["sha256sum", "--check", "--strict", "manifest.sha256"], cwd=FOLDER / "p.pbk", capture_output=True)
    assert done.returncode == 0, done.stderr
    launch(f"--sha256={digest}")
    for flags in [["--verify"], ["--weights=packed.safetensors", "--inputs=i.safetensors"]]:
        text = run("block-launch", "p.pbk", f"--sha256={digest[::-1]}", *flags, code=1)
        assert f"expected the package with the hash {digest[::-1]}, got {digest}" in text, text
    names = sorted(path.name for path in (FOLDER / "p.pbk").iterdir())
    assert len(names) == 10, names
    for name in names:
        damage(name, flip_last, sign=False)
        text = run("block-launch", "--verify", "damaged.pbk", code=1)
        assert text.startswith("error: damaged.pbk/manifest" if name.startswith("manifest") else f"error: damaged.pbk/{name}: "), text
        (FOLDER / "damaged.pbk" / name).unlink()
        text = run("block-launch", "--verify", "damaged.pbk", code=1)
        assert text == f"error: damaged.pbk/{name}: No such file or directory\n", text


def test_same_bytes():
    """Packages are the same wherever the source lies, whatever it is called, and on any number of threads."""
    (FOLDER / "deep").mkdir(exist_ok=True)
    shutil.copy(FOLDER / "a.mlir", FOLDER / "deep" / "other.mlir")
    for source, target, one in [("a.mlir", "s.pbk", []), (FOLDER / "deep" / "other.mlir", "t.pbk", ["taskset", "-c", "0"])]:
        run(*one, "block-translate", "--block-to-package", "--chip=sm_80", source, "-o", target)
    names = sorted(path.name for path in (FOLDER / "s.pbk").iterdir())
    for name in names:
        assert (FOLDER / "s.pbk" / name).read_bytes() == (FOLDER / "t.pbk" / name).read_bytes(), name
    assert b'location = "' in (FOLDER / "s.pbk" / "model.mlir").read_bytes()


def test_packed_nan():
    """Weights that are no numbers are packed, and said."""
    raw = bytearray((FOLDER / "w.safetensors").read_bytes())
    raw[-2:] = b"\xc0\x7f"
    (FOLDER / "x.safetensors").write_bytes(raw)
    text = run("block-weights", "--recipe=p.pbk/recipe.mlir", "x.safetensors", "-o", "y.safetensors")
    assert re.search(r"warning: x.safetensors: 1 elements of 'packed\..*' are NaN", text), text
    assert "NaN" not in run("block-weights", "--recipe=p.pbk/recipe.mlir", "w.safetensors", "-o", "y.safetensors")
    (FOLDER / "x.safetensors").unlink()
    (FOLDER / "y.safetensors").unlink()


def test_weights_with_a_hash():
    """Beside a file, as sha256sum writes it, it is compared; a package's own weights must have one."""
    digest = hashlib.sha256((FOLDER / "packed.safetensors").read_bytes()).hexdigest()
    beside = FOLDER / "packed.safetensors.sha256"
    beside.write_text(f"{digest}  packed.safetensors\n")
    launch()
    beside.write_text(f"{digest[::-1]}  packed.safetensors\n")
    text = launch(code=1)
    assert f"packed.safetensors: expected the hash {digest[::-1]}, got {digest}" in text, text
    beside.unlink()
    damage("manifest.json", lambda data: data)
    shutil.copy(FOLDER / "packed.safetensors", FOLDER / "damaged.pbk" / "weights.safetensors")
    for command in [["--verify"], ["--weights=damaged.pbk/weights.safetensors", "--inputs=i.safetensors"]]:
        text = run("block-launch", "damaged.pbk", *command, code=1, PARABLOCK_FAKE_CHIP="sm_80")
        assert "damaged.pbk/weights.safetensors.sha256: No such file" in text, text
    (FOLDER / "damaged.pbk" / "weights.safetensors.sha256").write_text(f"{digest}  weights.safetensors\n")
    run("block-launch", "damaged.pbk", "--verify")


def test_special_files():
    """What is no file is not waited for, and what is too large for any package is not read."""
    damage("manifest.json", lambda data: data)
    for name in ["manifest.json", "manifest.sha256", "sm_90a.ptx"]:
        kept = (FOLDER / "damaged.pbk" / name).read_bytes()
        (FOLDER / "damaged.pbk" / name).unlink()
        os.mkfifo(FOLDER / "damaged.pbk" / name)
        text = launch(package="damaged.pbk", code=1, chip="sm_90a")
        assert f"{name}: expected a regular file" in text, text
        (FOLDER / "damaged.pbk" / name).unlink()
        (FOLDER / "damaged.pbk" / name).write_bytes(kept)
    os.truncate(FOLDER / "damaged.pbk" / "manifest.json", 4 << 40)
    text = launch(package="damaged.pbk", code=1)
    assert "manifest.json: expected at most 67108864 bytes, got 4398046511104" in text, text


def write_values(path, values, shape):
    write_tensors(path, {"input_ids": ("I64", shape, struct.pack(f"<{len(values)}q", *values))})


def test_indices():
    """An id that is no row of the table is told before anything is launched, on every way in."""
    ways = list(itertools.product(["cuda", "emulate"], ["p.pbk", "b.mlir"]))
    for turn, value in enumerate([61, -1, 1 << 40]):
        write_values(FOLDER / "x.safetensors", [3, 5, 7, 3, value, 7], [2, 3])
        message = f"input 'input_ids': expected 0 to 60, got {value} at [1, 1]"
        text = launch("--outputs=y.safetensors", inputs="x.safetensors", code=1, PARABLOCK_FAKE_LOG="log.txt")
        assert message in text and "launches" not in read_log("log.txt"), text
        for engine, subject in ways if IS_FULL else ways[turn::3]:
            text = run("block-run", subject, f"--engine={engine}", "--inputs=x.safetensors", "--seed=7", code=1,
                       PARABLOCK_FAKE_CHIP="sm_80")
            assert message in text, text
    assert not (FOLDER / "y.safetensors").exists()
    (FOLDER / "x.safetensors").unlink()


def test_positions():
    """More tokens than the table of positions has rows are no package's, nor a CPU's; and lengths are bounded."""
    run("block-gen", "--family=gpt2", "--layers=1", "--width=64", "--heads=2", "--vocab=61", "--positions=8", "--batch=?",
        "--seq=?", "--dtype=bf16", "--padding", "--seed=7", "--weights-out=gw.safetensors", "-o", "g.mlir")
    run("block-translate", "--block-to-package", "--chip=sm_80", "--cuda-path=no-ptxas", "g.mlir", "-o", "g.pbk")
    run("block-weights", "--recipe=g.pbk/recipe.mlir", "gw.safetensors", "-o", "gp.safetensors")

    def write(tokens, length):
        write_tensors(FOLDER / "x.safetensors", {"input_ids": ("I64", [1, tokens], bytes(8 * tokens)),
                                                 "lengths": ("I64", [1], struct.pack("<q", length))})
    for tokens, length, message in [(9, 9, "input 'input_ids': expected at most 8 tokens, for which there are positions, got 9"),
                                    (8, 9, "input 'lengths': expected 0 to 8, got 9 at [0]")]:
        write(tokens, length)
        text = launch(package="g.pbk", weights="gp.safetensors", inputs="x.safetensors", code=1)
        assert message in text, text
        for engine in ["cpu", "emulate"]:
            text = run("block-run", "g.mlir", f"--engine={engine}", "--chip=sm_80", "--inputs=x.safetensors", "--seed=7", code=1)
            assert message in text, text
    write(8, 8)
    launch(package="g.pbk", weights="gp.safetensors", inputs="x.safetensors")
    (FOLDER / "x.safetensors").unlink()


def test_weights():
    text = launch(weights="w.safetensors", code=1)
    assert "block-weights --recipe=p.pbk/recipe.mlir" in text, text
    text = launch(weights="i.safetensors", code=1)
    assert "expected tensor 'packed." in text, text
    raw = (FOLDER / "packed.safetensors").read_bytes()
    length = struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8:8 + length])

    def rewrite(change):
        changed = json.loads(json.dumps(header))
        change(next(value for key, value in changed.items() if key.endswith("mlp.up_proj.weight")))
        text = json.dumps(changed).encode()
        (FOLDER / "x.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + raw[8 + length:])

    rewrite(lambda entry: entry["shape"].reverse())
    text = launch(weights="x.safetensors", code=1)
    assert re.search(r"expected 'packed.*up_proj.weight' to be bf16 \[\d+, 64\], got \[64, \d+\]", text), text
    rewrite(lambda entry: entry.update(dtype="F16"))
    text = launch(weights="x.safetensors", code=1)
    assert "to be bf16, got f16" in text, text
    (FOLDER / "x.safetensors").write_bytes(raw[:length])
    text = launch(weights="x.safetensors", code=1)
    assert "x.safetensors: " in text, text
    (FOLDER / "x.safetensors").unlink()
    text = run("block-launch", "p.pbk", "--inputs=i.safetensors", code=1)
    assert "parameter 'packed." in text and "has no value" in text, text


def test_dims():
    text = launch("--dims=seq=16", code=1)
    assert "dimension 'seq' is 16, but 17 in 'input_ids' of [2, 17]" in text, text
    text = launch("--dims=size=16", code=1)
    assert "no dimension 'size' in p.pbk" in text, text
    for flag in ["--dims=seq", "--dims=seq=0", "--dims=seq=x", "--repeat=0", "--unknown=1", "more"]:
        launch(flag, code=1)
    write_tensors(FOLDER / "x.safetensors", {"input_ids": ("I64", [17], bytes(17 * 8))})
    text = launch(inputs="x.safetensors", code=1)
    assert "expected 'input_ids' to be i64 [batch, seq], got [17]" in text, text
    write_tensors(FOLDER / "x.safetensors", {"lengths": ("I64", [17], bytes(17 * 8))})
    text = launch(inputs="x.safetensors", code=1)
    assert "expected tensor 'input_ids', got none" in text, text
    (FOLDER / "x.safetensors").unlink()


def test_memory():
    text = launch(code=1, PARABLOCK_FAKE_MEMORY=1000)
    assert re.search(r"not enough device memory for the weights: expected \d+ bytes, got 1000 of 1000 free", text), text
    launch("--json=l.json")
    whole = json.loads((FOLDER / "l.json").read_text())["peak_bytes"]
    launch(PARABLOCK_FAKE_MEMORY=whole)
    text = launch(code=1, PARABLOCK_FAKE_MEMORY=whole - 1)
    assert "not enough device memory for inputs and results" in text, text
    # Too little address space for a stand-in is no device, and no crash.
    run("sh", "-c", "ulimit -v 8000000; exec block-launch p.pbk --inputs=i.safetensors --weights=packed.safetensors", code=4)


def test_faults():
    """A device that fails: one error, and nothing is kept (faults.py tries each call)."""
    for fault, message in [("allocation:1", "not enough device memory for the weights: expected"),
                           ("launch:2", "cuGraphLaunch: CUDA_ERROR_LAUNCH_FAILED"),
                           ("call:40", "CUDA_ERROR_UNKNOWN")]:
        text = launch(code=1, PARABLOCK_FAKE_FAULT=fault, PARABLOCK_FAKE_LOG="log.txt")
        assert message in text and text.count("\n") == 1, (fault, text)
        log = read_log("log.txt")
        assert (log["used"], log["objects"]) == (0, 0), (fault, log)
    assert "fake driver: PARABLOCK_FAKE_FAULT: expected KIND:N" in launch(PARABLOCK_FAKE_FAULT="launch")


def test_chip():
    """A device gets code that it runs, or an error that says what there is."""
    launch("--chip=sm_80", "--json=l.json", chip="sm_90a")
    assert json.loads((FOLDER / "l.json").read_text())["chip"] == "sm_80"
    text = launch("--chip=sm_90a", code=1)
    assert "expected code that 'emulator' (8.0) runs, for sm_90a, got sm_90a, sm_80" in text, text
    text = run("block-run", "p.pbk", "--engine=emulate", "--chip=sm_70", "--dims=batch=1,seq=1", code=1)
    assert "expected code for sm_70, got sm_90a, sm_80" in text, text
    text = run("block-run", "p.pbk", "--engine=emulate", "--mutate=race:1", "--dims=batch=1,seq=1", code=1)
    assert "--mutate: expected IR, got a package" in text, text
    text = run("block-run", "p.pbk", "--engine=emulate", "--function=prepack", code=1)
    assert "p.pbk: expected the function 'main', got 'prepack'" in text, text


def test_writing():
    """A package replaces a package, and nothing else."""
    (FOLDER / "other").mkdir(exist_ok=True)
    (FOLDER / "other" / "file").write_text("")
    text = run("block-translate", "--block-to-package", "--chip=sm_90a", "b.mlir", "-o", "other", code=1)
    assert "expected a package to replace" in text, text
    text = run("block-translate", "--block-to-package", "b.mlir", "-o", "q.pbk", code=1)
    assert "expected a --chip" in text, text
    (FOLDER / "no-ptxas").mkdir(exist_ok=True)
    written = []
    for _ in range(2):
        text = run("block-translate", "--block-to-package", "--chip=sm_80", "--cuda-path=no-ptxas", "b.mlir", "-o", "q.pbk")
        assert "remark: no machine code for sm_80: cannot find ptxas" in text, text
        written.append((FOLDER / "q.pbk" / "manifest.json").read_bytes())
    assert written[0] == written[1], "other bytes from the same input"
    assert json.loads(written[0])["chips"][0]["cubin"] is None
    if IS_FULL:
        launch(package="q.pbk")
    shutil.rmtree(FOLDER / "q.pbk")
    # Written beside its place, whatever the place is called, and not where temporary files are.
    (FOLDER / "sub").mkdir(exist_ok=True)
    for path in ["sub/q.pbk", "./q.pbk", FOLDER / "q.pbk", "q.pbk/"]:
        run("block-translate", "--block-to-package", "--chip=sm_80", "--cuda-path=no-ptxas",
            ROOT / "test/Package/Inputs/derived.mlir", "-o", path, TMPDIR=FOLDER / "nowhere")
        run("block-launch", "--verify", path)
    assert not list(FOLDER.glob("*.partial*")), "something is left behind"


def test_example():
    """The program in C of the documentation."""
    run(COMPILER, "-x", "c", "-std=c99", "-Wall", "-Wextra", "-Werror", ROOT / "examples/launch/run_package.c",
        f"-I{ROOT / 'include'}", f"-L{BUILD / 'lib'}", "-lparablock-launch", f"-Wl,-rpath,{BUILD / 'lib'}", "-o", "example")
    text = run(FOLDER / "example", "p.pbk", "packed.safetensors", "batch=1", "seq=5", PARABLOCK_FAKE_CHIP="sm_80")
    assert "logits: bf16, 610 bytes" in text, text
    text = run(FOLDER / "example", "p.pbk", "packed.safetensors", "batch=1", code=1)
    assert "dimension 'seq' of 'input_ids' has no size" in text, text


def test_misuse():
    """Of the C API."""
    run(sys.executable, ROOT / "test/Package/misuse.py", BUILD / "lib" / "libparablock-launch.so", "p.pbk", "packed.safetensors",
        PARABLOCK_FAKE_CHIP="sm_80")


def test_binaries():
    """Launchers link no LLVM, MLIR or CUDA, bind at once, look after their stacks and name no place of the build."""
    for binary in [BUILD / "bin" / "block-launch", BUILD / "lib" / "libparablock-launch.so"]:
        text = run("ldd", binary)
        assert "libc.so" in text and not re.search("LLVM|MLIR|cuda", text.split("=>", 1)[1]), text
        text = run("/usr/lib/llvm-22/bin/llvm-readelf", "--dynamic-table", "--program-headers", "--dyn-syms", binary)
        assert "GNU_RELRO" in text and re.search(r"FLAGS_1.*NOW", text), binary
        if "__asan" not in text:
            assert "__stack_chk_fail" in text and re.search(r"__\w+_chk\b", text), binary
        assert str(ROOT.resolve()).encode() not in binary.read_bytes(), binary


def main():
    chosen = [word for word in sys.argv[4:] if word.startswith("test_")]
    make_model()
    tests = {name: test for name, test in globals().items() if name.startswith("test_")}
    failed = 0
    for name, test in tests.items():
        if chosen and name not in chosen:
            continue
        try:
            test()
            print(f"{name}: ok")
        except AssertionError as fault:
            failed += 1
            print(f"{name}: FAILED: {fault}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
