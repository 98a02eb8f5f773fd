//===- ConvertConvolution.cpp - converts convolutions ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::hlo;

namespace {
class Convolution : public Conversion {
public:
  using Conversion::Conversion;
  Value convert();

private:
  Value padSpatial(Value data, ArrayRef<int64_t> places,
                   ArrayRef<int64_t> pads);
};
} // namespace

namespace {
/// Positions of the dimensions of data, kernel and result: batch or kernel's
/// outputs, features or kernel's inputs, then the spatial ones.
struct Places {
  int64_t outer = -1, inner = -1;
  SmallVector<int64_t> spatial;
};
} // namespace

/// `[b, 0, 1, f]`, of which a number names a spatial dimension.
static Places readPlaces(Attribute words, StringRef outer, StringRef inner) {
  Places places;
  auto list = dyn_cast_or_null<ArrayAttr>(words);
  if (!list)
    return places;
  places.spatial.assign(list.size() < 2 ? 0 : list.size() - 2, -1);
  for (auto [d, word] : llvm::enumerate(list)) {
    StringRef text = cast<StringAttr>(word).getValue();
    size_t number;
    if (text == outer)
      places.outer = d;
    else if (text == inner)
      places.inner = d;
    else if (!text.getAsInteger(10, number) && number < places.spatial.size())
      places.spatial[number] = d;
  }
  return places;
}

static bool isComplete(const Places &places, int64_t rank) {
  return places.outer >= 0 && places.inner >= 0 &&
         static_cast<int64_t>(places.spatial.size()) + 2 == rank &&
         !llvm::is_contained(places.spatial, -1);
}

static SmallVector<int64_t> orOnes(ArrayRef<int64_t> numbers, size_t count) {
  return numbers.empty() ? SmallVector<int64_t>(count, 1)
                         : SmallVector<int64_t>(numbers);
}

/// Returns the data padded with zeros, `pads` before and after each spatial
/// dimension; null if a pad is negative.
Value Convolution::padSpatial(Value data, ArrayRef<int64_t> places,
                              ArrayRef<int64_t> pads) {
  auto isZero = [](int64_t n) { return n == 0; };
  if (llvm::all_of(pads, isZero))
    return data;
  RankedTensorType from = typeOf(data);
  SmallVector<int64_t> shape(from.getShape());
  SmallVector<OpFoldResult> low(shape.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> high(low);
  bool isKnown = pads.size() == 2 * places.size();
  for (auto [s, d] : llvm::enumerate(places)) {
    isKnown = isKnown && !from.isDynamicDim(d) && pads[2 * s] >= 0 &&
              pads[2 * s + 1] >= 0;
    if (!isKnown)
      return {};
    low[d] = builder.getIndexAttr(pads[2 * s]);
    high[d] = builder.getIndexAttr(pads[2 * s + 1]);
    shape[d] += pads[2 * s] + pads[2 * s + 1];
  }
  Type element = from.getElementType();
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  return tensor::PadOp::create(builder, loc, from.clone(shape), data, low, high,
                               zero);
}

/// Without groups, and without anything between the elements of the data.
Value Convolution::convert() {
  auto dims =
      dyn_cast_or_null<ArrayAttr>(get("dim_numbers", "dimension_numbers"));
  if (op->getNumOperands() != 2 || !dims || dims.size() != 3)
    return {};
  Places data = readPlaces(dims[0], "b", "f");
  Places kernel = readPlaces(dims[1], "o", "i");
  Places result = readPlaces(dims[2], "b", "f");
  RankedTensorType type = getResultType(), from = typeOf(operand(0));
  int64_t rank = type.getRank();
  size_t spatial = rank - 2;
  SmallVector<int64_t> strides =
      orOnes(getNumbers("stride", "window_strides"), spatial);
  SmallVector<int64_t> steps =
      orOnes(getNumbers("rhs_dilate", "rhs_dilation"), spatial);
  auto isOne = [](int64_t n) { return n == 1; };
  auto isZero = [](int64_t n) { return n == 0; };
  if (rank < 3 || !isComplete(data, from.getRank()) ||
      !isComplete(kernel, typeOf(operand(1)).getRank()) ||
      !isComplete(result, rank) || from.getRank() != rank ||
      typeOf(operand(1)).getRank() != rank || strides.size() != spatial ||
      steps.size() != spatial || !typeOf(operand(1)).hasStaticShape() ||
      !llvm::all_of(getNumbers("lhs_dilate", "lhs_dilation"), isOne) ||
      !llvm::all_of(getNumbers("feature_group_count"), isOne) ||
      !llvm::all_of(getNumbers("batch_group_count"), isOne) ||
      !llvm::all_of(getNumbers("reverse", "window_reversal"), isZero))
    return {};
  Value padded =
      padSpatial(operand(0), data.spatial, getNumbers("pad", "padding"));
  if (!padded)
    return {};
  // Only the batch may be dynamic.
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  for (auto [d, size] : llvm::enumerate(sizes))
    if (type.isDynamicDim(d)) {
      if (static_cast<int64_t>(d) != result.outer)
        return {};
      size = getSizes(operand(0))[data.outer];
    }
  // Loops: the result's dimensions, the kernel's spatial ones, its inputs.
  int64_t loops = rank + spatial + 1;
  auto loop = [&](int64_t d) { return builder.getAffineDimExpr(d); };
  SmallVector<AffineExpr> reads(rank), weights(rank);
  reads[data.outer] = loop(result.outer);
  reads[data.inner] = weights[kernel.inner] = loop(loops - 1);
  weights[kernel.outer] = loop(result.inner);
  for (size_t s = 0; s < spatial; ++s) {
    weights[kernel.spatial[s]] = loop(rank + s);
    reads[data.spatial[s]] =
        loop(result.spatial[s]) * strides[s] + loop(rank + s) * steps[s];
  }
  AffineMap maps[] = {
      AffineMap::get(loops, 0, reads, builder.getContext()),
      AffineMap::get(loops, 0, weights, builder.getContext()),
      AffineMap::getMultiDimIdentityMap(loops, builder.getContext())
          .getMajorSubMap(rank)};
  return sumProducts({padded, operand(1)}, maps, sizes);
}

Value hlo::convertConvolution(Operation *op) {
  return Convolution(op).convert();
}
