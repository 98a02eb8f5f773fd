//===- GradientLaunches.cpp - launches of gradients on GPUs ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/GradientLaunches.h"

#include "parablock/Analysis/ExpertLaunches.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

bool parablock::isGradientLaunch(Operation *op) {
  return isa<ColumnSumsOp, EmbeddingGradOp, WeightGradOp, SdpaGradOp,
             ExpertsGradOp, RouteGradOp, PatchEmbeddingGradOp, CrossEntropyOp,
             CrossEntropyGradOp>(op);
}

bool parablock::hasKeysApart(SdpaGradOp op) {
  constexpr int64_t mostSums = 256;
  return getDim(op.getQuery(), -1) / op.getHeads() +
             getDim(op.getValue(), -1) / op.getKvHeads() >
         mostSums;
}

/// Tables whose tokens are sorted take two launches; positions that skip
/// padding are counted first.
static int64_t countEmbedding(EmbeddingGradOp op) {
  int64_t count = 0;
  for (StringRef name : op.getWrt().getAsValueRange<StringAttr>()) {
    if (name == "table")
      count += 2;
    else if (name == "type_table")
      count += op.getTypeIds() ? 2 : 1;
    else
      count += op.getPadId() ? 3 : 1;
  }
  return count;
}

/// Products with Shaw's tables, tiles of queries, then of keys,
/// and of past ones; tables are summed by diagonals or parts first, and
/// products of rows of alpha by rows.
static int64_t countAttention(SdpaGradOp op) {
  int64_t ofKeys = hasKeysApart(op) ? 2 : 1, count = 1 + ofKeys;
  for (Value table : {op.getShawKey(), op.getShawValue()})
    if (table)
      ++count;
  bool isOfPast = false;
  for (StringRef name : op.getWrt().getAsValueRange<StringAttr>())
    if (name.starts_with("past_"))
      isOfPast = true;
    else if (name == "relative_table" || name == "alpha" ||
             name.starts_with("shaw_"))
      count += 2;
    else if (name != "query" && name != "key" && name != "value")
      ++count;
  return isOfPast ? count + ofKeys : count;
}

/// Slots are counted, if these are several runs, and placed; rows and gradients
/// are gathered, and two products give what each gradient is made of.
static int64_t countExperts(ExpertsGradOp op) {
  auto indices = cast<RankedTensorType>(op.getIndices().getType());
  std::optional<int64_t> slots;
  if (indices.hasStaticShape())
    slots = indices.getNumElements();
  int64_t count = countExpertChunks(slots) > 1 ? 6 : 5;
  bool weighsInput = op.getForm().getWeigh() == Weigh::Input,
       readsAgain = false;
  for (StringRef name : op.getWrt().getAsValueRange<StringAttr>()) {
    readsAgain |= name == "input" || (name == "weights" && weighsInput);
    ++count;
  }
  return count + static_cast<int64_t>(readsAgain);
}

LossChunks::LossChunks(CrossEntropyGradOp op) {
  // An eighth of the vocabulary, or as many columns as memory of that size has.
  constexpr int64_t tile = 256, shares = 8, mostBytes = 256 << 20, many = 8192;
  auto rows = cast<RankedTensorType>(op.getTargets().getType());
  bits = getElementTypeOrSelf(op.getInput()).getIntOrFloatBitWidth();
  terms = llvm::any_of(op->getResultTypes(),
                       [&](Type type) { return isWider(type); })
              ? 2
              : 1;
  int64_t bytes =
      bits / 8 * terms * (rows.hasStaticShape() ? rows.getNumElements() : many);
  int64_t vocabulary = getDim(op.getWeight(), 0);
  int64_t most = std::min<int64_t>(llvm::divideCeil(vocabulary, shares),
                                   mostBytes / std::max<int64_t>(bytes, 1));
  most = std::max<int64_t>(llvm::alignTo(most, tile), tile);
  count = std::max<int64_t>(llvm::divideCeil(vocabulary, most), 1);
  columns = llvm::alignTo(llvm::divideCeil(vocabulary, count), tile);
}

/// Logits are joined row by row, and made again for gradients: a chunk gives
/// parts of each. Columns of biases are summed in two launches.
static int64_t countLossGrad(CrossEntropyGradOp op) {
  int64_t count = 3, ofChunk = 1;
  for (auto [name, type] : llvm::zip_equal(
           op.getWrt().getAsValueRange<StringAttr>(), op->getResultTypes())) {
    ofChunk += name == "bias" ? 2 : 1;
    count += name == "input" && !getElementTypeOrSelf(type).isF32();
  }
  return count + LossChunks(op).count * ofChunk;
}

int64_t parablock::countGradientLaunches(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([](ColumnSumsOp) { return 2; })
      .Case([](EmbeddingGradOp own) { return countEmbedding(own); })
      .Case([](SdpaGradOp own) { return countAttention(own); })
      .Case([](ExpertsGradOp own) { return countExperts(own); })
      .Case([](PatchEmbeddingGradOp own) { return own->getNumResults(); })
      .Case([](RouteGradOp own) {
        // Scales of experts are summed from what the rows' launch gives.
        auto wrt = own.getWrt().getAsValueRange<StringAttr>();
        return 1 +
               llvm::count_if(wrt, [](StringRef n) { return n != "logits"; });
      })
      .Case([](CrossEntropyOp) { return 3; })
      .Case([](CrossEntropyGradOp own) { return countLossGrad(own); })
      .Default([](Operation *) { return 1; });
}
