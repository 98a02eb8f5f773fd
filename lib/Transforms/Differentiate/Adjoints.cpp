//===- Adjoints.cpp - sums, slices and products of adjoints ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Differentiate/Adjoints.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include <map>

using namespace mlir;
using namespace parablock::block;

//===----------------------------------------------------------------------===//
// Values that depend on the differentiated arguments
//===----------------------------------------------------------------------===//

/// Marks ops whose results do not affect later values, such as the number that
/// is subtracted from a row before a softmax.
static constexpr StringLiteral kConstantAttr = "differentiate.constant";

static bool holdsFloats(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<FloatType>(type.getElementType());
}

void Adjoints::activateResults(ArrayRef<Operation *> ops) {
  auto isActive = [this](Value value) { return active.contains(value); };
  for (Operation *op : ops) {
    if (auto layer = dyn_cast<LayerOp>(op)) {
      Block &body = layer.getBody().front();
      activateResults(llvm::map_to_vector(
          body.without_terminator(), [](Operation &inner) { return &inner; }));
      for (auto [result, yielded] : llvm::zip_equal(
               layer.getResults(), body.getTerminator()->getOperands()))
        if (isActive(yielded))
          active.insert(result);
      continue;
    }
    if (op->hasAttr(kConstantAttr))
      continue;
    WalkResult reads = op->walk([&](Operation *inner) {
      return llvm::any_of(inner->getOperands(), isActive)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (reads.wasInterrupted())
      for (Value result : op->getResults())
        if (holdsFloats(result) || isa<StreamAddOp>(op))
          active.insert(result);
  }
}

RankedTensorType Adjoints::getType(Value value) const {
  auto type = cast<RankedTensorType>(value.getType());
  // Gradients by streams in fixed point are f32, too.
  return isWeightOnly(value) || !isa<FloatType>(type.getElementType())
             ? type.clone(Float32Type::get(type.getContext()))
             : type;
}

//===----------------------------------------------------------------------===//
// Contributions
//===----------------------------------------------------------------------===//

void Adjoints::add(Value value, Value adjoint, double factor) {
  if (isActive(value))
    scopes.back()[value].push_back({adjoint, factor, Value(), {}});
}

void Adjoints::addProduct(Value value, Value gradient, Value weight) {
  if (isActive(value))
    scopes.back()[value].push_back({gradient, 1, weight, {}});
}

void Adjoints::addSlice(Value value, Value adjoint, ArrayRef<int64_t> offsets) {
  if (isActive(value))
    scopes.back()[value].push_back(
        {adjoint, 1, Value(), SmallVector<int64_t>(offsets)});
}

Value Adjoints::take(Value value) {
  auto *found = scopes.back().find(value);
  if (found == scopes.back().end())
    return {};
  Contributions contributions = std::move(found->second);
  scopes.back().erase(found);
  return build(value, contributions);
}

SmallVector<std::pair<Value, Value>> Adjoints::closeRegion() {
  SmallVector<std::pair<Value, Value>> sums;
  for (auto &[value, contributions] : scopes.back())
    sums.emplace_back(value, build(value, contributions));
  scopes.pop_back();
  return sums;
}

//===----------------------------------------------------------------------===//
// Sums of them
//===----------------------------------------------------------------------===//

Value Adjoints::build(Value value, Contributions &contributions) {
  Contributions products, slices, summands;
  for (Contribution &contribution : contributions)
    (contribution.weight            ? products
     : contribution.offsets.empty() ? summands
                                    : slices)
        .push_back(contribution);
  if (!products.empty())
    summands.push_back({buildProducts(value, products), 1, Value(), {}});
  if (!slices.empty())
    summands.push_back({buildSlices(value, slices), 1, Value(), {}});
  return buildSum(getType(value), summands);
}

template <typename Range> static auto flip(const Range &range) {
  return llvm::to_vector<2>(llvm::reverse(range));
}

Value parablock::block::transposeWeight(OpBuilder &builder, Location loc,
                                        Value weight) {
  if (auto op = weight.getDefiningOp<linalg::TransposeOp>())
    return op.getInput();
  auto slice = weight.getDefiningOp<tensor::ExtractSliceOp>();
  auto whole = slice ? slice.getSource().getDefiningOp<linalg::TransposeOp>()
                     : linalg::TransposeOp();
  if (whole && slice.getSourceType().getRank() == 2)
    return tensor::ExtractSliceOp::create(
        builder, loc, whole.getInput(), flip(slice.getMixedOffsets()),
        flip(slice.getMixedSizes()), flip(slice.getMixedStrides()));
  auto type = cast<RankedTensorType>(weight.getType());
  SmallVector<int64_t> shape = {type.getDimSize(1), type.getDimSize(0)};
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, weight, empty,
                                     ArrayRef<int64_t>{1, 0})
      ->getResult(0);
}

Value Adjoints::buildProducts(Value value, ArrayRef<Contribution> products) {
  SmallVector<Value> gradients, weights;
  for (const Contribution &product : products) {
    gradients.push_back(product.adjoint);
    weights.push_back(transposeWeight(builder, loc, product.weight));
  }
  RankedTensorType type = getType(value);
  if (products.size() == 1)
    return LinearOp::create(builder, loc, type, gradients.front(),
                            weights.front(), Value());
  return LinearSumOp::create(builder, loc, type, gradients, weights, Value());
}

/// Returns the dimension along which slices, ordered by offset, fill `whole`
/// without gaps; none if there is no such dimension.
static std::optional<int64_t>
findConcatenation(ArrayRef<int64_t> whole, ArrayRef<Value> slices,
                  ArrayRef<SmallVector<int64_t>> offsets) {
  for (int64_t dim = 0, rank = whole.size(); dim < rank; ++dim) {
    int64_t end = 0;
    bool fits = true;
    for (auto [slice, offset] : llvm::zip_equal(slices, offsets)) {
      ArrayRef<int64_t> shape =
          cast<RankedTensorType>(slice.getType()).getShape();
      for (int64_t d = 0; d < rank; ++d)
        fits &= d == dim ? offset[d] == end : shape[d] == whole[d];
      end += shape[dim];
    }
    if (fits && end == whole[dim])
      return dim;
  }
  return std::nullopt;
}

/// Joins parts that are adjacent along `dim`: into one product over rows if
/// they are products that share their inputs or their gradients.
static Value join(OpBuilder &builder, Location loc, RankedTensorType type,
                  int64_t dim, ArrayRef<Value> parts) {
  if (parts.size() == 1)
    return parts.front();
  SmallVector<Value> merged;
  auto first = parts.front().getDefiningOp<WeightGradOp>();
  for (Value part : parts) {
    auto product = part.getDefiningOp<WeightGradOp>();
    bool fits =
        product && (dim == 0 ? product.getInputs() == first.getInputs()
                             : product.getGradients() == first.getGradients());
    if (!fits)
      return tensor::ConcatOp::create(builder, loc, type, dim, parts);
    llvm::append_range(merged,
                       dim == 0 ? product.getGradients() : product.getInputs());
  }
  return WeightGradOp::create(
      builder, loc, type,
      dim == 0 ? ValueRange(merged) : ValueRange(first.getGradients()),
      dim == 0 ? ValueRange(first.getInputs()) : ValueRange(merged));
}

Value Adjoints::buildSlices(Value value, ArrayRef<Contribution> slices) {
  RankedTensorType type = getType(value);
  // Contributions to one place are merged; places are ordered.
  using Place = std::pair<SmallVector<int64_t>, SmallVector<int64_t>>;
  std::map<Place, Contributions> byPlace;
  for (const Contribution &slice : slices) {
    auto shape = cast<RankedTensorType>(slice.adjoint.getType()).getShape();
    Contributions &same = byPlace[{slice.offsets, llvm::to_vector(shape)}];
    same.push_back({slice.adjoint, slice.factor, Value(), {}});
  }
  SmallVector<Value> parts;
  SmallVector<SmallVector<int64_t>> offsets;
  for (auto &[place, same] : byPlace) {
    offsets.push_back(place.first);
    parts.push_back(buildSum(type.clone(place.second), same));
  }
  if (std::optional<int64_t> dim =
          findConcatenation(type.getShape(), parts, offsets))
    return join(builder, loc, type, *dim, parts);

  // Overlapping parts are added, each padded with zeros.
  Contributions summands;
  Value zeros =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  for (auto [part, offset] : llvm::zip_equal(parts, offsets)) {
    SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
    summands.push_back(
        {tensor::InsertSliceOp::create(
             builder, loc, part, zeros,
             getAsIndexOpFoldResult(builder.getContext(), offset),
             getAsIndexOpFoldResult(
                 builder.getContext(),
                 cast<RankedTensorType>(part.getType()).getShape()),
             strides),
         1,
         Value(),
         {}});
  }
  return buildSum(type, summands);
}

static Value scale(OpBuilder &builder, Location loc, Value value,
                   double factor) {
  if (factor == 1)
    return value;
  return ScaleOp::create(builder, loc, value.getType(), value, Value(),
                         builder.getF64FloatAttr(factor));
}

Value Adjoints::buildSum(RankedTensorType type,
                         ArrayRef<Contribution> summands) {
  auto castOne = [&](Value adjoint) {
    return castElements(builder, loc, adjoint, type.getElementType());
  };
  if (summands.size() == 1)
    return scale(builder, loc, castOne(summands.front().adjoint),
                 summands.front().factor);
  if (type.getRank() != 3 || type.isDynamicDim(2)) {
    Value sum;
    for (const Contribution &summand : summands) {
      Value next =
          scale(builder, loc, castOne(summand.adjoint), summand.factor);
      sum = sum ? arith::AddFOp::create(builder, loc, sum, next) : next;
    }
    return sum;
  }
  SmallVector<Value> branches;
  SmallVector<double> factors;
  for (const Contribution &summand : summands.drop_front()) {
    branches.push_back(summand.adjoint);
    factors.push_back(summand.factor);
  }
  auto sum = ResidualOp::create(
      builder, loc, type, castOne(summands.front().adjoint), branches,
      builder.getF64FloatAttr(summands.front().factor));
  sum.setBranchFactors(factors);
  return sum;
}
