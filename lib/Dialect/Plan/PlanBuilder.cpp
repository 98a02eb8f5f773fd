//===- PlanBuilder.cpp - creates sizes, tensors and launches --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Plan/PlanBuilder.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace parablock::plan;

PlanBuilder::PlanBuilder(Operation *place, StringRef name)
    : builder(place->getLoc(), place) {
  program = ProgramOp::create(builder, name);
  builder.setInsertionPointToStart(&program.getBody().emplaceBlock());
  prepack = PrepackOp::create(builder);
  prepack.getBody().emplaceBlock();
  run = RunOp::create(builder);
  run.getBody().emplaceBlock();
  builder.setInsertionPoint(prepack);
}

Value PlanBuilder::addSize(StringRef name) {
  Value &size = sizeOf[name];
  if (!size)
    size = SizeOp::create(builder, builder.getIndexType(), name);
  return size;
}

OpFoldResult PlanBuilder::addShare(OpFoldResult size, int64_t parts) {
  if (std::optional<int64_t> number = getConstantIntValue(size))
    return builder.getIndexAttr(*number / parts);
  auto value = cast<Value>(size);
  if (auto share = value.getDefiningOp<ShareOp>()) {
    parts *= static_cast<int64_t>(share.getParts());
    value = share.getSize();
  }
  if (parts == 1)
    return value;
  Value &share = shares[{value, parts}];
  if (!share)
    share = ShareOp::create(builder, builder.getIndexType(), value, parts);
  return share;
}

FailureOr<OpFoldResult> PlanBuilder::joinShares(OpFoldResult share,
                                                int64_t count) {
  if (std::optional<int64_t> number = getConstantIntValue(share))
    return OpFoldResult(builder.getIndexAttr(*number * count));
  auto part = cast<Value>(share).getDefiningOp<ShareOp>();
  if (!part || part.getParts() % count != 0)
    return failure();
  return addShare(part.getSize(), part.getParts() / count);
}

TensorOp PlanBuilder::addTensor(TensorKind kind, const Twine &label,
                                Type element, ArrayRef<OpFoldResult> sizes,
                                std::optional<int64_t> position) {
  SmallVector<Value> open;
  SmallVector<int64_t> numbers;
  dispatchIndexOpFoldResults(sizes, open, numbers);
  ++numTensors;
  return TensorOp::create(builder, builder.getType<TensorType>(),
                          TensorKindAttr::get(builder.getContext(), kind),
                          position ? builder.getI64IntegerAttr(*position)
                                   : IntegerAttr(),
                          builder.getStringAttr(label), TypeAttr::get(element),
                          open, builder.getDenseI64ArrayAttr(numbers));
}

ViewOp PlanBuilder::addView(const Twine &label, TensorOp source,
                            ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> open;
  SmallVector<int64_t> numbers;
  dispatchIndexOpFoldResults(sizes, open, numbers);
  ++numTensors;
  return ViewOp::create(builder, builder.getType<TensorType>(),
                        builder.getStringAttr(label), source, open,
                        builder.getDenseI64ArrayAttr(numbers));
}

ImplicitLocOpBuilder PlanBuilder::atEndOfPrepack() {
  return ImplicitLocOpBuilder::atBlockEnd(builder.getLoc(),
                                          &prepack.getBody().front());
}

ImplicitLocOpBuilder PlanBuilder::atEndOfRun() {
  return ImplicitLocOpBuilder::atBlockEnd(builder.getLoc(),
                                          &run.getBody().front());
}

ProgramOp PlanBuilder::finish(ValueRange results) {
  if (prepack.getBody().front().empty())
    prepack.erase();
  OpBuilder end = atEndOfRun();
  ReturnOp::create(end, builder.getLoc(), results);
  return program;
}
