//===- VjpEmbedding.cpp - gradients of embeddings -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "VjpModels.h"

using namespace mlir;
using namespace parablock::block;

namespace {
struct EmbeddingVjp : VjpModel<EmbeddingVjp, EmbeddingOp> {
  static LogicalResult build(EmbeddingOp op, Value dy, Adjoints &adjoints) {
    if (op.getOffset() && !op.getOffset().getType().isIndex())
      return op.emitOpError("has no gradient with an offset of each batch row");
    if (op.getFirstId())
      return op.emitOpError("has no gradient where it holds a part of a "
                            "vocabulary");
    WantedGradients wanted(adjoints, {{"table", op.getTable()},
                                      {"position_table", op.getPositionTable()},
                                      {"type_table", op.getTypeTable()}});
    OpBuilder &builder = adjoints.builder;
    auto gradient = EmbeddingGradOp::create(
        builder, adjoints.loc, wanted.types, dy, op.getIds(), op.getTypeIds(),
        op.getOffset(), builder.getStrArrayAttr(wanted.names),
        op.getScaleAttr(), op.getPositionOffsetAttr(), op.getPadIdAttr());
    wanted.add(adjoints, gradient.getGradients());
    return success();
  }
};

struct PatchEmbeddingVjp : VjpModel<PatchEmbeddingVjp, PatchEmbeddingOp> {
  static LogicalResult build(PatchEmbeddingOp op, Value dy,
                             Adjoints &adjoints) {
    WantedGradients wanted(adjoints,
                           {{"pixels", op.getPixels()},
                            {"weight", op.getWeight()},
                            {"bias", op.getBias()},
                            {"class_token", op.getClassToken()},
                            {"position_table", op.getPositionTable()}});
    OpBuilder &builder = adjoints.builder;
    auto gradient = PatchEmbeddingGradOp::create(
        builder, adjoints.loc, wanted.types, dy, op.getPixels(), op.getWeight(),
        static_cast<bool>(op.getClassToken()),
        builder.getStrArrayAttr(wanted.names));
    wanted.add(adjoints, gradient.getGradients());
    return success();
  }
};
} // namespace

void parablock::block::attachEmbeddingVjps(MLIRContext &context) {
  EmbeddingOp::attachInterface<EmbeddingVjp>(context);
  PatchEmbeddingOp::attachInterface<PatchEmbeddingVjp>(context);
}
