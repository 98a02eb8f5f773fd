# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packages whose code for sm_90a differs in one thing, to find by measurement what it is worth.

A variant is a package with other machine code for the same launches, or with more
launches where these do apart what kernels do together. It is an edit of PTX, of the
tile program, or of the launch, or an option of what makes that program; one that finds
nothing to edit is an error, and so is one that ptxas refuses.
"""

import functools
import hashlib
import json
import re
import shutil
import subprocess
import sys

CHIP = "sm_90a"
RECORD = "// parablock: "
# What each changes in PTX: (a pattern, what takes its place).
PTX_EDITS = {
    "scoped-arrive": (r"mbarrier\.arrive\.shared::cluster\.b64", "mbarrier.arrive.release.cluster.shared::cluster.b64"),
    "late-signal": (r"(griddepcontrol\.launch_dependents;)(\s*)(griddepcontrol\.wait;)", r"\3\2\1"),
    "no-prefetch": (r"prefetch\.tensormap[^;]*;", ""),
}
# And in the tile program: heads one after the other, rather than as many as the cache holds; queries that come when
# those of the tile before are done with; keys and values of three steps in memory, not two.
TILE_EDITS = {
    "narrow-bands": (r"\bband \d+", "band 1"),
    "one-query-stage": (r"(tile\.pipeline %\w+) stages 2\b", r"\1 stages 1"),
    "three-key-stages": (r"(#tile\.schedule<[^>]*\bstages = )2\b", r"\g<1>3"),
}
# And what makes that program: few rows as the left operand of products, in tiles for many; norms of rows, final ones
# and wanted rows included, in launches of their own, as are new rows of caches; sums of a shared depth through memory.
LOWERINGS = ("rows-left", "rows-apart", "appends-apart", "joins-in-memory")


def fail(message):
    sys.exit(f"error: {message}")


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        fail(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def edit(text, pattern, replacement, what):
    changed, count = re.subn(pattern, replacement, text)
    if not count:
        fail(f"variant {what}: nothing to change")
    return changed


class Variant:
    """A copy of a package, or of what `make` writes in its place, whose code for sm_90a is about to be another."""

    def __init__(self, package, name, make=None):
        self.folder, self.name = package.with_name(f"{package.stem}-{name}.pbk"), name
        shutil.rmtree(self.folder, ignore_errors=True)
        if make:
            make(self.folder)
        else:
            shutil.copytree(package, self.folder)
        self.manifest = json.loads((self.folder / "manifest.json").read_text())
        self.code = next(chip for chip in self.manifest["chips"] if chip["chip"] == CHIP)
        text = (self.folder / self.code["ptx"]["file"]).read_text()
        at = text.index(RECORD)
        self.ptx, self.records = text[:at], text[at:]

    @property
    def launches(self):
        return self.code["plan"]["launches"]

    def save(self):
        ptx, cubin = (self.folder / f"{CHIP}.{kind}" for kind in ("ptx", "cubin"))
        ptx.write_text(self.ptx + self.records)
        run("ptxas", f"-arch={CHIP}", ptx, "-o", cubin)
        bitcode = self.folder / self.code["bitcode"]["file"]
        for path, entry in ((ptx, "ptx"), (cubin, "cubin"), (bitcode, "bitcode")):
            data = path.read_bytes()
            self.code[entry] = {"file": path.name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        data = (json.dumps(self.manifest, indent=1) + "\n").encode()
        (self.folder / "manifest.json").write_bytes(data)
        (self.folder / "manifest.sha256").write_text(f"{hashlib.sha256(data).hexdigest()}  manifest.json\n")
        run("block-launch", "--verify", self.folder)
        return self.folder


def make_tiles(source, work):
    """The tile program of a model, a line for each operation."""
    run("block-opt", source, f"--block-optimize=chip={CHIP}", f"--convert-block-kernels-to-tile=chip={CHIP}",
        "-o", work / "tiles.mlir")
    return (work / "tiles.mlir").read_text()


@functools.cache
def write_ptx(source, model, work, *flags):
    """PTX of a model, made once for what the file holds."""
    run("block-translate", "--quiet", source, "--block-to-ptx", f"--chip={CHIP}", *flags, "-o", work / "lowered.ptx")
    return (work / "lowered.ptx").read_text()


def lower(package, names, source, work):
    """What writes the package of a model whose tile programs have these options."""
    model = source.read_bytes()
    for name in names:
        if write_ptx(source, model, work) == write_ptx(source, model, work, f"--tiles={name}=true"):
            fail(f"variant {name}: nothing to change")
    chips = json.loads((package / "manifest.json").read_text())["chips"]
    options = " ".join(f"{name}=true" for name in names)
    return lambda folder: run("block-translate", "--quiet", source, "--block-to-package", f"--chip={','.join(code['chip'] for code in chips)}",
                              f"--tiles={options}", "-o", folder)


def compile_tiles(text, work):
    """PTX of a tile program without its records, and how its only kernel is launched."""
    path = work / "variant.mlir"
    path.write_text(text)
    run("block-translate", "--block-to-ptx", f"--chip={CHIP}", "--quiet", path, "-o", work / "variant.ptx")
    code = run("block-opt", path, f"--block-to-gpu=chip={CHIP}")
    launch = " ".join(code[code.index("#tile.launch<"):].split())
    boxes = [(int(rows), int(columns)) for rows, columns in
             re.findall(r"box = \[(\d+), (\d+)\]", launch[:launch.index("schedule")])]
    facts = {name: int(re.search(rf"\b{name} = (\d+)", launch)[1]) for name in ("shared_bytes", "grid")}
    ptx = (work / "variant.ptx").read_text()
    return ptx[:ptx.index(RECORD)] if RECORD in ptx else ptx, facts, boxes


# A product whose results go from registers to memory by TMA, as the compiler makes them.
PRODUCT = """gpu.module @kernels {{
  tile.kernel @linear_0(%x: memref<1x{rows}x{depth}xbf16>, %w: memref<{columns}x{depth}xbf16>, %y: memref<1x{rows}x{columns}xbf16>) attributes {{outputs = 1 : i64, schedule = #tile.schedule<multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 4, grid = {grid}, cluster = 2>}} {{
    %c64 = arith.constant 64 : index
    %steps = arith.constant {steps} : index
    %high = arith.constant 128 : index
    %wide = arith.constant {tile} : index
    %down = arith.constant {down} : index
    %across = arith.constant {across} : index
    tile.tiles (%i, %j) below (%down, %across) band 8 {{
      %row = arith.muli %i, %high : index
      %column = arith.muli %j, %wide : index
      %zero = tile.zero : !tile.accumulator<128x{tile}>
      %sum = tile.pipeline %steps init %zero : !tile.accumulator<128x{tile}> produce {{
      ^bb0(%step: index, %left: !tile.buffer<128x64xbf16, swizzled>, %right: !tile.buffer<{tile}x64xbf16, swizzled>):
        %k = arith.muli %step, %c64 : index
        tile.copy %x[%row, %k] to %left[0, 128] : memref<1x{rows}x{depth}xbf16> to !tile.buffer<128x64xbf16, swizzled>
        tile.copy %w[%column, %k] to %right[0, {tile}] : memref<{columns}x{depth}xbf16> to !tile.buffer<{tile}x64xbf16, swizzled>
        tile.yield
      }} consume {{
      ^bb0(%step: index, %left: !tile.buffer<128x64xbf16, swizzled>, %right: !tile.buffer<{tile}x64xbf16, swizzled>, %before: !tile.accumulator<128x{tile}>):
        %after = tile.mma %left, %right, %before : !tile.buffer<128x64xbf16, swizzled>, !tile.buffer<{tile}x64xbf16, swizzled>, !tile.accumulator<128x{tile}>
        tile.yield %after : !tile.accumulator<128x{tile}>
      }}
      tile.copy_out %sum to %y[%row, %column] : !tile.accumulator<128x{tile}> to memref<1x{rows}x{columns}xbf16>
    }}
    tile.return
  }}
}}
func.func @main(%x: tensor<1x{rows}x{depth}xbf16> {{block.input = "x"}}, %w: tensor<{columns}x{depth}xbf16> {{block.param = "w"}}) -> (tensor<1x{rows}x{columns}xbf16> {{block.output = "y"}}) {{
  %0 = tile.launch @kernels::@linear_0(%x, %w) : (tensor<1x{rows}x{depth}xbf16>, tensor<{columns}x{depth}xbf16>) -> tensor<1x{rows}x{columns}xbf16>
  return %0 : tensor<1x{rows}x{columns}xbf16>
}}
"""
def write_product(rows, columns, depth, tile):
    """A product by tiles of 128 x `tile`, in pairs of CTAs."""
    if columns % tile or depth % 64:
        fail(f"a product of {columns} columns and a depth of {depth}: expected whole tiles of {tile} and steps of 64")
    down = -(-rows // 128)
    grid = min(132, (down + down % 2) * (columns // tile))
    return PRODUCT.format(rows=rows, columns=columns, depth=depth, tile=tile, steps=depth // 64, down=down,
                          across=columns // tile, grid=grid)


def relaunch(variant, facts, boxes, ptx):
    """Another program for the only kernel: its launch and its record are what that one's are."""
    [launch] = variant.launches
    names = set(re.findall(r"\.visible \.entry (\w+)\(", ptx))
    if names != {launch["kernel"]}:
        fail(f"variant {variant.name}: expected the kernel {launch['kernel']}, got {', '.join(sorted(names))}")
    maps = [argument for argument in launch["arguments"] if "tensor_map" in argument]
    cluster = re.search(r"\.reqnctapercluster (\d+)", ptx)
    launch.update(facts, cluster=int(cluster[1]) if cluster else 1, threads=int(re.search(r"\.reqntid (\d+)", ptx)[1]))
    if len(maps) != len(boxes):
        fail(f"variant {variant.name}: expected {len(maps)} tensor maps, got {len(boxes)}")
    record = variant.records
    for argument, box in zip(maps, boxes):
        argument["box"] = list(box)
    sizes = iter(boxes)
    record = re.sub(r":\d+x\d+", lambda _: ":{}x{}".format(*next(sizes)), record)
    for word, field in (("grid", "grid"), ("cluster", "cluster"), ("threads", "threads"), ("shared", "shared_bytes")):
        record = re.sub(rf"\b{word} \d+", f"{word} {launch[field]}", record, count=1)
    variant.records, variant.ptx = record, ptx


