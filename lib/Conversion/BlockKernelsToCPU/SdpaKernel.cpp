//===- SdpaKernel.cpp - attention without a matrix of scores --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An item is a block of queries of one head. It goes through the keys block by
// block; what it holds at a time is one block's scores, and for every query the
// largest score, the sum of weights and the weighted sum of values so far.
// Scores lie transposed, [key][query]: queries are the lanes of vectors, so
// that maxima and sums need no work across lanes and weights are broadcast from
// consecutive memory.
//
//===----------------------------------------------------------------------===//

#include "SdpaKernel.h"

#include "SdpaShaw.h"
#include "SdpaSingle.h"
#include "SdpaSums.h"
#include "TileProduct.h"
#include "parablock/Analysis/SdpaLimits.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// Fails, with an error at the op, where no kernel can be generated.
static LogicalResult checkSdpa(block::KernelOp kernel) {
  Block &body = kernel.getBody().front();
  if (!llvm::hasSingleElement(body.without_terminator()))
    return kernel.emitError("no CPU code for steps beside block.sdpa in a "
                            "kernel of kind 'sdpa'");
  auto op = cast<block::SdpaOp>(body.front());
  for (Value operand : op->getOperands())
    if (!isa<BlockArgument>(operand))
      return op.emitError("no CPU code for attention to what its own kernel "
                          "computes");
  return checkSdpaLimits(op, "CPU");
}

namespace {
/// Puts the parts of a kernel together.
class SdpaBuilder {
public:
  SdpaBuilder(Frame &frame, block::KernelOp kernel,
              block::AttentionOpInterface op)
      : code(frame.getCode()), sdpa(frame, kernel, op), inputs(sdpa),
        softmax(sdpa), shaw(sdpa), sums(sdpa, inputs, softmax) {
    if (SdpaSingle::takes(op))
      single.emplace(sdpa);
  }

  cpugen::KernelCode build();

private:
  using AddValues = llvm::function_ref<void(const SdpaKeys &keys)>;

  void emitHead(const SdpaHead &head);
  void emitQueries(const SdpaHead &head);
  /// Goes through the keys and adds values block by block, as `add` does it.
  void emitKeys(const SdpaHead &head, AddValues add);
  void emitPasses(const SdpaHead &head);

  Code &code;
  SdpaFrame sdpa;
  SdpaInputs inputs;
  SdpaSoftmax softmax;
  SdpaShaw shaw;
  SdpaSums sums;
  /// The code for one query, where there is any.
  std::optional<SdpaSingle> single;
};
} // namespace

cpugen::KernelCode SdpaBuilder::build() {
  Frame &frame = sdpa.frame;
  code.loop(frame.getBegin(), frame.getEnd(), 1,
            [&](Value item) { emitHead(sdpa.findHead(item)); });
  if (isTilePath(sdpa.keyPath) || isTilePath(sdpa.valuePath))
    emitTileRelease(code);
  return frame.finish(sdpa.heads, sdpa.blockQueries);
}

void SdpaBuilder::emitHead(const SdpaHead &head) {
  auto emitOne = [&] {
    single->emitHead(head);
    return Values();
  };
  auto emitBlock = [&] {
    emitQueries(head);
    return Values();
  };
  if (single)
    code.ifElse(code.equalI(sdpa.queries, code.index(1)), {}, emitOne,
                emitBlock);
  else
    emitQueries(head);
}

void SdpaBuilder::emitQueries(const SdpaHead &head) {
  inputs.loadQueries(head);
  if (sdpa.hidesKeys())
    emitPasses(head);
  else
    emitKeys(head, [&](const SdpaKeys &keys) { sums.addKeys(head, keys); });
  shaw.addValues(head, sums.getSums());
  sums.storeResult(head);
}

void SdpaBuilder::emitKeys(const SdpaHead &head, AddValues add) {
  softmax.prepareHead(head);
  shaw.prepareHead(inputs.getQueries());
  sums.prepareHead();
  sdpa.forBlocks(head, [&](const SdpaKeys &keys) {
    inputs.loadKeys(head, keys);
    inputs.multiplyKeys(keys, softmax.getWeights());
    shaw.addProducts(head, keys, softmax.getWeights());
    softmax.addKeys(head, keys);
    shaw.addWeights(head, keys, softmax.getWeights(), softmax.getCorrections());
    add(keys);
  });
}

/// A key that a query may not look at has no weight. But zero times infinity is
/// no number: one row of such values would reach the queries before it, and the
/// sequences beside it. Where a sum is not finite, the block of queries is done
/// again, with sums over visible keys alone.
void SdpaBuilder::emitPasses(const SdpaHead &head) {
  auto emitPass = [&](Value pass) -> Values {
    Value isFirst = code.equalI(pass, code.index(0));
    emitKeys(head, [&](const SdpaKeys &keys) {
      auto addQuickly = [&] {
        sums.addKeys(head, keys);
        return Values();
      };
      auto addWithCare = [&] {
        sums.addVisibleKeys(head, keys);
        return Values();
      };
      code.ifElse(isFirst, {}, addQuickly, addWithCare);
    });
    return {sums.areFinite(head)};
  };
  Type flag = code.builder.getI1Type();
  code.loop(code.index(0), code.index(2), 1, code.integer(flag, 0),
            [&](Value pass, ValueRange isDone) {
              return code.ifElse(
                  isDone[0], flag, [&] { return Values(isDone); },
                  [&] { return emitPass(pass); });
            });
}

FailureOr<cpugen::KernelCode> cpugen::buildSdpaKernel(Frame &frame,
                                                      block::KernelOp kernel) {
  if (failed(checkSdpa(kernel)))
    return failure();
  auto op = cast<block::SdpaOp>(kernel.getBody().front().front());
  return SdpaBuilder(frame, kernel, op).build();
}
