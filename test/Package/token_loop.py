#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The token loop of the launcher, beside the one of the CPU: the same requests give the same tokens.

usage: token_loop.py BUILD FOLDER C_COMPILER [MODEL...]
       token_loop.py BUILD FOLDER C_COMPILER --on-device MODEL   in a process of its own
"""

import ctypes
import os
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import numpy as np

import launcher  # noqa: E402
import loops  # noqa: E402
import packages  # noqa: E402
import safetensors_io  # noqa: E402

VOCABULARY, WINDOW, PAGE = 61, 5, 4
FOLDER, BUILD, run = packages.FOLDER, packages.BUILD, packages.run
# Family, and options of block-add-caches.
MODELS = {"llama": ("llama", ""), "gpt2": ("gpt2", ""), "rings": ("mistral", "rings=true"),
          "pages": ("llama", f"page-rows={PAGE}"), "window-pages": ("mistral", f"page-rows={PAGE}")}
# The same with the choice of tokens on the device.
MODELS |= {f"{name}-choice": (family, f"{caches} sampling=true") for name, (family, caches) in MODELS.items()}
RAGGED = [[3, 1, 4, 1, 5], [9, 2], [6, 5, 3, 5]]
LONG = [(7 * index + 3) % VOCABULARY for index in range(75)]


def make_model(name):
    family, caches = MODELS[name]
    run("block-gen", f"--family={family}", "--layers=2", "--width=64", "--heads=4", f"--vocab={VOCABULARY}", "--batch=?", "--seq=?",
        *(["--positions=96"] if family == "gpt2" else ["--kv-heads=2"]), "--seed=7", f"--weights-out={name}.w.safetensors", "-o", f"{name}.mlir")
    text = (FOLDER / f"{name}.mlir").read_text()
    if family == "mistral":
        assert "window = 4096" in text
    (FOLDER / f"{name}.mlir").write_text(text.replace("window = 4096", f"window = {WINDOW}"))
    # The CPU's loop chooses tokens itself.
    run("block-opt", f"{name}.mlir", f"--block-add-caches={caches.removesuffix(' sampling=true')}", "-o", f"{name}.cached.mlir")
    run("block-opt", f"{name}.mlir", f"--block-add-caches={caches}", "--block-optimize=chip=sm_80", "-o", f"{name}.fused.mlir")
    shutil.rmtree(FOLDER / f"{name}.pbk", ignore_errors=True)
    run("block-translate", "--block-to-package", "--chip=sm_80", f"{name}.fused.mlir", "-o", f"{name}.pbk")
    run("block-weights", f"--recipe={name}.pbk/recipe.mlir", f"{name}.w.safetensors", "-o", f"{name}.safetensors")


def list_requests(name):
    sampled = {"temperature": 0.8, "top_k": 20, "top_p": 0.9, "min_p": 0.02, "repetition_penalty": 1.3}
    name = name.removesuffix("-choice")
    requests = {"greedy": (RAGGED, 8, {}), "sampled": (RAGGED, 8, {**sampled, "seed": 5}),
                "another seed": (RAGGED[:1], 8, {**sampled, "seed": 6})}
    if name == "llama":
        # Buffers of 64 tokens double.
        requests["growth"] = ([LONG[:60]], 8, {"reserved": 1})
    if name in ("rings", "window-pages"):
        # In parts, where rings are too small for it.
        requests["long"] = ([LONG, LONG[:70]], 4, {})
    if name == "pages":
        requests["limit"] = (RAGGED, 6, {"pool_pages": 9})
    return {key: (prompts, count, options) for key, (prompts, count, options) in requests.items()}


def open_device(name):
    program = launcher.Launcher(BUILD / "lib" / "libparablock-launch.so").load(FOLDER / f"{name}.pbk")
    program.load_weights(FOLDER / f"{name}.safetensors")
    return loops.DeviceLoop(program)


def expect(message, work):
    try:
        work()
    except launcher.LaunchError as error:
        assert re.search(message, str(error)), error
    else:
        raise AssertionError(f"no error: {message}")


def on_device(name):
    device = open_device(name)
    host = loops.HostLoop(BUILD / "lib" / "libparablock-c.so", FOLDER / f"{name}.cached.mlir",
                          safetensors_io.read_raw(FOLDER / f"{name}.w.safetensors"))
    greedy = None
    for key, (prompts, count, options) in list_requests(name).items():
        request = loops.make_request(prompts, count, **options)
        wanted, found = host.generate(request), device.generate(request)
        assert (wanted == found).all(), f"{name}, {key}: expected\n{wanted.T}\ngot\n{found.T}"
        print(f"{name}, {key}: {found.size} tokens")
        greedy = found if key == "greedy" else greedy
    check_stops(host, device, greedy)
    check_handler(device, greedy)
    check_requests(device, name)
    if name in ("llama", "pages", "llama-choice"):
        check_faults(device, name)


def check_faults(device, name):
    """Each allocation fails once, and each launch of some steps; nothing is kept, and the next request has its
    tokens."""
    driver = ctypes.CDLL(os.environ["PARABLOCK_CUDA_DRIVER"])
    driver.parablockFakeGetUsed.restype = driver.parablockFakeGetCount.restype = ctypes.c_uint64
    # Grows at the second step.
    request = loops.make_request([LONG[:63]], 3, reserved=1)
    wanted, before = device.generate(request), (driver.parablockFakeGetUsed(), driver.parablockFakeGetObjects())
    messages, retries = set(), 0
    for kind, name_of in enumerate(("allocation", "launch")):
        assert driver.parablockFakeSetFault(b"")
        assert (device.generate(request) == wanted).all()
        count = driver.parablockFakeGetCount(kind)
        for number in range(1, count + 1, 1 if kind == 0 else 5):
            assert driver.parablockFakeSetFault(f"{name_of}:{number}".encode())
            try:
                found = device.generate(request)
                # Caches that grow for tokens ahead have another try when these are wanted.
                assert "choice" in name and kind == 0 and (found == wanted).all(), f"no error of {name_of} {number}"
                retries += 1
            except launcher.LaunchError as error:
                messages.add(re.sub(r"\d+", "N", str(error)))
            after = driver.parablockFakeGetUsed(), driver.parablockFakeGetObjects()
            assert after == before, (name_of, number, before, after)
        assert driver.parablockFakeSetFault(b"")
        assert (device.generate(request) == wanted).all()
    check_lost(device, driver, request, wanted)
    caches = "N pages of N tokens" if name == "pages" else "caches of N tokens"
    state = ["the state of tokens"] if "choice" in name else []
    memory = {message for message in messages if "memory" in message}
    assert memory == {f"not enough device memory for {what}: expected N bytes, got N of N free" for what in (
        f"{caches} ('past_key.N' to 'past_value.N', N bytes together)", "ids, lengths and logits", "workspaces",
        "what lies between launches", *state)}, memory
    launches = messages - memory
    assert any(re.match("kernel '.*': cuLaunchKernelEx: CUDA_ERROR_LAUNCH_FAILED", message) for message in launches), launches
    assert any(re.match("a launch of .*: cuGraphLaunch: CUDA_ERROR_LAUNCH_FAILED", message) for message in launches), launches
    assert retries == (4 if "choice" in name else 0), retries
    print(f"{name}, faults: {len(messages)} messages")


def check_lost(device, driver, request, wanted):
    """A device is lost at a call: one error of the driver, all objects are freed, and another device serves the
    next."""
    assert driver.parablockFakeSetFault(b"")
    assert (device.generate(request) == wanted).all()
    count, before = driver.parablockFakeGetCount(2), (driver.parablockFakeGetUsed(), driver.parablockFakeGetObjects())
    numbers = [*range(1, count, 17), *range(count - 8, count + 1)]
    late = 0
    for number in numbers:
        assert driver.parablockFakeSetFault(f"call:{number}".encode())
        try:
            tokens = device.generate(request)
            # Calls after the last token only free.
            late += 1
            assert (tokens == wanted).all() and number > count - 60, (number, count)
        except launcher.LaunchError as error:
            assert late == 0 and re.search(r"\bcu[A-Z]\w+: CUDA_ERROR_UNKNOWN$", str(error)), (number, str(error))
        after = driver.parablockFakeGetUsed(), driver.parablockFakeGetObjects()
        assert after == before, (number, before, after)
    assert driver.parablockFakeSetFault(b"")
    assert (device.generate(request) == wanted).all()


def check_stops(host, device, greedy):
    """Rows end by themselves; others go on beside padding."""
    step, row = next((step, row) for step in range(1, 5) for row in range(3)
                     if not (np.delete(greedy, row, 1) == greedy[step, row]).any() and greedy[step, row] not in greedy[:step, row])
    request = loops.make_request(RAGGED, 8, stops=[60, int(greedy[step, row])], padding=7)
    wanted, found = host.generate(request), device.generate(request)
    assert (wanted == found).all(), (wanted, found)
    assert len(found) == 8 and (found[step + 1:, row] == 7).all(), found
    # All rows end.
    request = loops.make_request(RAGGED, 60, stops=[int(token) for token in greedy[2]])
    wanted, found = host.generate(request), device.generate(request)
    assert len(found) <= 3 and (wanted == found).all(), (wanted, found)


def check_handler(device, greedy):
    """Gets each step's tokens, and ends the loop; steps by themselves are the same."""
    request, seen = loops.make_request(RAGGED, 8), []

    def handle(tokens, rows, _):
        seen.append(tokens[:rows])
        return len(seen) == 3

    assert (device.generate(request, handle) == greedy[:3]).all()
    assert (greedy[:3] == seen).all()
    with device.begin(request) as one, device.begin(request) as other:
        for step in range(8):
            for handle in (one, other):
                tokens, ended = device.next(handle, 3)
                assert (tokens == greedy[step]).all() and ended == (step == 7), (step, tokens, ended)
        expect("expected a step behind a beginning and before the end", lambda: device.next(one, 3))


