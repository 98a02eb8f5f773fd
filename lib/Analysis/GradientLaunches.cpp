//===- GradientLaunches.cpp - launches of gradients on GPUs ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/GradientLaunches.h"

#include "parablock/Analysis/ExpertLaunches.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

bool parablock::isGradientLaunch(Operation *op) {
  return isa<ColumnSumsOp, EmbeddingGradOp, WeightGradOp, SdpaGradOp,
             ExpertsGradOp, RouteGradOp, PatchEmbeddingGradOp>(op);
}

bool parablock::hasKeysApart(SdpaGradOp op) {
  constexpr int64_t mostSums = 256;
  return getDim(op.getQuery(), -1) / op.getHeads() +
             getDim(op.getValue(), -1) / op.getKvHeads() >
         mostSums;
}

//===----------------------------------------------------------------------===//
// Sums that attention saves
//===----------------------------------------------------------------------===//

RankedTensorType parablock::getLogSumsType(AttentionOpInterface op) {
  ArrayRef<int64_t> shape = op.getQuery().getType().getShape();
  return RankedTensorType::get({shape[0], shape[1], op.getHeads()},
                               Float32Type::get(op.getContext()));
}

/// Returns the value that a layer yields, or that a kernel has from outside,
/// as `value`.
static Value findOrigin(Value value) {
  while (value) {
    auto argument = dyn_cast<BlockArgument>(value);
    auto kernel = argument
                      ? dyn_cast<KernelOp>(argument.getOwner()->getParentOp())
                      : KernelOp();
    auto layer = value.getDefiningOp<LayerOp>();
    if (kernel)
      value = kernel.getOperand(argument.getArgNumber());
    else if (layer)
      value = layer.getBody().front().getTerminator()->getOperand(
          cast<OpResult>(value).getResultNumber());
    else
      break;
  }
  return value;
}

/// The gradient needs no more of the softmax than what it saves, and kernels of
/// all queries, in whole heads, save it.
static bool canSave(SdpaGradOp op) {
  constexpr int64_t fewRows = 16, mostColumns = 256;
  for (Value operand :
       {op.getAlpha(), op.getBeta(), op.getGamma(), op.getShawKey(),
        op.getShawValue(), op.getPastKey(), op.getScoreBias(), op.getSinks()})
    if (operand)
      return false;
  // Those are summed by scores as the rounded result gives them.
  if (llvm::is_contained(op.getWrt().getAsValueRange<StringAttr>(),
                         "relative_table"))
    return false;
  int64_t rows = getDim(op.getQuery(), 1);
  bool isOpen = ShapedType::isDynamic(rows);
  return getDim(op.getValue(), -1) / op.getKvHeads() <= mostColumns &&
         (isOpen ? ShapedType::isDynamic(getDim(op.getKey(), 1))
                 : rows > fewRows);
}

static bool isGradientOf(SdpaGradOp op, SdpaOp attention) {
  auto isSame = [](Value a, Value b) { return findOrigin(a) == findOrigin(b); };
  if (op.getHeads() != attention.getHeads() ||
      op.getKvHeads() != attention.getKvHeads() ||
      op.getScores() != attention.getScores() ||
      op.getBuckets() != attention.getBuckets() ||
      op.getDropoutAttr() != attention.getDropoutAttr() ||
      !isSame(op.getQuery(), attention.getQuery()) ||
      !isSame(op.getKey(), attention.getKey()) ||
      !isSame(op.getValue(), attention.getValue()))
    return false;
  NamedOperands own = op.getNamedOperands(),
                others = attention.getNamedOperands();
  for (unsigned i = 0; i <= getMaxEnumValForAttentionOperand(); ++i) {
    auto which = static_cast<AttentionOperand>(i);
    if (!isSame(own[which], others[which]))
      return false;
  }
  return true;
}

/// Returns whether `first` comes before `second`: in its block, or in a layer
/// before that of the other.
static bool isBefore(Operation *first, Operation *second) {
  for (Operation *own = first; own; own = own->getParentOp())
    if (Operation *other = own->getBlock()
                               ? own->getBlock()->findAncestorOpInBlock(*second)
                               : nullptr)
      return own != other && own->isBeforeInBlock(other);
  return false;
}

/// Returns the attention that an op is, or that a kernel computes.
static SdpaOp getAttention(Operation *op) {
  auto kernel = dyn_cast<KernelOp>(op);
  if (kernel && kernel.getKind() == KernelKind::Sdpa &&
      kernel.getNumResults() == 1)
    op = &kernel.getBody().front().front();
  return dyn_cast<SdpaOp>(op);
}

Operation *parablock::findSavingAttention(SdpaGradOp op) {
  if (!canSave(op))
    return nullptr;
  Operation *last = nullptr;
  for (Value query = op.getQuery();;) {
    for (Operation *user : query.getUsers()) {
      SdpaOp attention = getAttention(user);
      if (attention && isBefore(user, op) && isGradientOf(op, attention) &&
          (!last || isBefore(last, user)))
        last = user;
    }
    auto layer = query.getDefiningOp<LayerOp>();
    if (!layer)
      return last;
    query = layer.getBody().front().getTerminator()->getOperand(
        cast<OpResult>(query).getResultNumber());
  }
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

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

/// Tiles of queries, then of keys; tables are summed by diagonals first, and
/// products of rows of alpha by rows.
static int64_t countAttention(SdpaGradOp op) {
  int64_t count = hasKeysApart(op) ? 3 : 2;
  for (StringRef name : op.getWrt().getAsValueRange<StringAttr>())
    if (name == "relative_table" || name == "alpha")
      count += 2;
    else if (name != "query" && name != "key" && name != "value")
      ++count;
  return count;
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
      .Default([](Operation *) { return 1; });
}
