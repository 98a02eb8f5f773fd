//===- VjpEmbedding.cpp - gradients of embeddings and lookups -------------===//
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

/// Returns the gradient of rows `[B, T, d]` without tokens that looked up
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
    NamedValue table{"table", op.getTable()};
    NamedValue positions{"position_table", op.getPositionTable()};
    NamedValue types{"type_table", op.getTypeTable()};
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
                  ArrayRef<NamedValue> operands) {
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

/// Rows of a table selected by integers, outside embeddings.
struct LookupVjp : VjpModel<LookupVjp, linalg::GenericOp> {
  static LogicalResult build(linalg::GenericOp op, Value dy,
                             Adjoints &adjoints) {
    Value table = findTable(op);
    auto type = cast<RankedTensorType>(dy.getType());
    if (!type.hasStaticShape())
      return op.emitOpError("has no gradient");
    if (!table)
      return addElements(op, dy, adjoints);
    Arithmetic math(adjoints, dy);
    int64_t width = type.getShape().back();
    int64_t count = type.getNumElements() / width;
    Value ids = math.reshape(op.getInputs().front(), {1, count});
    dy = math.reshape(dy, {1, count, width});
    if (std::optional<int64_t> row = findFrozenRow(table))
      dy = leaveOut(adjoints, dy, ids, *row);
    adjoints.add(table, addRows(adjoints, dy, ids, adjoints.getType(table)));
    return success();
  }

  /// Returns the sum of the rows `dy` for each number, for a table of a type:
  /// in f32, since rows may belong to a bf16 text, and many share a number.
  static Value addRows(Adjoints &adjoints, Value dy, Value ids,
                       RankedTensorType type) {
    OpBuilder &builder = adjoints.builder;
    Type sums = type.clone(builder.getF32Type());
    return EmbeddingGradOp::create(
               builder, adjoints.loc, TypeRange{sums}, dy, ids,
               /*type_ids=*/Value(), /*offset=*/Value(),
               builder.getStrArrayAttr({"table"}), builder.getF64FloatAttr(1),
               builder.getI64IntegerAttr(0), IntegerAttr())
        .getGradients()
        .front();
  }

  /// Single elements of a tensor, treated as a column of one-element
  /// rows.
  static LogicalResult addElements(linalg::GenericOp op, Value dy,
                                   Adjoints &adjoints) {
    auto read = findElement(op);
    auto source = read ? cast<RankedTensorType>(read.getTensor().getType())
                       : RankedTensorType();
    if (!read || !source.hasStaticShape() || source.getRank() == 0 ||
        findFrozenRow(read.getTensor()))
      return op.emitOpError("has no gradient");
    Arithmetic math(adjoints, dy);
    ArrayRef<int64_t> shape = cast<RankedTensorType>(dy.getType()).getShape();
    Value place;
    int64_t stride = 1;
    for (unsigned dim = source.getRank(); dim-- > 0;
         stride *= source.getDimSize(dim)) {
      Value along =
          findPlaces(op, read.getIndices()[dim], stride, shape, adjoints);
      if (!along)
        return op.emitOpError("has no gradient");
      place = place ? Arithmetic(adjoints, along).add(place, along) : along;
    }
    int64_t count = ShapedType::getNumElements(shape);
    // Loops that no number depends on are there as well.
    if (cast<ShapedType>(place.getType()).getNumElements() != count)
      return op.emitOpError("has no gradient");
    RankedTensorType type = adjoints.getType(read.getTensor());
    Value column = addRows(adjoints, math.reshape(dy, {1, count, 1}),
                           math.reshape(place, {1, count}),
                           type.clone({source.getNumElements(), 1}));
    adjoints.add(read.getTensor(), math.reshape(column, source.getShape()));
    return success();
  }

  /// Returns the numbers along one dimension of the table, times `stride`: of a
  /// loop, or of an input; null if it is neither.
  static Value findPlaces(linalg::GenericOp op, Value index, int64_t stride,
                          ArrayRef<int64_t> shape, Adjoints &adjoints) {
    OpBuilder &builder = adjoints.builder;
    Type i64 = builder.getI64Type();
    auto make = [&](ArrayRef<int64_t> sizes, ArrayRef<int64_t> numbers) {
      auto type = RankedTensorType::get(sizes, i64);
      return tosa::ConstOp::create(builder, adjoints.loc, type,
                                   DenseIntElementsAttr::get(type, numbers));
    };
    SmallVector<int64_t> ones(shape.size(), 1);
    if (auto loop = index.getDefiningOp<linalg::IndexOp>()) {
      SmallVector<int64_t> numbers;
      for (int64_t i = 0; i < shape[loop.getDim()]; ++i)
        numbers.push_back(i * stride);
      ones[loop.getDim()] = shape[loop.getDim()];
      return make(ones, numbers);
    }
    auto cast = index.getDefiningOp<arith::IndexCastOp>();
    auto number =
        cast ? dyn_cast<BlockArgument>(cast.getIn()) : BlockArgument();
    if (!number || number.getOwner() != op.getBody() ||
        number.getArgNumber() >= op.getNumDpsInputs() ||
        !number.getType().isInteger(64))
      return {};
    Value given = op.getInputs()[number.getArgNumber()];
    return Arithmetic(adjoints, given).multiply(given, make(ones, stride));
  }

  /// The read of one element for each place, by inputs of the same places.
  static tensor::ExtractOp findElement(linalg::GenericOp op) {
    if (op.getNumParallelLoops() != op.getNumLoops() ||
        op.getNumResults() != 1 ||
        !llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); }))
      return {};
    Value yielded = op.getBody()->getTerminator()->getOperand(0);
    auto read = yielded.getDefiningOp<tensor::ExtractOp>();
    bool isOutside =
        read &&
        !op->isAncestor(read.getTensor().getParentBlock()->getParentOp());
    return isOutside ? read : tensor::ExtractOp();
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
