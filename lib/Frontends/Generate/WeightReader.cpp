//===- WeightReader.cpp - slices and reshapes stored tensors --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "WeightReader.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include <cmath>

using namespace mlir;

namespace parablock::generate {

std::string WeightReader::getFullName(const std::string &name) const {
  if (!name.empty() && name.front() == '/')
    return name.substr(1);
  return prefix.empty() ? name : prefix + "." + name;
}

static ArrayRef<int64_t> getShape(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

/// Splits or merges neighbouring dimensions: `groups` lists the dimensions of
/// the longer shape that form each one of the shorter.
static Value regroup(OpBuilder &builder, Location loc, Value tensor,
                     ArrayRef<int64_t> shape,
                     ArrayRef<ReassociationIndices> groups) {
  auto type = cast<RankedTensorType>(tensor.getType()).clone(shape);
  if (shape.size() > groups.size())
    return tensor::ExpandShapeOp::create(builder, loc, type, tensor, groups);
  return tensor::CollapseShapeOp::create(builder, loc, type, tensor, groups);
}

Value WeightReader::transpose(Value matrix) {
  Location loc = arguments.getFunction().getLoc();
  ArrayRef<int64_t> shape = getShape(matrix);
  Value empty = tensor::EmptyOp::create(builder, loc, {shape[1], shape[0]},
                                        arguments.getElementType());
  return linalg::TransposeOp::create(builder, loc, matrix, empty,
                                     ArrayRef<int64_t>{1, 0})
      ->getResult(0);
}

/// Extracts the role's share of dimension `dim`, which consists of
/// `stored->groups` runs of all parts.
Value WeightReader::slicePart(Value tensor, int64_t dim, const RolePlan &plan,
                              int64_t share) {
  if (share == plan.total)
    return tensor;
  Location loc = arguments.getFunction().getLoc();
  int64_t groups = plan.stored->groups;
  SmallVector<int64_t> shape(getShape(tensor));
  SmallVector<int64_t> result = shape;
  result[dim] = share;
  SmallVector<ReassociationIndices> split;
  if (groups > 1) {
    // [.., n, ..] is treated as [.., groups, n / groups, ..].
    int64_t rank = shape.size();
    for (int64_t d = 0, next = 0; d < rank; ++d) {
      split.push_back({next++});
      if (d == dim)
        split.back().push_back(next++);
    }
    shape[dim] = plan.total / groups;
    shape.insert(shape.begin() + dim, groups);
    tensor = regroup(builder, loc, tensor, shape, split);
    ++dim;
  }
  SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(shape.size(), builder.getIndexAttr(1));
  offsets[dim] = builder.getIndexAttr(plan.offset / groups);
  shape[dim] = share / groups;
  tensor = tensor::ExtractSliceOp::create(
      builder, loc, tensor, offsets,
      getAsIndexOpFoldResult(builder.getContext(), shape), strides);
  return groups > 1 ? regroup(builder, loc, tensor, result, split) : tensor;
}

Value WeightReader::readStored(const StoredLinear &stored,
                               const std::string &name, int64_t out, int64_t in,
                               double deviation) {
  DrawRule rule{Distribution::Normal, 0, deviation};
  StringRef module(name);
  module.consume_back(".weight");
  // MXFP4 is a form of experts alone.
  bool hasCodes = packed && packed->kind != PackedSpec::Kind::MxFp4 &&
                  isPacked(*packed, module);
  if (!stored.inputMajor && !hasCodes)
    return arguments.getParameter(name, {out, in}, rule);
  // The parts of a fused matrix share values derived from it.
  Value &matrix = made[name];
  if (!matrix && hasCodes)
    matrix = readPackedMatrix(builder, arguments, *packed, module, out, in,
                              deviation);
  if (!matrix)
    matrix = transpose(arguments.getParameter(name, {in, out}, rule));
  return matrix;
}

Value WeightReader::readMatrix(const RolePlan &plan) {
  if (!plan.stored)
    return {};
  const StoredLinear &stored = *plan.stored;
  int64_t out = stored.columns ? plan.out : plan.total;
  int64_t in = stored.columns ? plan.total : plan.in;
  std::string name = getFullName(stored.name + ".weight");
  Value matrix;
  if (const auto &reparam = stored.reparam) {
    // The start and the change contribute half of the variance each.
    bool hasInitial = !reparam->initial.empty();
    double share = plan.deviation / (hasInitial ? std::sqrt(2.0) : 1);
    Value initial;
    if (hasInitial)
      initial = readStored(stored, getFullName(reparam->initial), out, in,
                           share / std::fmax(std::fabs(reparam->skip), 1e-3));
    Value delta =
        readStored(stored, name, out, in,
                   share / std::fmax(std::fabs(reparam->residual), 1e-3));
    matrix = block::ReparamOp::create(
        builder, arguments.getFunction().getLoc(), delta.getType(), delta,
        initial, builder.getF64FloatAttr(reparam->skip),
        builder.getF64FloatAttr(reparam->residual));
  } else {
    matrix = readStored(stored, name, out, in, plan.deviation);
  }
  return stored.columns ? slicePart(matrix, 1, plan, plan.in)
                        : slicePart(matrix, 0, plan, plan.out);
}

Value WeightReader::readBias(const RolePlan &plan) {
  if (!plan.stored || !plan.stored->bias)
    return {};
  const StoredLinear &stored = *plan.stored;
  // Columns share one result, so only the first part adds the bias.
  if (stored.columns && plan.offset != 0)
    return {};
  DrawRule rule{Distribution::Uniform, plan.biasMean, plan.biasDeviation};
  Value bias =
      arguments.getParameter(getFullName(stored.name + ".bias"),
                             {stored.columns ? plan.out : plan.total}, rule);
  return stored.columns ? bias : slicePart(bias, 0, plan, plan.out);
}

Value WeightReader::reshape(Value tensor, ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> stored = getShape(tensor);
  if (stored == shape)
    return tensor;
  // All dimensions of the result but the first are matched from the right; the
  // remaining ones on the left are merged into the first.
  SmallVector<ReassociationIndices> groups(shape.size());
  int64_t merged = stored.size() - shape.size();
  for (int64_t d = 0, rank = stored.size(); d < rank; ++d)
    groups[std::max<int64_t>(0, d - merged)].push_back(d);
  return regroup(builder, arguments.getFunction().getLoc(), tensor, shape,
                 groups);
}

Value WeightReader::readVector(const StoredVector &stored, int64_t size,
                               const DrawRule &rule) {
  if (!stored.exists())
    return {};
  int64_t count = stored.names.size();
  SmallVector<int64_t> shape(stored.shape.begin(), stored.shape.end());
  if (shape.empty())
    shape = {size / count};
  SmallVector<Value> pieces;
  for (const std::string &name : stored.names)
    pieces.push_back(
        reshape(arguments.getParameter(getFullName(name), shape, rule),
                {size / count}));
  if (count == 1)
    return pieces.front();
  return tensor::ConcatOp::create(builder, arguments.getFunction().getLoc(), 0,
                                  pieces);
}

Value WeightReader::readTensor(const std::string &name, ArrayRef<int64_t> shape,
                               const DrawRule &rule, Type element) {
  if (!element)
    element = arguments.getElementType();
  return arguments.getParameter(getFullName(name),
                                RankedTensorType::get(shape, element), rule);
}

Value WeightReader::readLinear(const std::string &name, int64_t out, int64_t in,
                               const DrawRule &rule) {
  std::string module = getFullName(name);
  if (packed && packed->kind != PackedSpec::Kind::MxFp4 &&
      isPacked(*packed, module))
    return readPackedMatrix(builder, arguments, *packed, module, out, in,
                            rule.deviation);
  return arguments.getParameter(module + ".weight", {out, in}, rule);
}

Value WeightReader::readStack(const std::string &name, const StackShape &shape,
                              bool transposed, const DrawRule &rule) {
  std::string full = getFullName(name);
  int64_t rows = shape.parts * shape.out;
  SmallVector<int64_t> stored = {shape.experts, rows, shape.in};
  if (transposed)
    std::swap(stored[1], stored[2]);
  if (!packed || !areStacksPacked(*packed) || !isPacked(*packed, full))
    return readTensor(name, stored, rule);
  Value stack =
      readPackedStack(builder, arguments, *packed, full, shape, rule.deviation);
  if (!transposed)
    return stack;
  Location loc = arguments.getFunction().getLoc();
  Value empty =
      tensor::EmptyOp::create(builder, loc, stored, arguments.getElementType());
  return linalg::TransposeOp::create(builder, loc, stack, empty,
                                     ArrayRef<int64_t>{0, 2, 1})
      ->getResult(0);
}

} // namespace parablock::generate
