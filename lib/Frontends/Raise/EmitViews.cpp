//===- EmitViews.cpp - emits layouts as tensor ops ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmitViews.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace parablock::raise;

static RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// A reshape that is one op, or a null value.
Value ViewEmitter::regroup(Value from, RankedTensorType to) {
  std::optional<SmallVector<ReassociationIndices>> groups =
      getReassociationIndicesForReshape(getTensorType(from), to);
  if (!groups)
    return {};
  if (getTensorType(from).getRank() > to.getRank())
    return tensor::CollapseShapeOp::create(builder, loc, to, from, *groups);
  return tensor::ExpandShapeOp::create(builder, loc, to, from, *groups);
}

Value ViewEmitter::reshape(Value value, ArrayRef<int64_t> shape) {
  RankedTensorType type = getTensorType(value);
  if (type.getShape() == shape)
    return value;
  auto result = RankedTensorType::get(shape, type.getElementType());
  if (type.getRank() != result.getRank())
    if (Value direct = regroup(value, result))
      return direct;
  // Through one dimension.
  auto flat =
      RankedTensorType::get({type.getNumElements()}, type.getElementType());
  Value line = type.getRank() == 1 ? value : regroup(value, flat);
  return result.getRank() == 1 ? line : regroup(line, result);
}

/// A layout over the dimensions of the tensor that it reads.
struct ViewEmitter::View {
  Coordinates split;
  /// The digits of each dimension from slow to fast, and digits of no
  /// dimension.
  SmallVector<SmallVector<unsigned>> ofDim;
  SmallVector<unsigned> repeated;
  /// The part that is read of each dimension.
  SmallVector<int64_t> sizes, steps;

  View(Coordinates split, unsigned rank);
  /// If digits of a dimension leave gaps, the size by which it must be cut.
  struct Gap {
    unsigned dim;
    int64_t size;
  };
  std::optional<Gap> findGap() const;
  /// All digits that move, dimension by dimension.
  SmallVector<unsigned> getDigits() const {
    SmallVector<unsigned> all;
    for (ArrayRef<unsigned> digits : ofDim)
      all.append(digits.begin(), digits.end());
    return all;
  }
  SmallVector<int64_t> getExtents(ArrayRef<unsigned> digits) const {
    return llvm::map_to_vector(digits,
                               [&](unsigned d) { return split.extents[d]; });
  }
};

ViewEmitter::View::View(Coordinates coordinates, unsigned rank)
    : split(std::move(coordinates)), ofDim(rank), sizes(rank, 1),
      steps(rank, 1) {
  for (auto [d, strides] : llvm::enumerate(split.strides)) {
    for (unsigned dim = 0; dim < rank; ++dim)
      if (strides[dim] != 0)
        ofDim[dim].push_back(d);
    if (llvm::all_of(strides, [](int64_t stride) { return stride == 0; }))
      repeated.push_back(d);
  }
  for (auto [dim, digits] : llvm::enumerate(ofDim)) {
    auto getStride = [&, dim = dim](unsigned d) {
      return split.strides[d][dim];
    };
    llvm::sort(digits, [&](unsigned a, unsigned b) {
      return getStride(a) > getStride(b);
    });
    if (digits.empty())
      continue;
    steps[dim] = getStride(digits.back());
    int64_t reach = 0;
    for (unsigned d : digits)
      reach += (split.extents[d] - 1) * getStride(d);
    sizes[dim] = reach / steps[dim] + 1;
  }
}

std::optional<ViewEmitter::View::Gap> ViewEmitter::View::findGap() const {
  for (auto [dim, digits] : llvm::enumerate(ofDim)) {
    int64_t below = 1;
    for (unsigned d : llvm::reverse(digits)) {
      int64_t stride = split.strides[d][dim];
      if (stride != steps[dim] * below)
        return Gap{static_cast<unsigned>(dim),
                   // Overlapping windows are not rows.
                   stride < steps[dim] * below ? 0 : stride};
      below *= split.extents[d];
    }
  }
  return std::nullopt;
}

Value ViewEmitter::slice(Value source, const View &view) {
  RankedTensorType type = getTensorType(source);
  if (ArrayRef<int64_t>(view.sizes) == type.getShape() &&
      llvm::all_of(view.steps, [](int64_t step) { return step == 1; }))
    return source;
  auto toAttrs = [&](ArrayRef<int64_t> numbers) {
    return llvm::map_to_vector(numbers, [&](int64_t n) -> OpFoldResult {
      return builder.getIndexAttr(n);
    });
  };
  return tensor::ExtractSliceOp::create(
      builder, loc, RankedTensorType::get(view.sizes, type.getElementType()),
      source, toAttrs(view.split.offsets), toAttrs(view.sizes),
      toAttrs(view.steps));
}

/// The digits in the order in which they are read, without the repeated ones.
Value ViewEmitter::transpose(Value source, const View &view) {
  SmallVector<unsigned> digits = view.getDigits();
  if (llvm::is_sorted(digits))
    return source;
  source = reshape(source, view.getExtents(digits));
  SmallVector<unsigned> ordered(digits);
  llvm::sort(ordered);
  SmallVector<int64_t> permutation =
      llvm::map_to_vector(ordered, [&](unsigned d) -> int64_t {
        return llvm::find(digits, d) - digits.begin();
      });
  Value empty = tensor::EmptyOp::create(builder, loc, view.getExtents(ordered),
                                        getTensorType(source).getElementType());
  return linalg::TransposeOp::create(builder, loc, source, empty, permutation)
      ->getResult(0);
}

Value ViewEmitter::broadcast(Value source, const View &view) {
  if (view.repeated.empty())
    return source;
  SmallVector<unsigned> digits = view.getDigits();
  llvm::sort(digits);
  source = reshape(source, view.getExtents(digits));
  SmallVector<int64_t> added(view.repeated.begin(), view.repeated.end());
  Value empty = tensor::EmptyOp::create(builder, loc, view.split.extents,
                                        getTensorType(source).getElementType());
  return linalg::BroadcastOp::create(builder, loc, source, empty, added)
      ->getResult(0);
}

Value ViewEmitter::emit(Value source, const Layout &layout,
                        ArrayRef<int64_t> shape) {
  RankedTensorType type = getTensorType(source);
  if (layout == Layout::identity(type.getNumElements()))
    return reshape(source, shape);
  // A scalar has one dimension here.
  if (type.getRank() == 0)
    source = reshape(source, {1});
  std::optional<Coordinates> split =
      splitAlong(layout, getTensorType(source).getShape());
  if (!split) {
    source = reshape(source, {type.getNumElements()});
    split = splitAlong(layout, getTensorType(source).getShape());
    if (!split)
      return {};
  }
  ArrayRef<int64_t> from = getTensorType(source).getShape();
  View view(*split, from.size());
  // A digit with a larger stride than the lower ones fill is a slice of an
  // expanded dimension.
  if (std::optional<View::Gap> gap = view.findGap()) {
    if (gap->size == 0 || from[gap->dim] % gap->size != 0)
      return {};
    SmallVector<int64_t> finer(from);
    finer[gap->dim] /= gap->size;
    finer.insert(finer.begin() + gap->dim + 1, gap->size);
    return emit(reshape(source, finer), layout, shape);
  }
  source = transpose(slice(source, view), view);
  return reshape(broadcast(source, view), shape);
}
