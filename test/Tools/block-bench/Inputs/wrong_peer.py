# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A script of peers, run with one more: our own engine, which forgets the first tokens of a prompt.

With FORGETFUL=ours in the environment, our own engine itself does.
"""

import os
import pathlib
import sys

script, *arguments = sys.argv[1:]
sys.path.insert(0, str(pathlib.Path(script).parent))
import bench_peers
from peers import generation
from peers.decode.ours import Parablock
from peers.table import PEERS, Peer


class Forgetful(Parablock):
    def generate(self, prompts, count):
        return super().generate(prompts[:, 2:], count)


sys.modules["peers.decode.forgetful"] = type(sys)("peers.decode.forgetful")
sys.modules["peers.decode.forgetful"].Forgetful = Forgetful
name = "forgetful"
if os.environ.get("FORGETFUL") == "ours":
    name = "parablock"
    # It starts the script again, which has no other engines.
    generation.start_counting = lambda options: None
PEERS["decode"][name] = Peer(("parablock",), loop=("forgetful", "Forgetful"))
sys.argv = [script, *arguments]
bench_peers.main()
