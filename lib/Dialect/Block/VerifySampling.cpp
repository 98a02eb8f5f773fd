//===- VerifySampling.cpp - verifier of the choice of tokens --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock::block;

/// Kernels count tokens in 21 bits.
static constexpr int64_t mostTokens = int64_t(1) << 20;

LogicalResult SampleOp::verify() {
  // [SAMPLE-1]
  int64_t batch = getDim(getLogits(), 0);
  NamedValue rows[] = {
      {"ids", getIds()},   {"options", getOptions()}, {"random", getRandom()},
      {"seen", getSeen()}, {"ended", getEnded()},     {"lengths", getLengths()},
      {"step", getStep()}, {"tokens", getTokens()},
  };
  for (NamedValue value : rows)
    if (failed(checkDim(*this, value, 0, batch, "one per batch row")))
      return failure();
  // [SAMPLE-2] to [SAMPLE-4]
  int64_t vocabulary = getDim(getLogits(), 2);
  if (failed(checkDim(*this, {"options", getOptions()}, 1, 5,
                      "temperature, top_k, top_p, min_p and penalty")) ||
      failed(checkDim(*this, {"random", getRandom()}, 1, 2,
                      "halves of the state")) ||
      failed(checkDim(*this, {"padding", getPadding()}, 0, 1, "one token")) ||
      failed(checkDim(*this, {"seen", getSeen()}, 1, vocabulary,
                      "one per logit")) ||
      failed(
          checkDim(*this, {"tokens", getTokens()}, 1, 1, "one per batch row")))
    return failure();
  if (vocabulary > mostTokens)
    return emitOpError() << "expected logits of at most " << mostTokens
                         << " tokens, got " << vocabulary;
  return success();
}
