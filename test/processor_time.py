# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long processors are busy with a test, whatever else they have to do meanwhile."""

import resource

import lit.formats
import lit.Test


def count_seconds():
    """Of this worker of lit, which has one test at a time, and of all that it has started."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


class MeasuredShTest(lit.formats.ShTest):
    """Results say how long it was, which lit writes into its JSON."""

    def execute(self, test, lit_config):
        before = count_seconds()
        result = super().execute(test, lit_config)
        if isinstance(result, lit.Test.Result):
            result.addMetric("processor_seconds", lit.Test.RealMetricValue(count_seconds() - before))
        return result
