//===- RunReport.cpp - prints reports as text and JSON --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Compare/RunReport.h"
#include "parablock/Support/StrictJSON.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
namespace json = llvm::json;

bool Comparison::pass() const {
  return llvm::all_of(verdicts,
                      [](const Verdict &verdict) { return verdict.pass(); });
}

bool RunReport::pass() const {
  return (!gradients || gradients->pass()) &&
         llvm::all_of(comparisons, [](const Comparison &comparison) {
           return comparison.pass();
         });
}

static double getMedian(std::vector<double> values) {
  llvm::sort(values);
  size_t half = values.size() / 2;
  return values.size() % 2 ? values[half]
                           : (values[half - 1] + values[half]) / 2;
}

/// An output that was compared with nothing has the same fields.
static json::Object describeUncompared(const Port &output) {
  json::Object fields{{"name", output.name},
                      {"shape", json::Array(output.shape)},
                      {"dtype", getElementTypeKeyword(output.type)}};
  for (llvm::StringRef field : {"max_abs", "rms", "rel_l2", "rel_l2_update",
                                "cosine", "tolerance", "pass", "against"})
    fields[field] = nullptr;
  return fields;
}

json::Object runner::toJSON(const RunReport &report) {
  json::Array kernels, outputs;
  for (const KernelCount &kernel : report.result.kernels)
    kernels.push_back(
        json::Object{{"name", kernel.name}, {"count", kernel.count}});
  for (const Comparison &comparison : report.comparisons)
    for (const Verdict &verdict : comparison.verdicts) {
      json::Object fields = toJSON(verdict);
      fields["against"] = comparison.against;
      outputs.push_back(std::move(fields));
    }
  if (report.comparisons.empty())
    for (const Port &output : report.outputs.ports)
      outputs.push_back(describeUncompared(output));

  const std::vector<double> &times = report.result.milliseconds;
  json::Object fields{
      {"schema", 1},
      {"engine", report.engine},
      {"seed", report.seed},
      {"kernels", std::move(kernels)},
      {"outputs", std::move(outputs)},
      {"time_ms", json::Object{{"min", *llvm::min_element(times)},
                               {"median", getMedian(times)},
                               {"repeat", times.size()}}},
      {"compile_ms", report.result.compileMilliseconds},
      {"peak_bytes", report.result.peakBytes},
      {"temporary_bytes", report.result.temporaryBytes},
      {"threads", report.result.threads},
  };
  if (report.trace)
    fields["trace"] = toJSON(ArrayRef<LayerTrace>(*report.trace));
  if (report.gradients)
    fields["gradients"] = toJSON(*report.gradients);
  return fields;
}

/// Enough of a tensor to see that it is alive.
static void printSummary(llvm::raw_ostream &os, const Port &output,
                         const Tensor &tensor) {
  double low = INFINITY, high = -INFINITY, squares = 0;
  size_t numFinite = 0;
  for (double value : tensor.data()) {
    if (!std::isfinite(value))
      continue;
    ++numFinite;
    low = std::min(low, value);
    high = std::max(high, value);
    squares += value * value;
  }
  os << output.name << " " << getElementTypeKeyword(output.type) << " "
     << formatDims(output.shape);
  if (numFinite)
    os << llvm::format("  rms %.6g  min %.6g  max %.6g",
                       std::sqrt(squares / numFinite), low, high);
  if (size_t numOther = tensor.data().size() - numFinite)
    os << "  NaN or infinite " << numOther;
  os << "\n";
}

void runner::printReport(llvm::raw_ostream &os, const RunReport &report) {
  for (auto [port, tensor] :
       llvm::zip_equal(report.outputs.ports, report.outputs.tensors))
    printSummary(os, port, tensor);
  if (report.trace)
    printTrace(os, *report.trace);
  for (const Comparison &comparison : report.comparisons) {
    os << "compared with " << comparison.against << ":\n";
    printVerdicts(os, comparison.verdicts);
  }
  if (report.gradients)
    printGradients(os, *report.gradients);
  // Times differ between runs, so they are printed only on request.
  const std::vector<double> &times = report.result.milliseconds;
  if (times.size() > 1)
    os << llvm::format("%s: median %.3f ms, fastest %.3f ms of %zu runs\n",
                       report.engine.c_str(), getMedian(times),
                       *llvm::min_element(times), times.size());
}