def check_requests(device, name):
    def refuse(message, prompts=RAGGED, count=4, **options):
        expect(message, lambda: device.generate(loops.make_request(prompts, count, **options)))

    refuse("ids: expected tokens below 61, got 61 in row 1", [[1], [61]])
    refuse("max_new_tokens: expected 1 or more, got 0", count=0)
    refuse("padding: expected a token below 61, got -1", [[1]], padding=-1)
    refuse("temperature: expected a number from 0 on, got -1", temperature=-1)
    if "pages" in name:
        refuse("pool_pages: expected room for 6 more pages of 4 tokens, for 3 rows of 5 tokens, got 3 pages, 0 of which are held",
               pool_pages=3)
    else:
        refuse("pool_pages: expected caches in pages, got some in one piece", pool_pages=3)
    if name.startswith("gpt2"):
        refuse("expected at most 96 tokens, which is what the model has positions for, got 97", [[1]], 97)
    null = loops.make_request([[1]], 1)
    null.ids = None
    expect("expected the tokens of a prompt, got null", lambda: device.generate(null))
    many = loops.make_request([[1]], 1)
    many.rows, many.width = 1 << 47, 0
    expect("ids: expected rows of as many tokens each, at least one", lambda: device.begin(many).__enter__())
    expect("expected a generation, got one that was given back, or none", lambda: device.next(1234, 1))


