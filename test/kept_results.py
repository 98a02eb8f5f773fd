# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results that ./check keeps: what passed is not run again while all that it depends on is as it was.

A key is a hash of the machine with its packages and variables, of the tools of the build tree that the test and
its scripts name and what they are linked with, and of files of the sources: the test, what lies beside it, the
scripts that it runs and those that these import, and whatever files and folders any of them names. One that looks
through the tree depends on all of it. What changes while a test runs keeps nothing.
"""

import bisect
import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

#: How a test or a script looks through the sources, rather than names what it reads.
LOOKS_AROUND = re.compile(r"%root(?![/\w])|ls-files|os\.walk|rglob|\*\*/|%cmake|downstream")
#: What is more than a test's own file, a few tools and FileCheck.
REACHES_OUT = re.compile(r"%(?!s\b|S/Inputs\b|t\b|\{|\[|%)|\.\./|sh -c|env ")
COMMAND = re.compile(r"^.*\b(?:RUN|DEFINE|REDEFINE):.*$", re.M)
NAMED = re.compile(r"%(S|root)/([\w./-]+)")
TOOL = re.compile(r"(?<![\w-])(block-(?:bench|drift|gen|launch|lsp-server|opt|reduce|run|translate|weights))\b(?!-)")
#: Where a script may call more tools than it names, or programs that are none of them.
ANY_TOOL = re.compile(r"block-(?![a-z])|\bbin\b.*(?:glob|iterdir|listdir|walk)|unittests|\bdemo\b|%root/\w+(?![/.\w])")
#: Where it may load one of the build tree's libraries, or link it.
LIBRARY = re.compile(r"%build|%plugin|%stock_mlir_opt|BUILD|\blib\b|libparablock|\.so\b|\bbuild\b")
IMPORT = re.compile(r"^\s*(?:import|from)\s+([\w, ]+)", re.M)
SCRIPT = re.compile(r"([\w-]+\.(?:py|sh))\b")
PACKAGE = re.compile(r"(?:import|from|-m)\s+parablock\b|bin/parablock\b|import_module")
#: Variables that say who runs tests and where, and those that runs set themselves; all others count.
OF_THE_USER = re.compile(
    r"(PWD|OLDPWD|SHLVL|_|SHELL|USER|LOGNAME|MAIL|HOSTNAME|TERM(_.*)?|COLORTERM|COLUMNS|LINES|LS_COLORS|PS\d|HIST.*"
    r"|EDITOR|VISUAL|PAGER|LESS.*|DISPLAY|WAYLAND_.*|WINDOWID|SSH_.*|XDG_(SESSION|RUNTIME|CURRENT|SEAT|VTNR).*"
    r"|DBUS_.*|TMUX.*|STY|GPG_.*|VSCODE_.*|INVOCATION_ID|JOURNAL_STREAM|PYTEST_(VERSION|CURRENT_TEST)"
    r"|PARABLOCK_(TEST_CODES|CACHE|(PTX|EMULATOR)_CACHE))"
)
#: Of an environment, the package itself, which each run installs anew from the sources.
OWN_PACKAGE = re.compile(r"_*(editable_+)?(skbc_)?parablock\b")
LINKED = re.compile(r"=> (/\S+)|^\s(/\S+)", re.M)


def make_hash(*parts):
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def describe_file(path):
    """What is another text for a file that was written meanwhile."""
    try:
        state = os.stat(path)
    except OSError:
        return "none"
    return f"{state.st_size} {state.st_mtime_ns} {state.st_ino} {state.st_mode}"


#: What files were when they were hashed.
DESCRIBED = {}


@functools.cache
def hash_file(path):
    path = str(path)
    DESCRIBED[path] = describe_file(path)
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() + oct(os.stat(path).st_mode & 0o111)


def describe_packages(build):
    """Files that are installed, by size and time: what has the same version may be another build."""
    found = []
    for folder in sorted(build.glob("venv/lib/python*/site-packages")):
        for base, folders, files in os.walk(folder):
            wanted = [name for name in folders if name != "__pycache__"]
            if base == str(folder):
                wanted, files = ([n for n in names if not OWN_PACKAGE.match(n)] for names in (wanted, files))
            folders[:] = sorted(wanted)
            for name in sorted(files):
                state = os.lstat(os.path.join(base, name))
                found.append(f"{base}/{name} {state.st_size} {state.st_mtime_ns}")
    return make_hash(*found)


def list_linked(paths, build):
    """Libraries of others that programs find, with what tells one from another."""
    said = subprocess.run(["ldd", *paths], capture_output=True, text=True).stdout
    found = {os.path.realpath(a or b) for a, b in LINKED.findall(said)}
    own = os.path.realpath(build) + "/"
    return [f"{path} {describe_file(path)}" for path in sorted(found) if not path.startswith(own)]


def describe_machine(build):
    lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    processor = sorted({line for line in lines if line.startswith(("model", "flags", "Features"))})
    packages = subprocess.run(["dpkg-query", "-W"], capture_output=True, text=True, check=True).stdout
    variables = sorted(f"{name}={value}" for name, value in os.environ.items() if not OF_THE_USER.fullmatch(name))
    cores = sorted(os.sched_getaffinity(0))
    devices = sorted(str(path) for path in pathlib.Path("/dev").glob("nvidia*"))
    facts = (os.cpu_count(), cores, os.geteuid(), os.uname().release, sys.version, devices)
    return make_hash(*processor, *map(str, facts), packages, describe_packages(build), *variables)


def list_sources(root):
    """Names of files that git has or would have; nothing where it knows nothing of them."""
    command = ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return set()
    return {path for path in listed.split("\0") if path}


def is_test(path):
    parts = pathlib.PurePath(path).parts
    if parts[0] == "python":
        return parts[1:2] == ("tests",) and parts[-1].startswith("test_")
    return parts[0] == "test" and path.endswith((".mlir", ".test")) and not {"Inputs", "downstream"} & set(parts)


class Inputs:
    """What tests of one build depend on."""

    def __init__(self, root, build, paths):
        self.root, self.build = pathlib.Path(root), pathlib.Path(build)
        self.tool_files = {path.name: path for path in sorted((self.build / "bin").iterdir()) if path.is_file()}
        self.tools = {name: hash_file(path) for name, path in self.tool_files.items()}
        self.library_files = self._list_libraries()
        self.libraries = make_hash(*(f"{path} {hash_file(path)}" for path in self.library_files))
        programs = [*self.tool_files.values(), *(path for path in self.library_files if ".so" in path.name)]
        self.machine = make_hash(describe_machine(self.build), *list_linked(programs, self.build))
        self.paths = sorted(path for path in paths if (self.root / path).is_file())
        self.scripts = {}
        for path in self.paths:
            if path.endswith((".py", ".sh")) and not path.startswith("python/parablock/"):
                self.scripts.setdefault(pathlib.PurePath(path).name, []).append(path)
        parts = [pathlib.PurePath(path).parts for path in self.paths]
        self.folders = {own[0] for own in parts} | {own[1] for own in parts if own[0] == "test" and len(own) > 2}

    def _list_libraries(self):
        """Those that are built, where they are linked and where Python finds them, and what CMake tells lit."""
        patterns = ("lib/*", "python/**/*.so", "venv/lib/python*/site-packages/parablock/*.so", "test/lit.site.cfg.py")
        return sorted(path for pattern in patterns for path in self.build.glob(pattern) if path.is_file())

    @functools.cache
    def read(self, path):
        """A script, or the commands of a test of lit."""
        text = (self.root / path).read_text(encoding="utf-8", errors="replace")
        return "\n".join(COMMAND.findall(text)) if path.endswith((".mlir", ".test")) else text

    @functools.cache
    def find_scripts(self, path):
        """Those that it may run or import."""
        text = self.read(path)
        words = [name.split() for line in IMPORT.findall(text) for name in line.split(",")]
        names = {f"{own[0]}.py" for own in words if own} | set(SCRIPT.findall(text))
        return {script for name in names for script in self.scripts.get(name, [])}

    @functools.cache
    def find_named(self, path):
        """Files and folders that it names."""
        text, folder, names = self.read(path), os.path.dirname(path), set()
        for base, rest in NAMED.findall(text):
            names.add(os.path.normpath(os.path.join(folder if base == "S" else "", rest)))
        for name in self.folders:
            if re.search(rf"[\"'/ ]{re.escape(name)}[\"'/]", text):
                names |= {name, f"test/{name}"}
        if PACKAGE.search(text):
            names |= {"python/parablock", "python/src"}
        return names - {"test", "test/test"}

    @functools.cache
    def looks_around(self, path):
        return bool(LOOKS_AROUND.search(self.read(path)))

    @functools.cache
    def find_below(self, name):
        """The files that a name is, or what is in that folder; no tests of the package."""
        begin, end = bisect.bisect_left(self.paths, name), bisect.bisect_left(self.paths, name + "0")
        below = [path for path in self.paths[begin:end] if path == name or path.startswith(name + "/")]
        return {path for path in below if name != "python" or not is_test(path)}

    @functools.cache
    def find_beside(self, folder):
        """What tests of a folder share, with what all of them do, and all of the folders above."""
        shared = {path for path in self.paths if os.path.dirname(path) in ("test", "python")}
        above = {f"{parent}/lit.local.cfg" for parent in pathlib.PurePath(folder).parents}
        return shared | above & set(self.paths) | {path for path in self.find_below(folder) if not is_test(path)}

    def follow(self, path, folder):
        """A test and all scripts that it may run."""
        own = self.find_beside(folder)
        found, waiting = set(), [path, *(other for other in own if os.path.dirname(other) not in ("test", "python")
                                         and other.endswith((".py", ".sh", ".cfg")))]
        while waiting:
            path = waiting.pop()
            if path not in found:
                found.add(path)
                waiting += self.find_scripts(path)
        return found

    @functools.cache
    def hash_sources(self):
        return self.hash_paths(self.paths)

    def hash_paths(self, paths):
        return make_hash(*(f"{path} {hash_file(str(self.root / path))}" for path in sorted(paths)))

    def find_tools(self, texts, is_package):
        """Names of what is built and may run for these scripts, and whether libraries are among it; links to tools
        of others always are."""
        names = {name for name in self.tools if not TOOL.fullmatch(name)}
        is_any = any(map(ANY_TOOL.search, texts))
        names |= set(self.tools) if is_any else set().union(*map(TOOL.findall, texts)) & set(self.tools)
        has_library = is_any or is_package or any(LIBRARY.search(text) or PACKAGE.search(text) for text in texts)
        return sorted(names), has_library

    @functools.cache
    def find_files(self, path):
        """What the test in that file depends on: names of tools, whether it is libraries as well, and
        files of the sources."""
        folder = os.path.dirname(path)
        near = self.find_beside(folder) | {path}
        if path.startswith("test/") and not REACHES_OUT.search(self.read(path)):
            return sorted(set(TOOL.findall(self.read(path))) or self.tools), False, near
        scripts = self.follow(path, folder)
        is_package = path.startswith("python/")
        if any(map(self.looks_around, scripts)):
            return sorted(self.tools), True, self.paths
        named = set().union(*map(self.find_named, scripts))
        if is_package:
            named |= {"python/parablock", "python/src"}
        tools, needs_libraries = self.find_tools([self.read(script) for script in scripts], is_package)
        return tools, needs_libraries, near.union(scripts, *map(self.find_below, named))

    def make_key(self, path):
        """The hash of all that the test in that file depends on."""
        tools, needs_libraries, paths = self.find_files(path)
        sources = self.hash_sources() if paths is self.paths else self.hash_paths(paths)
        own = [f"{name} {self.tools.get(name, '')}" for name in tools]
        return make_hash(self.machine, path, self.libraries if needs_libraries else "", *own, sources)

    def stay(self, path):
        """Tells whether all of it is what it was when it was hashed."""
        tools, needs_libraries, paths = self.find_files(path)
        files = [self.tool_files[name] for name in tools if name in self.tool_files]
        files += [self.root / name for name in paths]
        files += self.library_files if needs_libraries else []
        return all(DESCRIBED.get(str(file)) == describe_file(file) for file in files)


@functools.cache
def get_inputs(root, build):
    """Once for each process, and those that it makes then; None where the sources are not in git."""
    paths = list_sources(root)
    return Inputs(root, build, paths) if paths else None


class Kept:
    """Keys of tests that passed, a file for each."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def find_file(self, name):
        return self.folder / make_hash(name)

    def find(self, name, key):
        """What was kept of a test, if its key is the same."""
        try:
            record = json.loads(self.find_file(name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return record["facts"] if record["key"] == key else None

    def keep(self, name, key, facts):
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.find_file(name)
        written = file.with_suffix(f".{os.getpid()}")
        written.write_text(json.dumps({"key": key, "facts": facts}), encoding="utf-8")
        written.rename(file)