def replace_program(variant, text, work):
    ptx, facts, boxes = compile_tiles(text, work)
    relaunch(variant, facts, boxes, ptx)
    # What the emulator runs in a dry run.
    run("block-translate", "--block-to-llvm-device", f"--chip={CHIP}", "--quiet", work / "variant.mlir", "-o",
        work / "variant.ll")
    assembler = shutil.which("llvm-as-22") or "/usr/lib/llvm-22/bin/llvm-as"
    run(assembler, work / "variant.ll", "-o", variant.folder / f"{CHIP}.bc")


def make_variant(package, name, source, sizes, work):
    """The package of `package` with the changes of that name, "A+B" being both."""
    parts = name.split("+")
    lowerings = [part for part in parts if part in LOWERINGS]
    variant = Variant(package, name, lower(package, lowerings, source, work) if lowerings else None)
    for part in parts:
        if part in lowerings:
            continue
        if part in PTX_EDITS:
            variant.ptx = edit(variant.ptx, *PTX_EDITS[part], part)
        elif part in TILE_EDITS:
            replace_program(variant, edit(make_tiles(source, work), *TILE_EDITS[part], part), work)
        elif match := re.fullmatch(r"grid-(\d+)", part):
            for launch in variant.launches:
                launch["grid"] = int(match[1])
            variant.records = edit(variant.records, r"\bgrid \d+", f"grid {match[1]}", part)
        elif part == "one-kernel":
            # That for any number of rows, where few have one of their own.
            if not [launch.pop("few") for launch in variant.launches if "few" in launch]:
                fail(f"variant {part}: nothing to change")
        elif match := re.fullmatch(r"tile-128x(\d+)", part):
            replace_program(variant, write_product(**sizes, tile=int(match[1])), work)
        else:
            fail(f"no variant '{part}'")
    return variant.save()
