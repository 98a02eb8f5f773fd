//===- SdpaGradTensors.cpp - lists tensors of attention's gradient --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaGradTensors.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "parablock/Dialect/Block/RowInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

bool cpugen::wantsGradient(block::SdpaGradOp op, StringRef name) {
  return llvm::is_contained(op.getWrt().getAsValueRange<StringAttr>(), name);
}

SmallVector<GradTensorInfo> cpugen::listGradTensors(block::SdpaGradOp op,
                                                    GradLaunch launch,
                                                    const CpuTarget &target) {
  int64_t lanes = target.getLanes();
  int64_t queries = target.processorClass->attention.vectors * lanes;
  auto heads = static_cast<int64_t>(op.getHeads());
  auto keyHeads = static_cast<int64_t>(op.getKvHeads());
  int64_t head = llvm::alignTo(getRowWidth(op.getQuery()) / heads, lanes);
  int64_t value = llvm::alignTo(getRowWidth(op.getValue()) / keyHeads, lanes);
  SmallVector<GradTensorInfo> tensors;
  auto add = [&](GradTensor what, bool isPerKey = false, int64_t size = 1) {
    tensors.push_back({what, /*isResult=*/false, isPerKey, size});
  };
  auto addBuffers = [&] {
    add(GradTensor::Weights, /*isPerKey=*/true, queries);
    add(GradTensor::Pulls, /*isPerKey=*/true, queries);
  };
  if (launch == GradLaunch::Bias) {
    add(GradTensor::BiasSums);
    addBuffers();
    return tensors;
  }
  auto addResult = [&](GradTensor what, StringRef name) {
    if (wantsGradient(op, name))
      tensors.push_back({what, /*isResult=*/true});
  };
  addResult(GradTensor::Query, "query");
  // If heads are not grouped, the item itself finishes the sums.
  if (heads == keyHeads) {
    addResult(GradTensor::Key, "key");
    addResult(GradTensor::Value, "value");
    addResult(GradTensor::PastKey, "past_key");
    addResult(GradTensor::PastValue, "past_value");
  }
  addBuffers();
  if (op.getScores().getSoftcap())
    add(GradTensor::CapSlopes, /*isPerKey=*/true, queries);
  if (wantsGradient(op, "key") || wantsGradient(op, "past_key"))
    add(GradTensor::KeySums, /*isPerKey=*/true, head);
  if (wantsGradient(op, "value") || wantsGradient(op, "past_value"))
    add(GradTensor::ValueSums, /*isPerKey=*/true, value);
  auto addTable = [&](GradTensor what, StringRef name, mlir::Value table,
                      int64_t width) {
    if (wantsGradient(op, name))
      add(what, /*isPerKey=*/false,
          cast<ShapedType>(table.getType()).getDimSize(0) * width);
  };
  addTable(GradTensor::RelativeSums, "relative_table", op.getRelativeTable(),
           1);
  addTable(GradTensor::ShawKeySums, "shaw_key", op.getShawKey(), head);
  addTable(GradTensor::ShawValueSums, "shaw_value", op.getShawValue(), value);
  for (auto [what, name] : {std::pair(GradTensor::AlphaSums, "alpha"),
                            std::pair(GradTensor::BetaSums, "beta"),
                            std::pair(GradTensor::GammaSums, "gamma"),
                            std::pair(GradTensor::SinkSums, "sinks")})
    if (wantsGradient(op, name))
      add(what);
  return tensors;
}
