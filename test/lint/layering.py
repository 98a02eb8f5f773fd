#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who may include and link whom (docs/design/Architecture.md, "Layers")."""

import re

import tree

ALLOWED = {
    "Files": set(),
    "Support": {"Files"},
    "Block": {"Support"},
    "Plan": {"Support"},
    "Rows": {"Block"},
    "Shard": {"Block"},
    "Precompiled": {"Block", "Tile"},
    "Analysis": {"Block", "Files", "Support"},
    "Leftovers": {"Analysis", "Block", "Support"},
    "Differentiate": {"Analysis", "Block", "Support", "Transforms"},
    "Recipe": {"Evaluator", "Files", "Support"},
    "Transforms": {"Analysis", "Evaluator", "Block", "Leftovers", "MachineCode", "Recipe", "Shard", "Support"},
    "Reference": {"Evaluator", "Block", "Support"},
    "Evaluator": {"Support"},
    "Generate": {"Block", "Support"},
    "Execution": {"Block", "Shard", "StableHLO", "Support"},
    "Compare": {"Analysis", "Block", "Execution", "Reference", "Shard", "Support"},
    "Tile": {"Support"},
    "Conversion": {"Analysis", "Block", "Leftovers", "Rows", "Shard", "Support", "Tile"},
    "CPUCode": {"Block", "CPU", "Support"},
    "PackWeights": {"Block", "CPUCode"},
    "BlockKernelsToCPU": {"Analysis", "Block", "CPU", "CPUCode", "Conversion", "Leftovers", "PackWeights", "Plan", "Rows", "Shard", "Support"},
    "CPU": {"Support"},
    "MPI": {"Execution", "Support"},
    "CPUEngine": {"BlockKernelsToCPU", "CPU", "Files", "MPI", "Execution", "Support"},
    "Generation": {"Files", "Support"},
    "Target": {"MachineCode", "Support"},
    "MachineCode": {"Support"},
    "Emulator": {"Support"},
    "Launch": {"Files", "Generation", "Support"},
    "Package": {"Analysis", "Device", "Files", "Block", "Launch", "MachineCode", "Execution", "Shard", "Support", "Target"},
    "Device": {"Emulator", "Files", "Block", "Launch", "Plan", "Compare", "Execution", "Shard", "Support", "Target", "Tile"},
    "Drift": {"Analysis", "Block", "Differentiate", "Reference", "Compare", "Execution", "Support", "Transforms"},
    "Pipelines": {"Analysis", "BlockKernelsToCPU", "CPU", "Conversion", "Device", "Block", "Raise", "Execution", "Support",
                  "Target", "Tile", "Transforms"},
    "CAPI": {"Analysis", "BlockKernelsToCPU", "CPU", "CPUEngine", "Device", "Differentiate", "Drift", "Files", "Generate", "Generation",
             "Block", "InitAll", "MachineCode", "Package", "Pipelines", "Recipe", "Compare", "Execution", "Support", "Tile",
             "Transforms"},
    "StableHLO": {"Block", "Support"},
    "Raise": {"Analysis", "Block", "StableHLO", "Support"},
    "InitAll": {"Analysis", "BlockKernelsToCPU", "Conversion", "Device", "Differentiate", "Block", "Leftovers", "Pipelines", "Plan", "Raise", "StableHLO", "Support", "Target", "Tile", "Transforms"},
}

