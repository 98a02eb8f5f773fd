//===- GradientReport.cpp - prints verdicts on gradients ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Compare/GradientCheck.h"
#include "parablock/Support/StrictJSON.h"
#include "parablock/Support/Tolerances.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace parablock;
using namespace parablock::runner;
namespace json = llvm::json;

json::Array runner::toJSON(const GradientCheck &check) {
  json::Array gradients;
  for (const GradientVerdict &verdict : check.verdicts)
    gradients.push_back(json::Object{
        {"name", verdict.name},
        {"shape", json::Array(verdict.shape)},
        {"dtype", getElementTypeKeyword(verdict.type)},
        {"error", toJSONNumber(verdict.error)},
        {"tolerance", gradientLimit},
        {"pass", verdict.pass()},
        {"reasons", json::Array(verdict.reasons)},
        {"readers", json::Array(verdict.readers)},
        {"layer", verdict.layer.empty() ? json::Value(nullptr)
                                        : json::Value(verdict.layer)},
        {"maker", verdict.maker},
    });
  return gradients;
}

/// "read by block.linear in layer 'h.0', its gradient made by ...".
static void printPlace(llvm::raw_ostream &os, const GradientVerdict &verdict) {
  os << "read by "
     << (verdict.readers.empty() ? "nothing"
                                 : llvm::join(verdict.readers, ", "));
  if (!verdict.layer.empty())
    os << " in layer '" << verdict.layer << "'";
  os << ", its gradient made by " << verdict.maker;
}

void runner::printGradients(llvm::raw_ostream &os, const GradientCheck &check) {
  os << "gradients compared with central differences:\n";
  for (const GradientVerdict &verdict : check.verdicts) {
    os << (verdict.pass() ? "PASS " : "FAIL ") << verdict.name << " "
       << getElementTypeKeyword(verdict.type) << " "
       << formatDims(verdict.shape)
       << llvm::format("  error %.2e (limit %.2e)", verdict.error,
                       gradientLimit)
       << "\n";
    for (const std::string &reason : verdict.reasons)
      os << "     " << verdict.name << ": " << reason << "\n";
  }
  if (!check.firstWrong)
    return;
  const GradientVerdict &first = check.verdicts[*check.firstWrong];
  os << "the first wrong one on the way back is " << first.name << ", ";
  printPlace(os, first);
  os << "\n";
}
