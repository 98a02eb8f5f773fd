//===- EncodedAttention.cpp - rows of attention in codes ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/EncodedAttention.h"

#include "mlir/IR/IRMapping.h"
#include "parablock/Dialect/Block/LaneCodes.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

std::optional<EncodedAttention> block::findEncoded(SdpaOp attention) {
  Value rows = attention.getResult();
  int64_t head = getDim(attention.getValue(), -1) /
                 static_cast<int64_t>(attention.getKvHeads());
  // Values that are added to the result, and those of tables, are read later,
  // or with fewer columns of a head at a time.
  if (head != kEncodedColumns || attention.getAlpha() || attention.getGamma() ||
      attention.getShawValue())
    return std::nullopt;
  EncodedAttention found;
  for (Operation *user : rows.getUsers()) {
    if (auto scales = dyn_cast<GroupScalesOp>(user); scales && !found.scales)
      found.scales = scales;
    else if (auto codes = dyn_cast<EncodeGroupsOp>(user); codes && !found.codes)
      found.codes = codes;
    else
      return std::nullopt;
  }
  if (!found.scales || !found.codes ||
      static_cast<int64_t>(found.scales.getGroup()) != kEncodedColumns ||
      found.codes.getScales() != found.scales.getResult() ||
      found.codes->getBlock() != attention->getBlock())
    return std::nullopt;
  for (Operation *user : found.codes->getUsers()) {
    auto numbers = dyn_cast<DecodeGroupsOp>(user);
    if (!numbers)
      continue;
    // A tile stages codes or numbers, not both, and by its own scales.
    if (!found.codes->hasOneUse() ||
        numbers.getScales() != found.scales.getResult() ||
        numbers->getBlock() != attention->getBlock())
      return std::nullopt;
    found.numbers = numbers;
  }
  return found;
}

static void separate(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  auto attentions = body.getOps<SdpaOp>();
  std::optional<EncodedAttention> encoded;
  if (kernel.getKind() == KernelKind::Sdpa && !attentions.empty())
    encoded = findEncoded(*attentions.begin());
  if (!encoded)
    return;
  SdpaOp attention = *attentions.begin();
  Operation *yield = body.getTerminator();
  OpBuilder builder(kernel);
  // Row by row behind it.
  builder.setInsertionPointAfter(kernel);
  auto rows =
      KernelOp::create(builder, kernel.getLoc(), kernel->getResultTypes(),
                       kernel.getInputs()[0], KernelKind::Rows);
  Block &rowsBody = rows.getBody().emplaceBlock();
  IRMapping mapping;
  mapping.map(attention.getResult(),
              rowsBody.addArgument(attention.getType(), attention.getLoc()));
  OpBuilder inner = OpBuilder::atBlockEnd(&rowsBody);
  for (Operation &op : body)
    if (encoded->contains(&op) || &op == yield)
      inner.clone(op, mapping);
  kernel->replaceAllUsesWith(rows);
  builder.setInsertionPoint(kernel);
  auto smaller =
      KernelOp::create(builder, kernel.getLoc(), TypeRange{attention.getType()},
                       kernel.getInputs(), KernelKind::Sdpa);
  smaller.getBody().takeBody(kernel.getBody());
  yield->setOperands(ValueRange{attention.getResult()});
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (encoded->contains(&op))
      op.erase();
  rows->setOperand(0, smaller.getResult(0));
  kernel.erase();
}

void block::separateEncodedAttention(Operation *root) {
  SmallVector<KernelOp> kernels;
  root->walk([&](KernelOp kernel) { kernels.push_back(kernel); });
  llvm::for_each(kernels, separate);
}
