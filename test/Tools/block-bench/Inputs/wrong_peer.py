# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A script of peers, run with one more: our own engine, which forgets the first tokens of a prompt.

With FORGETFUL=ours in the environment, our own engine itself does.
"""

import os
import pathlib
import sys

script, *arguments = sys.argv[1:]
sys.path.insert(0, str(pathlib.Path(script).parent))
import bench_decode_peers
from decode.ours import Parablock


class Forgetful(Parablock):
    def generate(self, prompts, count):
        return super().generate(prompts[:, 2:], count)


sys.modules["decode.forgetful"] = type(sys)("decode.forgetful")
sys.modules["decode.forgetful"].Forgetful = Forgetful
name = "forgetful"
if os.environ.get("FORGETFUL") == "ours":
    name = "parablock"
    # It starts the script again, which has no other engines.
    bench_decode_peers.start_counting = lambda options: None
bench_decode_peers.ENGINES[name] = ("forgetful", "Forgetful", ["parablock"], None)
sys.argv = [script, *arguments]
bench_decode_peers.main()
