# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of packages of several ranks share: models, and processes that run them together.

Each process has the emulator as its device; between them is a stand-in for NCCL.
"""

import json
import math
import os
import pathlib
import shutil
import struct
import subprocess

import numpy as np
import safetensors_io

SMALL = "--width=64 --heads=4 --vocab=61 --positions=48 --dtype=bf16".split()


def read_tensors(path):
    """(type, array) by name; the last dimension are bytes of an element."""
    return {name: (kind, np.frombuffer(data, np.uint8).reshape([*shape, -1]))
            for name, (kind, shape, data) in safetensors_io.read_raw(path).items()}


def write_tensors(path, tensors):
    safetensors_io.write_raw(path, {name: (kind, array.shape[:-1], array.tobytes()) for name, (kind, array) in tensors.items()})


class Case:
    """A model, its packages and its weights in a folder of its own."""

    def __init__(self, build, folder):
        self.folder = pathlib.Path(folder)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        driver = str(pathlib.Path(build) / "lib" / "libparablock-fake-driver.so")
        self.environment = dict(os.environ, PARABLOCK_CUDA_DRIVER=driver, PARABLOCK_NCCL_LIBRARY=driver,
                                TMPDIR=str(self.folder))

    def start(self, *command, stdin="", **variables):
        process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, cwd=self.folder,
                                   env={**self.environment, **{key: str(value) for key, value in variables.items()}})
        if stdin:
            process.stdin.write(stdin)
            process.stdin.flush()
        return process

    def must(self, *command):
        process = self.start(*command)
        text, _ = process.communicate(timeout=300)
        assert process.returncode == 0, f"{' '.join(map(str, command))}\nexit {process.returncode}\n{text[-2000:]}"
        return text

    def read(self, name):
        return json.loads((self.folder / name).read_text())

    def make(self, flags, ranks, before="", shard="", chips=("sm_90a",)):
        """a.mlir, w.safetensors, r.json, p.pbk and each rank's weights."""
        self.must("block-gen", *SMALL, *flags, "--seed=7", "--weights-out=w.safetensors", "-o", "a.mlir")
        self.must("block-opt", "a.mlir", f"--block-optimize=chip={chips[0]} {before}".rstrip(),
                  f"--block-shard=ranks={ranks} {shard}".rstrip(), "--block-report=format=json file=r.json",
                  "-o", "b.mlir")
        # Without machine code: the stand-in for the driver takes either, and ptxas takes its time.
        self.must("block-translate", "--block-to-package", f"--chip={','.join(chips)}", "--cuda-path=none", "b.mlir", "-o", "p.pbk")
        for rank in range(ranks):
            self.pack(rank, "w.safetensors", f"w{rank}.safetensors")

    def write_inputs(self, sizes=None, name="i.safetensors", step=7):
        """Inputs that the package wants: ids, counts of rows, and numbers about 0.

        Of those that each rank has a part of, all parts.
        """
        manifest, tensors = self.read("p.pbk/manifest.json"), {}
        for argument in manifest["arguments"]:
            if argument["role"] == "parameter":
                continue
            shape = [size if isinstance(size, int) else sizes.get(size, 6) for size in argument["shape"]]
            if argument.get("of_rank"):
                shape[-1] *= manifest["ranks"]
            numbers = range(1, 1 + math.prod(shape))
            if argument["dtype"][0] == "i":
                most = 61 if "ids" in argument["name"] else 8
                raw = struct.pack(f"<{len(numbers)}q", *(step * number % most + (most == 8) for number in numbers))
            else:
                # The upper half of an f32 is a bf16.
                raw = b"".join(struct.pack("<f", step * number % 13 / 8 - 0.75)[2:] for number in numbers)
            tensors[argument["name"]] = argument["dtype"].upper(), np.frombuffer(raw, np.uint8).reshape([*shape, -1])
        write_tensors(self.folder / name, tensors)

    def split_inputs(self):
        """Each rank's own in i0.safetensors and so on: of a cache its columns."""
        manifest, tensors = self.read("p.pbk/manifest.json"), read_tensors(self.folder / "i.safetensors")
        for rank in range(manifest["ranks"]):
            own = dict(tensors)
            for argument in manifest["arguments"]:
                if argument.get("of_rank"):
                    kind, whole = tensors[argument["name"]]
                    own[argument["name"]] = kind, np.split(whole, manifest["ranks"], axis=-2)[rank]
            write_tensors(self.folder / f"i{rank}.safetensors", own)

    def complete_outputs(self, expected):
        """Puts what the first rank made of caches into what `expected` has of them."""
        made = read_tensors(self.folder / "o.safetensors")
        for name, (kind, whole) in read_tensors(self.folder / expected).items():
            own = made[name][1]
            if own.shape != whole.shape:
                made[name] = kind, np.concatenate([own, whole[..., own.shape[-2]:, :]], axis=-2)
        write_tensors(self.folder / "o.safetensors", made)

    def pack(self, rank, source, target):
        self.must("block-weights", f"--recipe=p.pbk/recipe.rank{rank}.mlir", source, "-o", target)

    def launch(self, ranks, *flags, own=None, timeout=60, as_mpirun=False, **variables):
        """(exit code, text) of each rank; `own` gives some of them other flags and variables.

        With `as_mpirun`, they know which they are from their environment.
        """
        own = own or {}
        meet = self.folder / "meet"
        meet.mkdir(mode=0o700, exist_ok=True)
        processes = []
        for rank in range(ranks):
            words, others = own.get(rank, ([], {}))
            words = {word.split("=")[0]: word for word in
                     ["--weights=" + f"w{rank}.safetensors", "--device=0", "--rank-timeout=20", *flags, *words]}
            package = words.pop("package", "package=p.pbk").split("=")[1]
            which = [f"--rank={rank}", f"--ranks={ranks}"]
            if as_mpirun:
                which, others = [], {"OMPI_COMM_WORLD_RANK": rank, "OMPI_COMM_WORLD_SIZE": ranks,
                                     "OMPI_COMM_WORLD_LOCAL_RANK": 0}
                del words["--device"]
            processes.append(self.start(
                "block-launch", package, *which, "--meet=meet", *words.values(),
                PARABLOCK_FAKE_LOG=f"log{rank}.txt", **{**variables, **others}))
        try:
            return [(process.wait(timeout), process.stdout.read()) for process in processes]
        finally:
            for process in processes:
                process.kill()
                process.wait()

    def read_log(self, rank):
        return {name: int(count) for name, count in
                (line.rsplit(" ", 1) for line in (self.folder / f"log{rank}.txt").read_text().splitlines())}
