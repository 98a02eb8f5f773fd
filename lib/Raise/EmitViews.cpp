//===- EmitViews.cpp - layouts as slices, transpositions and reshapes -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace parablock::raise;

/// Over the common refinement of both shapes, so that each step is one op.
Value Emitter::reshape(Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  auto result = RankedTensorType::get(shape, type.getElementType());
  Location loc = *graph.location;
  auto collapse = [&](Value from, RankedTensorType to) -> Value {
    std::optional<SmallVector<ReassociationIndices>> groups =
        getReassociationIndicesForReshape(
            cast<RankedTensorType>(from.getType()), to);
    if (!groups)
      return {};
    if (cast<RankedTensorType>(from.getType()).getRank() > to.getRank())
      return tensor::CollapseShapeOp::create(builder, loc, to, from, *groups);
    return tensor::ExpandShapeOp::create(builder, loc, to, from, *groups);
  };
  if (type.getRank() != result.getRank())
    if (Value direct = collapse(value, result))
      return direct;
  // Through one dimension.
  auto flat =
      RankedTensorType::get({type.getNumElements()}, type.getElementType());
  Value line = type.getRank() == 1 ? value : collapse(value, flat);
  return result.getRank() == 1 ? line : collapse(line, result);
}

Value Emitter::emitView(Value source, const Layout &layout,
                        ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(source.getType());
  Location loc = *graph.location;
  if (layout == Layout::identity(type.getNumElements()))
    return reshape(source, shape);
  // A scalar has one dimension here.
  if (type.getRank() == 0)
    source = reshape(source, {1});
  ArrayRef<int64_t> from = cast<RankedTensorType>(source.getType()).getShape();
  unsigned rank = from.size();
  std::optional<Coordinates> split = splitAlong(layout, from);
  if (!split) {
    source = reshape(source, {type.getNumElements()});
    from = cast<RankedTensorType>(source.getType()).getShape();
    rank = 1;
    split = splitAlong(layout, from);
    if (!split)
      return {};
  }
  // Digits of each dimension from slow to fast; each must be one run.
  SmallVector<SmallVector<unsigned>> ofDim(rank);
  SmallVector<unsigned> repeated;
  for (auto [d, strides] : llvm::enumerate(split->strides)) {
    bool moves = false;
    for (unsigned dim = 0; dim < rank; ++dim)
      if (strides[dim] != 0) {
        ofDim[dim].push_back(d);
        moves = true;
      }
    if (!moves)
      repeated.push_back(d);
  }
  SmallVector<int64_t> sizes(rank, 1), steps(rank, 1), expanded;
  SmallVector<unsigned> digitAt; // of each expanded dimension
  for (unsigned dim = 0; dim < rank; ++dim) {
    SmallVector<unsigned> &digits = ofDim[dim];
    llvm::sort(digits, [&](unsigned a, unsigned b) {
      return split->strides[a][dim] > split->strides[b][dim];
    });
    if (digits.empty())
      continue;
    steps[dim] = split->strides[digits.back()][dim];
    int64_t reach = 0;
    for (unsigned d : digits)
      reach += (split->extents[d] - 1) * split->strides[d][dim];
    sizes[dim] = reach / steps[dim] + 1;
    // Between digits there may be gaps: a digit with a larger stride than the
    // ones below fill is a slice of an expanded dimension.
    int64_t below = 1;
    for (unsigned d : llvm::reverse(digits)) {
      if (split->strides[d][dim] != steps[dim] * below) {
        int64_t gap = split->strides[d][dim];
        // Windows that overlap are no rows of any length.
        if (gap < steps[dim] * below || from[dim] % gap != 0)
          return {};
        SmallVector<int64_t> finer(from.begin(), from.begin() + dim);
        finer.push_back(from[dim] / gap);
        finer.push_back(gap);
        finer.append(from.begin() + dim + 1, from.end());
        return emitView(reshape(source, finer), layout, shape);
      }
      below *= split->extents[d];
    }
  }
  for (unsigned dim = 0; dim < rank; ++dim)
    for (unsigned d : ofDim[dim]) {
      expanded.push_back(split->extents[d]);
      digitAt.push_back(d);
    }
  auto sliceType = RankedTensorType::get(sizes, type.getElementType());
  if (ArrayRef<int64_t>(sizes) != from ||
      llvm::any_of(steps, [](int64_t s) { return s != 1; })) {
    auto toAttrs = [&](ArrayRef<int64_t> numbers) {
      return llvm::map_to_vector(numbers, [&](int64_t n) -> OpFoldResult {
        return builder.getIndexAttr(n);
      });
    };
    source = tensor::ExtractSliceOp::create(builder, loc, sliceType, source,
                                            toAttrs(split->offsets),
                                            toAttrs(sizes), toAttrs(steps));
  }
  // The order in which digits are read, without the repeated ones.
  SmallVector<int64_t> permutation;
  SmallVector<int64_t> ordered;
  for (unsigned d = 0; d < split->extents.size(); ++d) {
    auto found = llvm::find(digitAt, d);
    if (found == digitAt.end())
      continue;
    permutation.push_back(found - digitAt.begin());
    ordered.push_back(split->extents[d]);
  }
  if (!llvm::is_sorted(permutation)) {
    source = reshape(source, expanded);
    Value empty =
        tensor::EmptyOp::create(builder, loc, ordered, type.getElementType());
    source =
        linalg::TransposeOp::create(builder, loc, source, empty, permutation)
            ->getResult(0);
  }
  if (!repeated.empty()) {
    source = reshape(source, ordered);
    SmallVector<int64_t> added(repeated.begin(), repeated.end());
    Value empty = tensor::EmptyOp::create(builder, loc, split->extents,
                                          type.getElementType());
    source = linalg::BroadcastOp::create(builder, loc, source, empty, added)
                 ->getResult(0);
  }
  return reshape(source, shape);
}
