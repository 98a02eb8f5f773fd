//===- VjpModels.cpp - registers all gradient models ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "VjpModels.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace parablock::block;

#include "parablock/Transforms/Differentiate/VjpInterface.cpp.inc"

void parablock::block::addPartsOfGradient(Adjoints &adjoints, ValueRange inputs,
                                          int64_t dim, Value gradient) {
  OpBuilder &builder = adjoints.builder;
  int64_t rank = cast<ShapedType>(gradient.getType()).getRank(), offset = 0;
  SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0)),
      strides(rank, builder.getIndexAttr(1));
  for (Value input : inputs) {
    auto shape = cast<ShapedType>(input.getType()).getShape();
    offsets[dim] = builder.getIndexAttr(offset);
    offset += shape[dim];
    if (adjoints.isActive(input))
      adjoints.add(input,
                   tensor::ExtractSliceOp::create(
                       builder, adjoints.loc, gradient, offsets,
                       getAsIndexOpFoldResult(builder.getContext(), shape),
                       strides));
  }
}

WantedGradients::WantedGradients(Adjoints &adjoints,
                                 ArrayRef<NamedValue> operands) {
  for (auto [name, value] : operands) {
    if (!adjoints.isActive(value))
      continue;
    names.push_back(name);
    values.push_back(value);
    types.push_back(adjoints.getType(value));
  }
}

void WantedGradients::add(Adjoints &adjoints, ValueRange results) const {
  for (auto [value, result] : llvm::zip_equal(values, results))
    adjoints.add(value, result);
}

void parablock::block::registerVjpModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, BlockDialect *) {
    attachAttentionVjps(*context);
    attachElementwiseVjps(*context);
    attachEmbeddingVjps(*context);
    attachExpertVjps(*context);
    attachFoldedVjps(*context);
    attachLinearVjps(*context);
    attachNormVjps(*context);
  });
  registerLookupVjps(registry);
  registerTosaVjps(registry);
  registerUpstreamVjps(registry);
}