def check_example(name):
    """The program in C of the documentation."""
    run(packages.COMPILER, "-x", "c", "-std=c99", "-Wall", "-Wextra", "-Werror", ROOT / "examples/serving/generate.c",
        f"-I{ROOT / 'include'}", f"-L{BUILD / 'lib'}", "-lparablock-launch", f"-Wl,-rpath,{BUILD / 'lib'}", "-o", "generate")

    def generate(*words, code=0, **variables):
        return run(FOLDER / "generate", f"{name}.pbk", f"{name}.safetensors", *words, code=code,
                   **{"PARABLOCK_FAKE_CHIP": "sm_80", **variables})

    tokens = generate(6, 3, 1, 4, 1, 5).split()
    assert len(tokens) == 6 and all(0 <= int(token) < VOCABULARY for token in tokens), tokens
    assert generate(6, f"stop={tokens[1]}", 3, 1, 4, 1, 5).split() == tokens[:2], tokens
    drawn = [generate(6, "temperature=1", f"seed={seed}", "top_k=0", "top_p=1", "min_p=0", "repetition_penalty=1.5", 3, 1).split()
             for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2], drawn
    assert "error: unknown option 'seeds=1'" in generate(6, "seeds=1", 3, code=1)
    for words, kind in (((6, 3, "x"), "whole number"), ((6, "3.5"), "whole number"), (("9" * 30, 3), "whole number"),
                        ((6, "temperature=abc", 3), "number"), ((6, "seed=", 3), "whole number")):
        assert f"error: expected a {kind}, got '" in generate(*words, code=1), words
    assert "error: ids: expected tokens below 61, got 61 in row 0" in generate(6, 61, code=1)
    assert "no CUDA device" in generate(6, 3, code=4, PARABLOCK_FAKE_CHIP="none")
    print(f"{name}: the example")


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[4:] or MODELS:
        make_model(name)
        print(run(sys.executable, __file__, *sys.argv[1:4], "--on-device", name, PARABLOCK_FAKE_CHIP="sm_80",
                  PARABLOCK_FAKE_LOG=f"{name}.txt"), end="")
        log = packages.read_log(f"{name}.txt")
        # Steps are replays.
        assert log["graph launches"] > 30, log
        if name.startswith("llama"):
            check_example(name)


if __name__ == "__main__":
    if sys.argv[4:5] == ["--on-device"]:
        on_device(sys.argv[5])
    else:
        main()
