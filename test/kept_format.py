# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of lit that are not run again where nothing of theirs has changed."""

import os

import kept_results
import lit.Test
import processor_time


class KeptShTest(processor_time.MeasuredShTest):
    """What passed with the same key passes without being run, which its metric `kept` says."""

    def __init__(self, root, build, folder):
        super().__init__(execute_external=False)
        self.root, self.build = root, build
        self.kept = kept_results.Kept(folder)

    def execute(self, test, lit_config):
        inputs = kept_results.get_inputs(self.root, self.build)
        name, path = test.getFullName(), os.path.relpath(test.getSourcePath(), self.root)
        key = inputs.make_key(path)
        if self.kept.find(name, key) is not None:
            result = lit.Test.Result(lit.Test.PASS)
            result.addMetric("kept", lit.Test.IntMetricValue(1))
            return result
        result = super().execute(test, lit_config)
        if isinstance(result, lit.Test.Result) and result.code is lit.Test.PASS and inputs.stay(path):
            self.kept.keep(name, key, {})
        return result
