//===- PrepackRestore.cpp - inverts moves of packed tensors ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PrepackRecipe.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Transforms/Recipe/Recipe.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;

namespace {
/// Walks packed tensors from their roots down: if the value of an op is known,
/// the values of its operands may be, too.
class Restorer {
public:
  explicit Restorer(func::FuncOp prepack);

  void run();

private:
  struct Piece {
    tensor::ExtractSliceOp slice;
    Value known;
  };

  /// Records that `node` equals `known`, a value of @restore; null if
  /// unknown.
  void learn(Value node, Value known);
  void learnConcat(ValueRange inputs, unsigned dim, Value known);
  void learnSlice(tensor::ExtractSliceOp op, Value known);
  void learnTranspose(Value input, ArrayRef<int64_t> permutation, Value known);
  /// Records the obstacle for all arguments below `node`.
  void block(Value node);
  Value reshape(Value value, Type type);
  Value cut(Value value, unsigned dim, int64_t offset, int64_t size);

  func::FuncOp prepack, restore;
  OpBuilder builder;
  Location loc;
  DenseMap<Value, Value> restored;
  DenseMap<Value, std::string> blocked;
  /// The parts of a value that are known.
  DenseMap<Value, std::vector<Piece>> pieces;
  llvm::DenseSet<Value> learned;
};
} // namespace

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

Restorer::Restorer(func::FuncOp prepack)
    : prepack(prepack), builder(prepack.getContext()), loc(prepack.getLoc()) {
  builder.setInsertionPointAfter(prepack);
  restore = func::FuncOp::create(
      builder, loc, recipe::kRestoreName,
      builder.getFunctionType(prepack.getResultTypes(), {}));
  for (unsigned i = 0; i < prepack.getNumResults(); ++i)
    restore.setArgAttr(i, recipe::kTensorAttr,
                       prepack.getResultAttr(i, recipe::kTensorAttr));
  builder.setInsertionPointToStart(restore.addEntryBlock());
}

Value Restorer::reshape(Value value, Type type) {
  RankedTensorType from = typeOf(value), to = cast<RankedTensorType>(type);
  if (from == to)
    return value;
  if (from.getRank() == 0 || to.getRank() == 0)
    return {};
  auto all = [](int64_t rank) {
    return SmallVector<ReassociationIndices>{
        llvm::to_vector<2>(llvm::seq<int64_t>(0, rank))};
  };
  auto flat =
      RankedTensorType::get(from.getNumElements(), from.getElementType());
  if (from.getRank() != 1)
    value = tensor::CollapseShapeOp::create(builder, loc, flat, value,
                                            all(from.getRank()));
  if (to.getRank() != 1)
    value = tensor::ExpandShapeOp::create(builder, loc, to, value,
                                          all(to.getRank()));
  return value;
}

Value Restorer::cut(Value value, unsigned dim, int64_t offset, int64_t size) {
  ArrayRef<int64_t> shape = typeOf(value).getShape();
  SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(shape.size(), builder.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes;
  for (int64_t whole : shape)
    sizes.push_back(builder.getIndexAttr(whole));
  offsets[dim] = builder.getIndexAttr(offset);
  sizes[dim] = builder.getIndexAttr(size);
  return tensor::ExtractSliceOp::create(builder, loc, value, offsets, sizes,
                                        strides);
}

void Restorer::block(Value node) {
  StringRef name = node.getDefiningOp()->getName().getStringRef();
  name.consume_front("block.");
  if (isa<tensor::ExtractSliceOp>(node.getDefiningOp()))
    name = "slice";
  llvm::DenseSet<Value> seen;
  SmallVector<Value> open = {node};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (Operation *op = value.getDefiningOp())
      llvm::append_range(open, findReads(op));
    else
      blocked.try_emplace(value, name.str());
  }
}

void Restorer::learnConcat(ValueRange inputs, unsigned dim, Value known) {
  int64_t offset = 0;
  for (Value input : inputs) {
    int64_t size = typeOf(input).getDimSize(dim);
    learn(input, cut(known, dim, offset, size));
    offset += size;
  }
}

/// The slice takes all of every dimension but `dim`, and of that a range.
static bool isRangeOf(tensor::ExtractSliceOp op, size_t dim) {
  ArrayRef<int64_t> whole = op.getSourceType().getShape();
  for (size_t i = 0; i < whole.size(); ++i)
    if (op.getStaticStride(i) != 1 ||
        (i != dim && op.getStaticSize(i) != whole[i]))
      return false;
  return true;
}

