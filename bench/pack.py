#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the folder that hardware.sh runs; see pack.sh."""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import zipfile

import numpy
import tensors
import variants

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "test" / "support"))
import expert_families  # noqa: E402
CHIPS = "--chip=sm_90a,sm_80"
MOST_BYTES = 40 << 20


def run(*command, cwd=None):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"error: {' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def draw_input(port, random, tokens):
    """Ids within every vocabulary of the cases, rising bounds; anything else around 0.5, as block-run draws it."""
    dtype, shape = port["dtype"].upper(), port["shape"]
    if port["name"] == "cu_seqlens":
        bounds = numpy.sort(random.integers(0, tokens + 1, shape))
        bounds[0] = 0
        return dtype, bounds.astype(tensors.TYPES[dtype])
    if dtype in ("I64", "I32"):
        top = 2 if "type" in port["name"] else 61
        return dtype, random.integers(0, top, shape).astype(tensors.TYPES[dtype])
    return dtype, tensors.from_float(dtype, random.normal(0.5, 1, shape))


def make_package(source, folder, name):
    package = folder / f"{name}.pbk"
    run("block-translate", "--block-to-package", CHIPS, source, "-o", package)
    return package


def drop_unused(package):
    """Bitcode is for the emulator, and the model for block-run: as large as the rest."""
    for path in [*package.glob("*.bc"), package / "model.mlir"]:
        path.unlink()


def archive(folder):
    """FOLDER.tar.xz, which is what is carried."""
    path = folder.with_name(folder.name + ".tar.xz")
    with tarfile.open(path, "w:xz", preset=3) as packed:
        packed.add(folder, folder.name)
    return path


def add_model(folder, cases, family, dtype, flags, form=""):
    """A small model with inputs, packed weights, and what the reference engine expects in exact arithmetic."""
    name = f"{family}-{dtype}{form}"
    work = folder / "work"
    work.mkdir(exist_ok=True)
    run("block-gen", f"--family={family}", *flags.split(), f"--dtype={dtype}", "--seed=7",
        "--weights-out=weights.safetensors", "-o", "model.mlir", cwd=work)
    package = make_package(work / "model.mlir", folder, name)
    manifest = json.loads((package / "manifest.json").read_text())
    random = numpy.random.default_rng(len(cases) + 1)
    ports = [port for port in manifest["arguments"] if port["role"] == "input"]
    tokens = max(port["shape"][1] for port in ports if len(port["shape"]) > 1)
    inputs = {port["name"]: draw_input(port, random, tokens) for port in ports}
    tensors.write(folder / f"{name}.inputs", inputs)
    run("block-weights", f"--recipe={package}/recipe.mlir", work / "weights.safetensors", "-o",
        folder / f"{name}.weights")
    run("block-run", work / "model.mlir", "--engine=reference", f"--inputs={folder}/{name}.inputs",
        f"--weights={work}/weights.safetensors", f"--baseline={work}/model.mlir", f"--json={work}/run.json")
    run("block-run", work / "model.mlir", "--engine=reference", "--exact-arithmetic",
        f"--inputs={folder}/{name}.inputs", f"--weights={work}/weights.safetensors",
        f"--outputs={folder}/{name}.expected")
    report = json.loads((work / "run.json").read_text())
    limits = {output["name"]: output["tolerance"] for output in report["outputs"]}
    cases.append({"kind": "matrix", "name": name, "package": package.name, "limits": limits})


def write_ir(path, text):
    path.write_text(text)
    return path


def gemm_ir(path, rows, columns, depth):
    x, w, y = f"tensor<1x{rows}x{depth}xbf16>", f"tensor<{columns}x{depth}xbf16>", f"tensor<1x{rows}x{columns}xbf16>"
    return write_ir(path, f"""func.func @main(%x: {x} {{block.input = "x"}}, %w: {w} {{block.param = "w"}}) -> ({y} {{block.output = "y"}}) {{
  %0 = block.linear %x, %w : ({x}, {w}) -> {y}
  return %0 : {y}
}}
""")


