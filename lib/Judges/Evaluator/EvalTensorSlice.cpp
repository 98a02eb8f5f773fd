//===- EvalTensorSlice.cpp - evaluates slices and pads --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Boxes.h"
#include "Scalars.h"
#include "Sizes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

template <typename OpT> static Box readBox(OpT op, Step &step) {
  return {readSizes(step, op.getMixedOffsets()),
          readSizes(step, op.getMixedSizes()),
          readSizes(step, op.getMixedStrides())};
}

/// The sizes that the type of the smaller tensor keeps.
static Shape dropDims(ArrayRef<int64_t> sizes,
                      const llvm::SmallBitVector &dropped) {
  Shape kept;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (!dropped.test(dim))
      kept.push_back(size);
  return kept;
}

static FailureOr<Arrays> evalExtractSlice(tensor::ExtractSliceOp op,
                                          Step &step) {
  Box box = readBox(op, step);
  return cut(step, step.get(op.getSource()), box,
             dropDims(box.sizes, op.getDroppedDims()));
}

static FailureOr<Arrays> evalInsertSlice(tensor::InsertSliceOp op, Step &step) {
  const Array &source = step.get(op.getSource());
  const Array &dest = step.get(op.getDest());
  Box box = readBox(op, step);
  for (auto [dim, size] :
       llvm::enumerate(dropDims(box.sizes, op.getDroppedDims())))
    if (failed(step.check("dimension " + llvm::Twine(dim) + " of the source",
                          source.shape[dim], size)))
      return failure();
  FailureOr<Access> to = getBoxAccess(step, box, dest.shape);
  if (failed(to))
    return failure();
  std::vector<double> result(dest.data());
  copyBox<double>(box.sizes, source.data().data(), getWholeAccess(box.sizes),
                  result.data(), *to);
  return step.finish(std::move(result), dest.shape);
}

static FailureOr<Arrays> evalConcat(tensor::ConcatOp op, Step &step) {
  SmallVector<const Array *> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(&step.get(input));
  return concatenate(step, inputs, op.getDim());
}

static FailureOr<Arrays> evalPad(tensor::PadOp op, Step &step) {
  Value value = op.getConstantPaddingValue();
  if (!value)
    return step.error() << "expected one number to pad with";
  const Array &source = step.get(op.getSource());
  Shape low = readSizes(step, op.getMixedLowPad());
  Shape shape = readSizes(step, op.getMixedHighPad());
  for (auto [dim, size] : llvm::enumerate(shape))
    size += low[dim] + source.shape[dim];
  double number = 0;
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant))) {
    std::optional<double> known = getNumber(constant);
    if (!known)
      return step.error() << "expected a number that f64 holds to pad with";
    number = *known;
  } else {
    number = step.get(value).data().front();
  }
  return pad(step, source, low, shape, number);
}

void evaluator::addTensorSliceEvaluators(Table &table) {
  table.add<tensor::ExtractSliceOp>(evalExtractSlice);
  table.add<tensor::InsertSliceOp>(evalInsertSlice);
  table.add<tensor::ConcatOp>(evalConcat);
  table.add<tensor::PadOp>(evalPad);
}