/// With pieces that cover one dimension without a gap, the whole is known.
void Restorer::learnSlice(tensor::ExtractSliceOp op, Value known) {
  Value whole = op.getSource();
  RankedTensorType type = op.getSourceType();
  known = reshape(
      known, RankedTensorType::get(op.getStaticSizes(), type.getElementType()));
  if (!known)
    return block(op);
  std::vector<Piece> &parts = pieces[whole];
  parts.push_back({op, known});
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    std::vector<Piece> ranges;
    llvm::copy_if(parts, std::back_inserter(ranges), [dim](const Piece &piece) {
      return isRangeOf(piece.slice, dim);
    });
    auto getOffset = [dim](const Piece &piece) {
      return tensor::ExtractSliceOp(piece.slice).getStaticOffset(dim);
    };
    llvm::stable_sort(ranges, [&](const Piece &a, const Piece &b) {
      return getOffset(a) < getOffset(b);
    });
    int64_t covered = 0;
    SmallVector<Value> values;
    for (const Piece &piece : ranges)
      if (getOffset(piece) == covered) {
        values.push_back(piece.known);
        covered += typeOf(piece.known).getDimSize(dim);
      }
    if (covered == type.getDimSize(dim) && !values.empty())
      return learn(whole, values.size() == 1 ? values.front()
                                             : tensor::ConcatOp::create(
                                                   builder, loc, dim, values)
                                                   .getResult());
  }
  block(op);
}

void Restorer::learnTranspose(Value input, ArrayRef<int64_t> permutation,
                              Value known) {
  SmallVector<int64_t> back(permutation.size());
  for (auto [to, from] : llvm::enumerate(permutation))
    back[from] = to;
  RankedTensorType type = typeOf(input);
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  learn(input, linalg::TransposeOp::create(builder, loc, known, empty, back)
                   ->getResult(0));
}

void Restorer::learn(Value node, Value known) {
  if (!node.getDefiningOp()) {
    restored.try_emplace(node, known);
    return;
  }
  if (!known)
    return block(node);
  if (!learned.insert(node).second)
    return;
  llvm::TypeSwitch<Operation *>(node.getDefiningOp())
      .Case([&](tensor::ConcatOp op) {
        learnConcat(op.getInputs(), op.getDim(), known);
      })
      .Case([&](tosa::ConcatOp op) {
        learnConcat(op.getInput1(), op.getAxis(), known);
      })
      .Case([&](tensor::ExtractSliceOp op) { learnSlice(op, known); })
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp>([&](auto op) {
        Value back = reshape(known, op.getSrc().getType());
        back ? learn(op.getSrc(), back) : block(node);
      })
      .Case([&](tosa::ReshapeOp op) {
        Value back = reshape(known, op.getInput1().getType());
        back ? learn(op.getInput1(), back) : block(node);
      })
      .Case([&](linalg::TransposeOp op) {
        learnTranspose(op.getInput(), op.getPermutation(), known);
      })
      .Case([&](tosa::TransposeOp op) {
        learnTranspose(
            op.getInput1(),
            SmallVector<int64_t>(op.getPerms().begin(), op.getPerms().end()),
            known);
      })
      // Every number of the narrow type is one of the wide.
      .Case([&](arith::ExtFOp op) {
        learn(op.getIn(), arith::TruncFOp::create(builder, loc,
                                                  op.getIn().getType(), known));
      })
      .Default([&](Operation *) { block(node); });
}

void Restorer::run() {
  Operation *end = prepack.front().getTerminator();
  for (OpOperand &result : end->getOpOperands())
    learn(result.get(), restore.getArgument(result.getOperandNumber()));
  SmallVector<Value> values;
  SmallVector<DictionaryAttr> names;
  for (BlockArgument argument : prepack.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (Value value = restored.lookup(argument)) {
      values.push_back(value);
      names.push_back(prepack.getArgAttrDict(number));
      continue;
    }
    auto found = blocked.find(argument);
    prepack.setArgAttr(number, recipe::kLostAttr,
                       builder.getStringAttr(
                           found == blocked.end() ? "unread" : found->second));
  }
  func::ReturnOp::create(builder, loc, values);
  restore.setType(builder.getFunctionType(restore.getArgumentTypes(),
                                          ValueRange(values).getTypes()));
  restore.setAllResultAttrs(names);
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(restore.front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

void block::addRestore(func::FuncOp prepack) { Restorer(prepack).run(); }
