#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which Python modules may import which (docs/design/Architecture.md, "Layers of the Python package").

Imports inside functions count: they defer a cost, not a dependency. Imports below
`if TYPE_CHECKING:` obey the layers, too, but close no circle.
"""

import ast
import collections
import dataclasses

import tree

#: The layers that each layer may import beside itself. Every layer may import `base`.
ALLOWED = {
    "base": set(),
    "frontend": set(),
    "model": set(),
    "training": set(),
    "decoding": {"frontend", "model"},
    "page": set(),
    "public": {"decoding", "frontend", "model", "page", "training"},
    "backend": {"decoding", "frontend", "model", "public", "training"},
    "judging": {"public", "training"},
    "bench": {"page", "public"},
    "tasks": {"decoding", "interface"},
    "trainer": {"interface", "page", "training"},
    "interface": {"decoding", "judging", "public"},
    "command": {"bench", "decoding", "interface", "model", "public", "tasks", "trainer"},
}

#: Modules and packages by layer, where the longest name counts.
LAYERS = {
    "parablock": "base",
    "parablock.__init__": "interface",
    "parablock.__main__": "command",
    "parablock.backend": "backend",
    "parablock.command": "command",
    "parablock.decoding": "decoding",
    "parablock.exporting": "public",
    "parablock.files": "public",
    "parablock.folder_writer": "public",
    "parablock.frontend": "frontend",
    # Entry points of installed packages have this name.
    "parablock.frontend.backend": "backend",
    "parablock.healing": "public",
    "parablock.model": "model",
    "parablock.pretrained": "public",
    "parablock.public": "public",
    "parablock.torch_modules": "public",
    "parablock.training": "training",
    "parablock_studies": "base",
    "parablock_studies.bench": "bench",
    "parablock_studies.judging": "judging",
    "parablock_studies.page": "page",
    "parablock_studies.tasks": "tasks",
    "parablock_studies.trainer": "trainer",
}
EXTENSION = "parablock._core"
WAY_OUT = "let the lower layer take it as an argument, or move what both use to a lower layer"


@dataclasses.dataclass(frozen=True)
class Import:
    name: str
    line: int
    is_run: bool


def name_module(path, folder):
    """Returns a module's name; a package's is that of its __init__."""
    return ".".join(path.relative_to(folder).with_suffix("").parts)


def find_layer(name):
    parts = name.split(".")
    prefixes = [".".join(parts[:end]) for end in range(len(parts), 0, -1)]
    return next(LAYERS[each] for each in prefixes if each in LAYERS)


def list_types_only(tree_):
    """Nodes below `if TYPE_CHECKING:`."""
    tests = [node for node in ast.walk(tree_) if isinstance(node, ast.If)]
    return {
        id(inner)
        for node in tests
        if "TYPE_CHECKING" in ast.unparse(node.test) and not isinstance(node.test, ast.UnaryOp)
        for each in node.body
        for inner in ast.walk(each)
    }


def resolve(name, modules):
    """Returns the module of this name, if it is one of these packages."""
    for each in (name, f"{name}.__init__"):
        if each in modules:
            return each
    return None


def list_imports(name, parsed, modules):
    """Yields the modules of these packages that a module imports."""
    types_only = list_types_only(parsed)
    for node in ast.walk(parsed):
        is_run = id(node) not in types_only
        found = []
        if isinstance(node, ast.Import):
            found = [resolve(alias.name, modules) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parent = name.split(".")[: -node.level]
                base = ".".join([*parent, *([base] if base else [])])
            inner = [resolve(f"{base}.{alias.name}", modules) for alias in node.names]
            own = [f"{base}.{alias.name}" for alias in node.names]
            found = [i or (None if o == EXTENSION else resolve(base, modules)) for i, o in zip(inner, own)]
        for each in found:
            if each is not None and each != name:
                yield Import(each, node.lineno, is_run)


def find_hidden(parsed):
    """Yields lines that import by a text, which no lint can read."""
    for node in ast.walk(parsed):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in ("__import__", "import_module", "importlib.import_module"):
                given = ast.unparse(node.args[0]) if node.args else ""
                if "parablock" in given:
                    yield node.lineno


def find_circles(edges):
    """Yields the modules of each circle (Tarjan's strongly connected components)."""
    index, low, stack, on_stack = {}, {}, [], set()
    for root in sorted(edges):
        if root in index:
            continue
        work = [(root, iter(sorted(edges[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            name, left = work[-1]
            following = next(left, None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == index[name]:
                    part = []
                    while not part or part[-1] != name:
                        part.append(stack.pop())
                        on_stack.discard(part[-1])
                    if len(part) > 1:
                        yield sorted(part)
            elif following not in index:
                index[following] = low[following] = len(index)
                stack.append(following)
                on_stack.add(following)
                work.append((following, iter(sorted(edges[following]))))
            elif following in on_stack:
                low[name] = min(low[name], index[following])


def check(root):
    folder = root / "python"
    packages = sorted({name.partition(".")[0] for name in LAYERS})
    paths = {name_module(path, folder): path for package in packages for path in tree.files(root, f"python/{package}/*.py")}
    edges = collections.defaultdict(set)
    for name, path in sorted(paths.items()):
        relative = path.relative_to(root)
        layer = find_layer(name)
        parsed = ast.parse(path.read_text(encoding="utf-8"))
        for line in find_hidden(parsed):
            yield f"{relative}:{line}: imports by a text, which hides what is imported; use an import statement"
        allowed = ALLOWED[layer] | {layer, "base"}
        edges[name] |= set()
        for each in list_imports(name, parsed, paths):
            other = find_layer(each.name)
            if each.is_run:
                edges[name].add(each.name)
            if other not in allowed:
                beside = ", ".join(sorted(allowed - {layer}))
                yield (
                    f"{relative}:{each.line}: layer '{layer}' imports {each.name.removesuffix('.__init__')} of layer "
                    f"'{other}', but may import {beside or 'itself'} alone; {WAY_OUT}"
                )
    for circle in find_circles(edges):
        yield f"python: {len(circle)} modules import each other in a circle: {', '.join(circle)}; {WAY_OUT}"
    for name in sorted(LAYERS):
        if resolve(name, paths) is None:
            yield f"test/lint/imports.py: there is no {name}, which has a layer"


if __name__ == "__main__":
    tree.main(__doc__, check)
