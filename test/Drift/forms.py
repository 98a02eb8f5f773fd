# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights that a correction fitted, and the parallel model that they belong to, go together;
every reader of weights refuses one without the other."""

import json
import os
import pathlib
import subprocess
import sys

from models import Checks, drift, folder, generate, read_metadata, run

DATA = ["--seed=11", "--dims=batch=48"]
DRIVER = pathlib.Path(sys.argv[1]) / "lib" / "libparablock-fake-driver.so"
checks = Checks()


def refuses(name, want, *command):
    said = run(*command, code=1)
    checks.check(name, want in said, said)


def fit(blocks, stem):
    """A parallel model, its weights and its choice."""
    drift(*DATA, f"--blocks={blocks}", "--pairing=shifted", "--correction=refit", f"--weights-out={stem}.safetensors",
          f"--ir-out={stem}.mlir", f"--choice={stem}.json")


def judge(model, weights):
    return "block-run", model, "--engine=cpu", f"--weights={weights}", "--seed=1"


def read_by_run():
    for model, weights in [("model.mlir", "model.safetensors"), ("a.mlir", "a.safetensors")]:
        run(*judge(model, weights))
        checks.check(f"{model} with its own weights", True)
    run("block-opt", "model.mlir", "--block-parallelize=blocks=0+", "-o", "plain.mlir")
    run(*judge("plain.mlir", "model.safetensors"))
    checks.check("pairs that nothing was fitted to take original weights", True)
    refuses("serial model, fitted weights",
            "model.mlir: a.safetensors: expected original weights, got weights of the parallel form, fitted by "
            "correction=refit to the pairs 0+ of model sha256:", *judge("model.mlir", "a.safetensors"))
    refuses("the way out of fitted weights", "the model that block-drift wrote as --ir-out",
            *judge("model.mlir", "a.safetensors"))
    refuses("parallel model, original weights",
            "a.mlir: model.safetensors: expected weights of the parallel form, fitted by correction=refit to the "
            "pairs 0+ of model sha256:", *judge("a.mlir", "model.safetensors"))
    refuses("the way out of original weights", "the file that block-drift wrote as --weights-out",
            *judge("a.mlir", "model.safetensors"))
    refuses("weights of other pairs", "got weights of the parallel form, fitted by correction=refit to the pairs 1+",
            *judge("a.mlir", "b.safetensors"))
    refuses("pairs that nothing was fitted to, fitted weights", "expected original weights, got",
            *judge("plain.mlir", "a.safetensors"))
    refuses("a serial baseline of fitted weights", "model.mlir: a.safetensors: expected original weights",
            *judge("a.mlir", "a.safetensors"), "--baseline=model.mlir")
    said = run("block-run", "a.mlir", "--engine=cpu", "--seed=1")
    checks.check("drawn weights", "remark: a.mlir needs weights of the parallel form, fitted by correction=refit to the "
                 "pairs 0+" in said and "does not hold for drawn weights" in said, said)


def read_after_rewrites():
    """The choice makes the same of the serial model, and fused kernels need the same weights."""
    run("block-opt", "model.mlir", "--block-optimize=parallel=@a.json", "-o", "kernels.mlir")
    run(*judge("kernels.mlir", "a.safetensors"))
    refuses("kernels, original weights", "kernels.mlir: model.safetensors: expected weights of the parallel form",
            *judge("kernels.mlir", "model.safetensors"))


def read_by_drift():
    refuses("drift of fitted weights", "a.safetensors: expected original weights, got", "block-drift", "model.mlir",
            "--weights=a.safetensors", *DATA)
    refuses("a second correction", "--correction=refit: expected a model that needs original weights, got one of weights "
            "of the parallel form", "block-drift", "a.mlir", "--weights=a.safetensors", "--correction=refit", *DATA)


def read_by_packages():
    run("block-translate", "--block-to-package", "--chip=sm_90a", "a.mlir", "-o", "a.pbk")
    manifest = json.loads(pathlib.Path("a.pbk/manifest.json").read_text())
    hashed = read_metadata("a.safetensors")["parablock.model_hash"]
    weights = manifest["weights"]
    checks.check("the manifest", weights["pairs"] == "0+" and weights["correction"] == "refit"
                 and hashed.startswith(weights["model_hash"]), weights)
    pack = "block-weights", "--recipe=a.pbk/recipe.mlir"
    refuses("a recipe, original weights", "model.safetensors: expected weights of the parallel form", *pack,
            "model.safetensors", "-o", "none.safetensors")
    run(*pack, "a.safetensors", "-o", "packed.safetensors")
    metadata = read_metadata("packed.safetensors")
    checks.check("packed weights", metadata["parablock.pairs"] == "0+" and metadata["parablock.form"] == "parallel",
                 metadata)
    run("block-run", "a.pbk", "--engine=emulate", "--chip=sm_90a", "--weights=packed.safetensors", "--seed=1")
    run("block-translate", "--block-to-package", "--chip=sm_90a", "model.mlir", "-o", "s.pbk")
    checks.check("a serial manifest", "weights" not in json.loads(pathlib.Path("s.pbk/manifest.json").read_text()))
    refuses("a serial recipe, fitted weights", "a.safetensors: expected original weights", "block-weights",
            "--recipe=s.pbk/recipe.mlir", "a.safetensors", "-o", "none.safetensors")
    run("block-weights", "--recipe=s.pbk/recipe.mlir", "model.safetensors", "-o", "serial.safetensors")
    launch = subprocess.run(
        ["block-launch", "a.pbk", "--inputs=model.safetensors", "--weights=serial.safetensors"], capture_output=True,
        text=True, env={**os.environ, "PARABLOCK_CUDA_DRIVER": str(DRIVER), "PARABLOCK_FAKE_CHIP": "sm_90a"})
    checks.check("the launcher", launch.returncode == 1 and "serial.safetensors: expected weights of the parallel form"
                 in launch.stderr, launch.stderr)


with folder():
    generate("llama", "--layers=3", "--batch=4", "--seq=24")
    fit("0+", "a")
    fit("1+", "b")
    read_by_run()
    read_after_rewrites()
    read_by_drift()
    read_by_packages()
checks.finish()