# A tool includes InitAll.h, Pipelines and Support beside the libraries it fronts.
FRONTED = {
    "block-opt": {"Analysis", "Raise", "Compare"},
    "block-gen": {"Conversion", "Generate", "Transforms"},
    "block-drift": {"CPUEngine", "Drift", "Execution"},
    "block-bench": {"Block", "CPU", "CPUEngine", "Device", "Generate", "Compare", "Execution"},
    "block-run": {"CPU", "CPUEngine", "Device", "Launch", "MPI", "Package", "Compare"},
    "block-plugin": set(),
    "block-launch": {"Files", "Launch"},
    "block-lsp-server": set(),
    "block-reduce": {"Block"},
    "block-translate": {"Block", "BlockKernelsToCPU", "CPU", "MachineCode", "Package", "Shard", "Target", "Transforms"},
    "block-weights": {"Recipe"},
    "fake-driver": {"Emulator", "Launch"},
}
# Libraries that do not bear the name of their folder.
LIBRARIES = {
    "BlockKernelsToTile": "Conversion",
    "BlockToUpstream": "Conversion",
    "CPUJit": "CPU",
    "CPURuntime": "CPU",
    "DevicePlan": "Device",
    "Engine": "Execution",
    "IR": "Block",
    "RandomModels": "block-gen",
    "Scores": "Conversion",
    "TileToNVVM": "Conversion",
}
# Folders whose files are floors: a header and its source know none that know them.
ONE_WAY = ("lib/Frontends/Raise",)
# Folders of rooms, and rooms within rooms.
GROUPS = {"Dialect", "Engines", "Frontends", "Judges"}
NESTED = {("Conversion", "BlockKernelsToCPU"), ("Conversion", "CPUCode"), ("Conversion", "PackWeights"), ("Conversion", "Rows"), ("Target", "MachineCode"), ("Transforms", "Differentiate"), ("Transforms", "Leftovers"), ("Transforms", "Recipe"), ("Transforms", "Shard")}
ANY_TOOL = {"InitAll", "Pipelines", "Support"}

INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
LINK = re.compile(r"\bLINK\b([^)]*)")
WHOLE_MLIR = {"mlir/InitAllDialects.h", "mlir/InitAllPasses.h", "mlir/InitAllExtensions.h"}


def room(parts):
    """The room that a path below lib/ or include/parablock/ lies in: its last folder of those."""
    if parts[0] in GROUPS or parts[:2] in NESTED:
        return parts[1]
    return parts[0]


def owner(relative):
    """(folder, the folders it may use), or None where there is no rule."""
    parts = relative.parts
    if parts[:2] == ("include", "parablock"):
        if parts[-1] == "CMakeLists.txt" and len(parts) == 3:
            return None
        name = "InitAll" if parts[2] == "InitAll.h" else room(parts[2:])
        return name, ALLOWED.get(name)
    if parts[0] == "lib" and len(parts) > 2:
        return room(parts[1:]), ALLOWED.get(room(parts[1:]))
    if parts[0] == "tools" and len(parts) > 2:
        fronted = FRONTED.get(parts[1])
        return parts[1], None if fronted is None else fronted | ANY_TOOL
    return None


def included_folder(name):
    if name == "parablock/InitAll.h":
        return "InitAll"
    parts = tuple(name.split("/"))
    return room(parts[1:]) if parts[0] == "parablock" and len(parts) > 2 else None


def find_circles(root, folder):
    """Files of a folder, by name, that know each other."""
    paths = [path for path in tree.files(root, f"{folder}/*") if path.suffix in (".cpp", ".h")]
    names = {path.stem for path in paths}
    known = {name: set() for name in names}
    for path in paths:
        known[path.stem] |= {name for name in (other.removesuffix(".h") for other in INCLUDE.findall(path.read_text(encoding="utf-8")))
                             if name in names and name != path.stem}
    for name in sorted(names):
        reached, work = set(), [name]
        while work:
            new = known[work.pop()] - reached
            reached |= new
            work.extend(new)
        if name in reached:
            yield f"{folder}/{name}: includes what includes it"


def check(root):
    for folder in ONE_WAY:
        yield from find_circles(root, folder)
    for path in tree.files(root, "include/*", "lib/*", "tools/*"):
        relative = path.relative_to(root)
        rule = owner(relative)
        if rule is None:
            continue
        name, allowed = rule
        if allowed is None:
            yield f"{relative}: no rule says what {name} may include; add it to layering.py"
            continue
        text = path.read_text(encoding="utf-8")
        if path.name == "CMakeLists.txt":
            names = re.findall(r"\bParablock(\w+)", " ".join(LINK.findall(text)))
            used = [("links", f"Parablock{other}", LIBRARIES.get(other, other)) for other in names]
        else:
            used = [("includes", other, included_folder(other)) for other in INCLUDE.findall(text)]
        for verb, what, folder in used:
            if folder and folder != name and folder not in allowed:
                yield f"{relative}: {name} {verb} {what}, but may not know {folder}"
            if what in WHOLE_MLIR:
                yield f"{relative}: includes {what}: include the dialects that are used"
            if what.startswith("../"):
                yield f"{relative}: includes {what}: headers of other folders go by their full path"


if __name__ == "__main__":
    tree.main(__doc__, check)
