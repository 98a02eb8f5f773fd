//===- Evaluate.cpp - the value of an expression --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Recipe/Evaluate.h"

#include "Evaluation.h"
#include "parablock/Support/SafeTensors.h"

using namespace parablock;
using namespace parablock::recipe;
using llvm::Expected;

StoredTensor StoredTensor::allocate(TensorType type) {
  StoredTensor tensor;
  tensor.memory = std::make_shared<std::vector<uint8_t>>(
      *countBytes(type.element, type.shape));
  tensor.type = std::move(type);
  tensor.bytes = *tensor.memory;
  return tensor;
}

/// One operand at a time, so that no more than the result and one operand need
/// memory.
static Expected<StoredTensor> evaluateConcat(const Expression &concat,
                                             SourceLookup lookup) {
  StoredTensor result = StoredTensor::allocate(concat.type);
  int64_t offset = 0;
  for (const ExpressionPtr &operand : concat.operands) {
    Expected<StoredTensor> value = evaluate(*operand, lookup);
    if (!value)
      return value.takeError();
    moveIntoConcat(result, *value, concat.dim, offset);
    offset += operand->type.shape[concat.dim];
  }
  return result;
}

Expected<StoredTensor> recipe::evaluate(const Expression &expression,
                                        SourceLookup lookup) {
  if (expression.operation == Operation::Source)
    return lookup(expression);
  if (expression.operation == Operation::Concat)
    return evaluateConcat(expression, lookup);

  std::vector<StoredTensor> values(expression.operands.size());
  llvm::SmallVector<const StoredTensor *, 4> operands;
  for (auto [value, operand] : llvm::zip_equal(values, expression.operands)) {
    operands.push_back(operand ? &value : nullptr);
    if (!operand)
      continue;
    Expected<StoredTensor> evaluated = evaluate(*operand, lookup);
    if (!evaluated)
      return evaluated.takeError();
    value = std::move(*evaluated);
  }
  switch (expression.operation) {
  case Operation::Slice:
    return moveSlice(expression, values.front());
  case Operation::Reshape:
    values.front().type = expression.type;
    return std::move(values.front());
  case Operation::Transpose:
    return moveTranspose(expression, values.front());
  case Operation::Broadcast:
    return moveBroadcast(expression, values.front());
  default:
    return compute(expression, operands);
  }
}
