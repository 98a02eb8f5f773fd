//===- Broadcast.cpp - applies functions to broadcast tensors -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Broadcast.h"

#include "Loops.h"
#include "Program.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

static FailureOr<Shape> joinShapes(Step &step,
                                   llvm::ArrayRef<const Array *> operands) {
  Shape shape;
  for (const Array *operand : operands) {
    if (operand->shape.empty())
      continue;
    if (shape.empty())
      shape = operand->shape;
    if (shape.size() != operand->shape.size())
      return step.error() << "expected operands of one rank, got "
                          << shape.size() << " and " << operand->shape.size();
    for (auto [dim, size] : llvm::enumerate(operand->shape)) {
      if (size == 1 || size == shape[dim])
        continue;
      if (shape[dim] != 1)
        return step.error()
               << "expected sizes of dimension " << dim << " to agree, got "
               << shape[dim] << " and " << size;
      shape[dim] = size;
    }
  }
  return shape;
}

FailureOr<Arrays> evaluator::mapElements(Step &step,
                                         llvm::ArrayRef<const Array *> operands,
                                         ScalarFunction function) {
  FailureOr<Shape> shape = joinShapes(step, operands);
  if (failed(shape))
    return failure();
  FailureOr<std::vector<double>> result = step.allocate(*shape);
  if (failed(result))
    return failure();

  LoopNest nest;
  nest.sizes.assign(shape->begin(), shape->end());
  for (const Array *operand : operands) {
    Access access;
    access.strides = getRowMajorStrides(operand->shape);
    access.strides.resize(shape->size(), 0);
    for (auto [dim, size] : llvm::enumerate(operand->shape))
      if (size == 1)
        access.strides[dim] = 0;
    nest.accesses.push_back(std::move(access));
  }
  nest.accesses.push_back({0, getRowMajorStrides(*shape)});
  nest.fuse();

  Program program = Program::ofOp(function, step.getResultType());
  bool fine =
      nest.forEachPiece(Program::width, [&](const LoopNest::Piece &piece) {
        for (unsigned i = 0; i < operands.size(); ++i)
          gather(operands[i]->data().data() + piece.offsets[i],
                 nest.getInnerStride(i), piece.count, program.getArgument(i));
        if (failed(program.run(step, piece.count)))
          return false;
        scatter(program.getYield(0), piece.count,
                result->data() + piece.offsets.back(),
                nest.getInnerStride(operands.size()));
        return true;
      });
  if (!fine)
    return failure();
  return step.finish(std::move(*result), *shape);
}
