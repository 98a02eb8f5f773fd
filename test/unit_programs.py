# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lit format of the unit tests: one program of the build tree, one test."""

import os

import lit.Test
import lit.formats
import lit.util


class UnitPrograms(lit.formats.TestFormat):
    """Lists the programs that the folders of unittests/ say they build."""

    def __init__(self, source_folder, program_folder):
        self.source_folder = source_folder
        self.program_folder = program_folder

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, local_config):
        for folder in sorted(os.listdir(self.source_folder)):
            path = os.path.join(self.source_folder, folder)
            if not os.path.isdir(path):
                continue
            for name in sorted(os.listdir(path)):
                if name.endswith("Test.cpp"):
                    yield lit.Test.Test(suite, path_in_suite + (folder, name[:-4]), local_config)

    def execute(self, test, lit_config):
        program = os.path.join(self.program_folder, test.path_in_suite[-1])
        if not os.path.exists(program):
            return lit.Test.UNRESOLVED, f"{program} was not built"
        out, err, code = lit.util.executeCommand([program], env=test.config.environment)
        if code == 0:
            return lit.Test.PASS, ""
        return lit.Test.FAIL, f"exit code {code}\n{out}{err}"
