#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hosts.py SCRATCH: ranks on two hosts, which here are two network namespaces of one.

All that they share is a link between them: each has a name, an address and a daemon of mpirun of its own.
"""

import os
import shlex
import subprocess
import sys

import mpi

FLAGS = "--family=llama --layers=2 --width=32 --heads=4 --vocab=33 --positions=16 --batch=2 --seq=8".split()
TAG = f"pb{os.getpid()}"
SPACES = {f"{TAG}a": "10.213.7.1", f"{TAG}b": "10.213.7.2"}


def create_network():
    first, second = SPACES
    for space in SPACES:
        mpi.must("ip", "netns", "add", space)
        mpi.must("ip", "-n", space, "link", "set", "lo", "up")
    # Names of links have 15 letters at most.
    mpi.must("ip", "-n", first, "link", "add", "eth0", "type", "veth", "peer", "name", "eth0", "netns", second)
    for space, address in SPACES.items():
        mpi.must("ip", "-n", space, "addr", "add", f"{address}/24", "dev", "eth0")
        mpi.must("ip", "-n", space, "link", "set", "eth0", "up")


def delete_network():
    for space in SPACES:
        subprocess.run(["ip", "netns", "delete", space], check=False, capture_output=True)


def enter(space):
    """The beginning of a command on that host."""
    return ["ip", "netns", "exec", space, "unshare", "--uts", "sh", "-c", f'hostname {space}; exec "$@"', "sh"]


def write_agent(path):
    """What mpirun calls, in place of ssh, to run a command on a host of that address."""
    cases = "".join(f'{address}) exec {shlex.join(enter(space))} sh -c "$*";;\n' for space, address in SPACES.items())
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nhost=$1\nshift\ncase $host in\n{cases}esac\nexit 1\n")
    os.chmod(path, 0o755)


def main():
    scratch = os.path.abspath(sys.argv[1])
    agent = f"{scratch}.agent"
    write_agent(agent)
    names = mpi.split(scratch, FLAGS, 4)
    create_network()
    hosts = ",".join(f"{address}:2" for address in SPACES.values())
    command = [
        *enter(next(iter(SPACES))), *mpi.MPIRUN, "-n", "4", "--host", hosts, "--mca", "plm_rsh_agent", agent,
        "--mca", "btl_tcp_if_include", "eth0", "--mca", "oob_tcp_if_include", "eth0", "-x", "PATH",
        "sh", "-c", 'hostname >&2; exec "$@"', "sh",
        "block-run", names["split.mlir"], "--engine=cpu", "--threads=1", "--seed=3",
        f"--weights={names['weights.safetensors']}", f"--baseline={names['model.mlir']}"]
    code, text = mpi.run(command, timeout=180)
    print(text)
    for space in SPACES:
        assert text.splitlines().count(space) == 2, f"expected two ranks on {space}"
    return code


try:
    status = main()
finally:
    delete_network()
sys.exit(status)
