//===- ConvertGather.cpp - converts gathers -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::hlo;

namespace {
class Gather : public Conversion {
public:
  using Conversion::Conversion;
  Value convert();
};
} // namespace

namespace {
/// `#stablehlo.gather<..>`: which dimensions of operands and result are one.
struct GatherDimensions {
  SmallVector<int64_t> offsets, collapsed, tableBatch, startBatch, starts;
  int64_t vector = 0;
  SmallVector<int64_t> sizes;

  /// Dimensions of the result that choose slices, in order.
  SmallVector<int64_t> getChoosing(int64_t rank) const {
    return llvm::to_vector(
        llvm::make_filter_range(llvm::seq<int64_t>(0, rank), [&](int64_t d) {
          return !llvm::is_contained(offsets, d);
        }));
  }
};
} // namespace

static GatherDimensions readDimensions(DictionaryAttr numbers,
                                       ArrayRef<int64_t> sizes) {
  auto read = [&](StringRef key) {
    return Gather::readNumbers(numbers.get(key));
  };
  GatherDimensions dims{
      read("offset_dims"),           read("collapsed_slice_dims"),
      read("operand_batching_dims"), read("start_indices_batching_dims"),
      read("start_index_map"),       0,
      SmallVector<int64_t>(sizes)};
  SmallVector<int64_t> vector = read("index_vector_dim");
  dims.vector = vector.empty() ? 0 : vector.front();
  return dims;
}

/// Ranks agree.
static bool isValid(const GatherDimensions &dims, RankedTensorType table,
                    RankedTensorType starts, RankedTensorType result) {
  int64_t kept =
      table.getRank() - dims.collapsed.size() - dims.tableBatch.size();
  auto isBelow = [](ArrayRef<int64_t> numbers, int64_t rank) {
    return llvm::all_of(numbers, [&](int64_t d) { return d >= 0 && d < rank; });
  };
  bool isExplicit = dims.vector < starts.getRank();
  int64_t choosing = result.getRank() - dims.offsets.size();
  int64_t components = isExplicit ? starts.getDimSize(dims.vector) : 1;
  if (static_cast<int64_t>(dims.sizes.size()) != table.getRank() ||
      static_cast<int64_t>(dims.offsets.size()) != kept || dims.vector < 0 ||
      dims.vector > starts.getRank() ||
      choosing != starts.getRank() - isExplicit ||
      components != static_cast<int64_t>(dims.starts.size()) ||
      dims.tableBatch.size() != dims.startBatch.size() ||
      !isBelow(dims.offsets, result.getRank()) ||
      !isBelow(dims.collapsed, table.getRank()) ||
      !isBelow(dims.tableBatch, table.getRank()) ||
      !isBelow(dims.startBatch, starts.getRank()) ||
      !isBelow(dims.starts, table.getRank()))
    return false;
  return true;
}

/// Each slice is one element wide or the whole dimension.
static bool hasPlainSlices(const GatherDimensions &dims,
                           RankedTensorType table) {
  for (auto [size, whole] : llvm::zip_equal(dims.sizes, table.getShape()))
    if (size != 1 && size != whole)
      return false;
  return true;
}

/// Clamps a number to an index of a dimension of `size`.
static Value bound(OpBuilder &builder, Location loc, Value number,
                   OpFoldResult size) {
  Value place =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), number);
  Value first = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value last = builder.createOrFold<arith::SubIOp>(
      loc, getValueOrCreateConstantIndexOp(builder, loc, size), one);
  place = arith::MaxSIOp::create(builder, loc, place, first);
  return arith::MinSIOp::create(builder, loc, place, last);
}

/// Clamps a slice that would begin outside the table; that of a whole dimension
/// has only one place.
Value Gather::convert() {
  auto numbers = dyn_cast_or_null<DictionaryAttr>(get("dimension_numbers"));
  if (!numbers)
    return {};
  GatherDimensions dims = readDimensions(numbers, getNumbers("slice_sizes"));
  RankedTensorType table = typeOf(operand(0)), starts = typeOf(operand(1));
  RankedTensorType type = getResultType();
  if (!isValid(dims, table, starts, type))
    return refuse(
        "dimension numbers and slice sizes that agree with the ranks");
  if (!hasPlainSlices(dims, table))
    return {};
  int64_t rank = type.getRank();
  SmallVector<int64_t> choosing = dims.getChoosing(rank);
  // For each dimension of the starts except that of components: the dimension
  // of the result.
  auto getLoop = [&](int64_t d) { return choosing[d - (d > dims.vector)]; };
  SmallVector<AffineMap> maps;
  SmallVector<OpFoldResult> sizes(rank), from = getSizes(operand(1));
  SmallVector<OpFoldResult> extents = getSizes(operand(0));
  for (int64_t d = 0; d < starts.getRank(); ++d)
    if (d != dims.vector)
      sizes[getLoop(d)] = from[d];
  for (size_t k = 0; k < dims.starts.size(); ++k) {
    SmallVector<AffineExpr> reads;
    for (int64_t d = 0; d < starts.getRank(); ++d)
      reads.push_back(d == dims.vector ? builder.getAffineConstantExpr(k)
                                       : builder.getAffineDimExpr(getLoop(d)));
    maps.push_back(AffineMap::get(rank, 0, reads, builder.getContext()));
  }
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  SmallVector<int64_t> offsets;
  for (int64_t d = 0, next = 0; d < table.getRank(); ++d) {
    bool isDropped = llvm::is_contained(dims.collapsed, d) ||
                     llvm::is_contained(dims.tableBatch, d);
    offsets.push_back(isDropped ? -1 : dims.offsets[next++]);
    if (!isDropped)
      sizes[offsets.back()] = builder.getIndexAttr(dims.sizes[d]);
  }
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto place = [&](OpBuilder &body, Location at, ValueRange values, int64_t d) {
    Value start, offset;
    for (auto [k, mapped] : llvm::enumerate(dims.starts))
      if (mapped == d && dims.sizes[d] == 1)
        start = bound(body, at, values[k], extents[d]);
    for (auto [ofTable, ofStarts] : llvm::zip(dims.tableBatch, dims.startBatch))
      if (ofTable == d)
        start = linalg::IndexOp::create(body, at, getLoop(ofStarts));
    if (offsets[d] >= 0 && (!start || dims.sizes[d] != 1))
      offset = linalg::IndexOp::create(body, at, offsets[d]);
    if (!start && !offset)
      return Value(arith::ConstantIndexOp::create(body, at, 0));
    return start ? start : offset;
  };
  return linalg::GenericOp::create(
             builder, loc, TypeRange(type),
             SmallVector<Value>(dims.starts.size(), operand(1)),
             makeEmpty(type, sizes), maps, loops,
             [&](OpBuilder &body, Location at, ValueRange values) {
               SmallVector<Value> places;
               for (int64_t d = 0; d < table.getRank(); ++d)
                 places.push_back(place(body, at, values, d));
               Value element =
                   tensor::ExtractOp::create(body, at, operand(0), places);
               linalg::YieldOp::create(body, at, element);
             })
      .getResult(0);
}

Value hlo::convertGather(Operation *op) { return Gather(op).convert(); }
