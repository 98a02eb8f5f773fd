//===- VjpEmbedding.cpp - gradients of embeddings -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FrozenRows.h"
#include "TosaArithmetic.h"
#include "VjpModels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace parablock::block;

/// The gradient of rows `[B, T, d]` without those of tokens that looked up
/// `row`.
static Value leaveOut(Adjoints &adjoints, Value dy, Value ids, int64_t row) {
  OpBuilder &builder = adjoints.builder;
  auto type = cast<RankedTensorType>(ids.getType());
  auto number = RankedTensorType::get({1, 1}, type.getElementType());
  Value frozen = tosa::ConstOp::create(
      builder, adjoints.loc, number,
      DenseElementsAttr::get(
          number, builder.getIntegerAttr(type.getElementType(), row)));
  Arithmetic math(adjoints, dy);
  Value isFrozen = math.compare<tosa::EqualOp>(ids, frozen);
  SmallVector<int64_t> column(type.getShape());
  column.push_back(1);
  return math.select(math.reshape(isFrozen, column), math.number(0, dy), dy);
}

/// The gradient by a table without one row.
static Value leaveOutRow(Adjoints &adjoints, Value gradient, int64_t row) {
  OpBuilder &builder = adjoints.builder;
  auto type = cast<RankedTensorType>(gradient.getType());
  auto one = type.clone({1, type.getDimSize(1)});
  Value zeros = arith::ConstantOp::create(builder, adjoints.loc,
                                          builder.getZeroAttr(one));
  auto place = [&](int64_t first, int64_t second) {
    return getAsIndexOpFoldResult(builder.getContext(), {first, second});
  };
  return tensor::InsertSliceOp::create(
      builder, adjoints.loc, zeros, gradient, place(row, 0),
      place(1, type.getDimSize(1)), place(1, 1));
}

namespace {
struct EmbeddingVjp : VjpModel<EmbeddingVjp, EmbeddingOp> {
  static LogicalResult build(EmbeddingOp op, Value dy, Adjoints &adjoints) {
    if (op.getOffset() && !op.getOffset().getType().isIndex())
      return op.emitOpError("has no gradient with an offset of each batch row");
    if (op.getFirstId())
      return op.emitOpError("has no gradient where it holds a part of a "
                            "vocabulary");
    NamedOperand table{"table", op.getTable()};
    NamedOperand positions{"position_table", op.getPositionTable()};
    NamedOperand types{"type_table", op.getTypeTable()};
    std::optional<int64_t> frozen = findFrozenRow(op.getTable());
    if (!frozen) {
      add(op, dy, adjoints, {table, positions, types});
      return success();
    }
    if (adjoints.isActive(op.getTable()))
      add(op, leaveOut(adjoints, dy, op.getIds(), *frozen), adjoints, {table});
    add(op, dy, adjoints, {positions, types});
    return success();
  }

  static void add(EmbeddingOp op, Value dy, Adjoints &adjoints,
                  ArrayRef<NamedOperand> operands) {
    WantedGradients wanted(adjoints, operands);
    if (wanted.values.empty())
      return;
    OpBuilder &builder = adjoints.builder;
    auto gradient = EmbeddingGradOp::create(
        builder, adjoints.loc, wanted.types, dy, op.getIds(), op.getTypeIds(),
        op.getOffset(), builder.getStrArrayAttr(wanted.names),
        op.getScaleAttr(), op.getPositionOffsetAttr(), op.getPadIdAttr());
    for (auto [value, made] :
         llvm::zip_equal(wanted.values, gradient.getGradients())) {
      std::optional<int64_t> row = findFrozenRow(value);
      bool isLeftOut = !row || value == op.getTable();
      adjoints.add(value, isLeftOut ? made : leaveOutRow(adjoints, made, *row));
    }
  }
};

/// Rows of a table, chosen by integers, that are no embedding's.
struct LookupVjp : VjpModel<LookupVjp, linalg::GenericOp> {
  static LogicalResult build(linalg::GenericOp op, Value dy,
                             Adjoints &adjoints) {
    Value table = findTable(op);
    auto type = cast<RankedTensorType>(dy.getType());
    if (!table || !type.hasStaticShape())
      return op.emitOpError("has no gradient");
    Arithmetic math(adjoints, dy);
    int64_t width = type.getShape().back();
    int64_t count = type.getNumElements() / width;
    Value ids = math.reshape(op.getInputs().front(), {1, count});
    dy = math.reshape(dy, {1, count, width});
    if (std::optional<int64_t> row = findFrozenRow(table))
      dy = leaveOut(adjoints, dy, ids, *row);
    OpBuilder &builder = adjoints.builder;
    adjoints.add(table, EmbeddingGradOp::create(
                            builder, adjoints.loc,
                            TypeRange{adjoints.getType(table)}, dy, ids,
                            /*type_ids=*/Value(), /*offset=*/Value(),
                            builder.getStrArrayAttr({"table"}),
                            builder.getF64FloatAttr(1),
                            builder.getI64IntegerAttr(0), IntegerAttr())
                            .getGradients()
                            .front());
    return success();
  }

  /// The matrix of which the op reads a row for each of its input's integers.
  static Value findTable(linalg::GenericOp op) {
    unsigned rank = op.getNumLoops();
    if (op.getNumParallelLoops() != rank || op.getNumDpsInputs() != 1 ||
        op.getNumResults() != 1 || rank < 2)
      return {};
    MLIRContext *context = op.getContext();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    if (!maps.back().isIdentity() ||
        maps.front() != AffineMap::getMultiDimIdentityMap(rank, context)
                            .getMajorSubMap(rank - 1))
      return {};
    Value yielded = op.getBody()->getTerminator()->getOperand(0);
    auto read = yielded.getDefiningOp<tensor::ExtractOp>();
    if (!read || read.getIndices().size() != 2 ||
        op->isAncestor(read.getTensor().getParentBlock()->getParentOp()))
      return {};
    auto row = read.getIndices()[0].getDefiningOp<arith::IndexCastOp>();
    auto column = read.getIndices()[1].getDefiningOp<linalg::IndexOp>();
    bool isRow = row && row.getIn() == op.getBody()->getArgument(0) && column &&
                 column.getDim() == rank - 1;
    return isRow ? read.getTensor() : Value();
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

void parablock::block::registerLookupVjps(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    linalg::GenericOp::attachInterface<LookupVjp>(*context);
  });
}

void parablock::block::attachEmbeddingVjps(MLIRContext &context) {
  EmbeddingOp::attachInterface<EmbeddingVjp>(context);
  PatchEmbeddingOp::attachInterface<PatchEmbeddingVjp>(context);
}