def attention_ir(path, batch, seq, heads, head_dim, causal):
    t = f"tensor<{batch}x{seq}x{heads * head_dim}xbf16>"
    scores = f"#block.scores<scale = {head_dim ** -0.5:.17e}, causal = {str(causal).lower()}>"
    return write_ir(path, f"""func.func @main(%q: {t} {{block.input = "q"}}, %k: {t} {{block.input = "k"}}, %v: {t} {{block.input = "v"}}) -> ({t} {{block.output = "y"}}) {{
  %0 = block.sdpa %q, %k, %v {{heads = {heads} : i64, kv_heads = {heads} : i64, scores = {scores}}} : ({t}, {t}, {t}) -> {t}
  return %0 : {t}
}}
""")


def norm_ir(path, rows, width):
    t, g = f"tensor<1x{rows}x{width}xbf16>", f"tensor<{width}xbf16>"
    return write_ir(path, f"""func.func @main(%x: {t} {{block.input = "x"}}, %g: {g} {{block.param = "gamma"}}) -> ({t} {{block.output = "y"}}) {{
  %0 = block.norm %x gamma %g {{form = #block.norm<kind = rms, eps = 1.0e-6>}} : ({t}, {g}) -> {t}
  return %0 : {t}
}}
""")


def layer_ir(path, width, heads, batch, seq):
    """One layer of llama: serial as it is published, and with its sublayers side by side."""
    run("block-gen", "--family=llama", "--scope=block", "--layers=1", "--dtype=bf16", f"--width={width}",
        f"--heads={heads}", f"--kv-heads={heads}", f"--batch={batch}", f"--seq={seq}", "-o", path)


def add_benchmark(folder, cases, kind, sizes, forms=("serial", "parallel")):
    work = folder / "work"
    name = kind + "".join(f"-{key}{value}" for key, value in sizes.items())
    source = work / "case.mlir"
    if kind == "layer":
        layer_ir(source, **sizes)
    else:
        {"gemm": gemm_ir, "attention": attention_ir, "norm": norm_ir}[kind](source, **sizes)
    for form in forms if kind == "layer" else [""]:
        chosen = source
        if form == "parallel":
            chosen = work / "parallel.mlir"
            run("block-opt", source, "--block-parallelize=blocks=all", "-o", chosen)
        package = make_package(chosen, folder, name + (f"-{form}" if form else ""))
        cases.append({"kind": kind, "name": package.stem, "package": package.name, "form": form, "sizes": sizes})


def add_experiment(folder, cases, kind, sizes, names):
    """A case as the compiler makes it, and each with one thing changed; what is switched when it runs has no code of
    its own."""
    add_benchmark(folder, cases, kind, sizes, forms=("serial",))
    made = cases.pop()
    source = folder / "work" / "case.mlir"
    packages, bases = {}, {"": folder / made["package"]}
    if any(name.startswith("open") for name in names):
        # The same layer of a batch and a number of tokens that come later.
        layer_ir(folder / "work" / "open.mlir", **{**sizes, "batch": "?", "seq": "?"})
        bases["open"] = make_package(folder / "work" / "open.mlir", folder, made["name"] + "-open")
    for name in names:
        of_open, _, rest = name.partition("+") if name.startswith("open") else ("", "", name)
        base = bases[of_open]
        packages[name] = base.name
        if rest not in ("", "no-overlap", "no-graph"):
            packages[name] = variants.make_variant(base, rest, source, sizes, folder / "work").name
    cases.append({**made, "name": f"{made['name']}-experiments", "variants": packages})


def copy_programs(folder, build, is_dry):
    for name in ["hardware.sh", "hardware.py", "worker.py", "launcher.py", "peers.py", "tensors.py", "doors.py"]:
        shutil.copy(HERE / name, folder)
    shutil.copy(build / "bin" / "block-launch", folder)
    for path in (build / "lib").glob("libparablock-launch.so*"):
        shutil.copy(path, folder / "libparablock-launch.so")
    if is_dry:
        (folder / "driver").write_text(str((build / "lib" / "libparablock-fake-driver.so").resolve()))


