#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a wheel, looks into it, and installs it into minimal roots of Debian.

    wheel.py TREE WORK

Roots stay in WORK for the next time; environments are new.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

TREE, WORK = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
HERE = pathlib.Path(__file__).parent
SUITES = ("bookworm", "trixie")
# Of which another MLIR comes into the same process.
WITH_JAX = "bookworm"
MOST_BYTES = 32_000_000
SYSTEM_LIBRARIES = re.compile(r"lib(stdc\+\+|m|gcc_s|c)\.so\.\d+|ld-linux-x86-64\.so\.2")
IN_ROOT = """
set -e
mount --make-rprivate /
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
root="$1"
shift
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot "$root" "$@"
"""


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def run_in(root, *command):
    return run("unshare", "--mount", "bash", "-c", IN_ROOT, "bash", root, *command)


def check_tools():
    if os.geteuid() != 0:
        sys.exit("expected to be root: debootstrap and chroot take that")
    for tool in ("debootstrap", "unshare", "readelf", "nm", "dpkg-deb"):
        if not shutil.which(tool):
            sys.exit(f"expected {tool} to be installed")


def make_root(suite):
    """Debian as it is without anything, but for Python."""
    root, done = WORK / suite, WORK / f"{suite}.done"
    if not done.exists():
        shutil.rmtree(root, ignore_errors=True)
        packages = "--include=python3,python3-venv,ca-certificates"
        run("debootstrap", "--variant=minbase", packages, suite, root)
        done.touch()
    for leftover in ("venv", "wheels", "files"):
        shutil.rmtree(root / leftover, ignore_errors=True)
    (root / "files").mkdir()
    return root


def get_headers(root):
    """The folder of Python.h for the Python of `root`, which stays without."""
    name = run_in(root, "python3", "-c", "import sys; print('python%d.%d' % sys.version_info[:2])").strip()
    if not list(WORK.glob(f"lib{name}-dev_*.deb")):
        run_in(root, "sh", "-c", f"cd /files && apt-get update -q && apt-get download -q lib{name}-dev")
        for package in (root / "files").glob("*.deb"):
            shutil.move(package, WORK)
    (package,) = WORK.glob(f"lib{name}-dev_*.deb")
    run("dpkg-deb", "-x", package, WORK / "headers")
    return WORK / "headers" / "usr" / "include" / name


def make_wheel(headers):
    output = WORK / "wheel"
    shutil.rmtree(output, ignore_errors=True)
    run(TREE / "scripts" / "make_wheel.sh", f"--output={output}", f"--stable-abi={headers}")
    (wheel,) = output.iterdir()
    return wheel


def check_library(path, glibc):
    """Shows the C APIs, and needs what every system of that glibc has."""
    for line in run("nm", "-D", "--defined-only", path).splitlines():
        name = line.split()[-1]
        if not re.match(r"parablock[A-Z]|pbl_|PyInit__core", name):
            yield f"{path.name} shows {name}"
    dynamic = run("readelf", "-dW", path)
    for name in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        if name != "libparablock-c.so" and not SYSTEM_LIBRARIES.fullmatch(name):
            yield f"{path.name} needs {name}"
        if name == "libparablock-c.so" and "[$ORIGIN]" not in dynamic:
            yield f"{path.name} does not look for {name} beside itself"
    for version in re.findall(r"GLIBC_(\d+)\.(\d+)", run("readelf", "-VW", path)):
        if tuple(map(int, version)) > glibc:
            yield f"{path.name} needs glibc {'.'.join(version)}"


def check_contents(wheel):
    glibc = tuple(map(int, re.search(r"manylinux_(\d+)_(\d+)_x86_64", wheel.name).groups()))
    contents = WORK / "contents"
    shutil.rmtree(contents, ignore_errors=True)
    zipfile.ZipFile(wheel).extractall(contents)
    libraries = sorted(contents.rglob("*.so*"))
    complaints = [each for path in libraries for each in check_library(path, glibc)]
    if len(libraries) != 4:
        complaints.append(f"expected two libraries and two extensions, got {libraries}")
    if wheel.stat().st_size > MOST_BYTES:
        complaints.append(f"{wheel.name} has {wheel.stat().st_size} bytes, at most {MOST_BYTES}")
    if complaints:
        sys.exit("\n".join(complaints))


def install(root, *requirements):
    """By what pip reaches from here; the root needs no network."""
    version = run_in(root, "python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])").strip()
    pip = (sys.executable, "-m", "pip", "download", "-q", "--only-binary=:all:")
    run(*pip, f"--python-version={version}", "-d", root / "wheels", *requirements)
    names = [path.name.split("-")[0] if "/" in path.as_posix() else str(path) for path in map(pathlib.Path, requirements)]
    run_in(root, "/venv/bin/pip", "install", "-q", "--no-index", "--find-links=/wheels", *names)


def find_requirements(*names):
    text = (TREE / "python" / "requirements.txt").read_text()
    return [re.search(rf"^{name}==\S+", text, re.MULTILINE)[0] for name in names]


def check_root(suite, wheel):
    root = make_root(suite)
    files = root / "files"
    shutil.copytree(TREE / "examples" / "trained" / "model", files / "model")
    for path in (TREE / "README.md", TREE / "python" / "tests" / "readme.py", HERE / "inside.py"):
        shutil.copy(path, files)
    run_in(root, "python3", "-m", "venv", "/venv")
    install(root, wheel)
    print(run_in(root, "/venv/bin/python", "/files/inside.py", "/files/model"), end="")
    print(run_in(root, "/venv/bin/python", "-m", "parablock", "explain", "/files/model"), end="")
    install(root, *find_requirements("torch", "transformers"))
    run_in(root, "/venv/bin/python", "/files/readme.py", "/files/README.md")
    if suite == WITH_JAX:
        install(root, "jax")
        for order in ("before", "after"):
            run_in(root, "/venv/bin/python", "/files/inside.py", "/files/model", f"--jax={order}")
    shutil.rmtree(root / "venv")
    shutil.rmtree(root / "wheels")
    print(f"{suite}: done")


def main():
    check_tools()
    WORK.mkdir(parents=True, exist_ok=True)
    wheel = make_wheel(get_headers(make_root(SUITES[-1])))
    check_contents(wheel)
    for suite in SUITES:
        check_root(suite, wheel)


main()