# What runs beside ours, by door: what takes no minutes, what a compiler of PyTorch makes, and both.
PEERS = {
    "generate": {"eager": ["transformers"], "compiled": ["static cache, max-autotune"]},
    "compile": {"eager": ["torch eager"], "compiled": ["torch.compile"]},
}


def add_door(cases, door, shape, sizes, peers="all", seconds=None):
    """Nothing is packed: Python compiles on the machine. `seconds` is the most that the case may take."""
    name = f"{door}-{shape}" + "".join(f"-{key}{value}" for key, value in sizes.items() if key != "steps")
    name += "" if sizes.get("steps", 1) else "-first"
    name += "-compiled" if peers == "compiled" else ""
    known = PEERS[door]
    beside = known["eager"] + known["compiled"] if peers == "all" else known[peers]
    case = {"kind": "door", "name": name, "door": door, "shape": shape, "sizes": sizes, "peers": beside}
    cases.append({**case, "compiled": known["compiled"], "own_loop": peers == "all", "seconds": seconds})


def find_commit():
    """Of this tree; "unknown" where there is no git, or no repository."""
    if not shutil.which("git"):
        return "unknown"
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=HERE, capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--sizes", choices=["full", "small", "tiny"], default="full")
    parser.add_argument("--only", default="", help="kinds, separated by commas")
    parser.add_argument("--wheel", type=pathlib.Path, help="the Python package, for the doors (scripts/make_wheel.sh)")
    parser.add_argument("folder", type=pathlib.Path)
    flags = parser.parse_args()
    folder = flags.folder.resolve()
    if folder.exists() and any(folder.iterdir()) and not (folder / "packed.json").exists():
        sys.exit(f"error: {folder} is not empty")
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "work").mkdir(parents=True)
    is_dry = flags.sizes != "full"
    chosen = json.loads((HERE / "cases.json").read_text())[flags.sizes]
    wanted = flags.only.split(",") if flags.only else list(chosen)
    cases = []
    if "matrix" in wanted:
        matrix = chosen["matrix"]
        families = matrix["families"]
        if families == "all":
            families = expert_families.leave_out(run("block-gen", "--list-families").split())
        for number, family in enumerate(families):
            add_model(folder, cases, family, matrix["dtypes"][number % len(matrix["dtypes"])], matrix["flags"])
            print(cases[-1]["name"], flush=True)
        for form, (family, sizes) in matrix.get("forms", {}).items():
            add_model(folder, cases, family, matrix["dtypes"][0], sizes, f"-{form}")
            print(cases[-1]["name"], flush=True)
    for experiment in chosen["experiments"] if "experiments" in wanted else []:
        before = len(cases)
        add_experiment(folder, cases, **experiment)
        print("\n".join(case["name"] for case in cases[before:]), flush=True)
    for kind in ["gemm", "attention", "norm", "layer"]:
        for sizes in chosen[kind] if kind in wanted else []:
            add_benchmark(folder, cases, kind, sizes)
            print(cases[-1]["name"], flush=True)
    for door in chosen["door"] if "door" in wanted else []:
        add_door(cases, **door)
        print(cases[-1]["name"], flush=True)
    if flags.wheel:
        with zipfile.ZipFile(flags.wheel) as wheel:
            wheel.extractall(folder / "site")
    shutil.rmtree(folder / "work")
    if not is_dry:
        for package in folder.glob("*.pbk"):
            drop_unused(package)
    copy_programs(folder, flags.build, is_dry)
    (folder / "packed.json").write_text(json.dumps({"schema": 1, "commit": find_commit(), "cases": cases}, indent=1) + "\n")
    if is_dry:
        print(f"{len(cases)} cases")
        return
    packed = archive(folder)
    size = packed.stat().st_size
    print(f"{len(cases)} cases; {packed}, {size / (1 << 20):.1f} MiB")
    most = MOST_BYTES + (flags.wheel.stat().st_size if flags.wheel else 0)
    if size > most:
        sys.exit(f"error: expected at most {most >> 20} MiB")


if __name__ == "__main__":
    main()
