//===- ParameterParts.cpp - traces parameters to their readers ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A checkpoint's matrix reaches the projections through slices, transposes,
// reshapes and concatenations, and through the weight-only steps of rewrites.
// The walk follows those and returns the destinations of the elements.
//
//===----------------------------------------------------------------------===//

#include "ParameterParts.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
/// A weight-only value with `elements` elements, in the rows `first` to `first
/// + count - 1`, from the traced parameter.
struct Tracked {
  Value value;
  uint64_t elements;
  int64_t first, count;
};
} // namespace

static uint64_t countElements(Value value) {
  uint64_t elements = 1;
  for (int64_t size : cast<RankedTensorType>(value.getType()).getShape())
    elements = llvm::SaturatingMultiply(elements, static_cast<uint64_t>(size));
  return elements;
}

static Tracked trackWhole(Value value, uint64_t elements) {
  auto type = cast<RankedTensorType>(value.getType());
  return {value, elements, 0, type.getRank() ? type.getDimSize(0) : 1};
}

/// Returns whether `use` only derives another value from the weight, so that
/// the weight's elements do not become part of its result.
static bool isDerivation(OpOperand &use) {
  auto step = dyn_cast<StepOpInterface>(use.getOwner());
  return isa<tensor::DimOp>(use.getOwner()) ||
         (step && step.getOperandRole(use) == OperandRole::SummedWeight);
}

/// Returns whether `value` depends on no data of a run. A mix of weight and
/// data is data: its readers do not read a weight.
static bool isFromWeights(Value value) {
  WalkResult sources = walkSources(value, [](Value source) -> WalkResult {
    auto argument = dyn_cast<BlockArgument>(source);
    if (!argument)
      return WalkResult::advance();
    if (Value given = leaveKernel(source); given != source)
      return success(isFromWeights(given));
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return success(function &&
                   function.getArgAttr(argument.getArgNumber(), kParamAttr));
  });
  return !sources.wasInterrupted();
}

namespace {
/// A walk over weight-only values, which remembers the parts of each.
class PartsFinder {
public:
  /// Returns the readers of the elements of `tracked`.
  ParameterReads find(const Tracked &tracked);

private:
  ParameterReads compute(const Tracked &tracked);
  /// Returns the part of a norm's gain or bias that was folded into a weight,
  /// or none.
  ParameterReads readOfFold(OpOperand &use, uint64_t elements);
  /// Returns the parts reached by `use` of a weight in another weight-only op.
  ParameterReads follow(OpOperand &use, const Tracked &tracked);

  using Key = std::tuple<Value, uint64_t, int64_t, int64_t>;
  DenseMap<Key, ParameterReads> known;
};
} // namespace

ParameterReads PartsFinder::readOfFold(OpOperand &use, uint64_t elements) {
  Operation *op = use.getOwner();
  auto step = dyn_cast<StepOpInterface>(op);
  if (!step || step.getOperandRole(use) != OperandRole::NormGain)
    return {};
  // The norm stood where the folded weight is read.
  ParameterReads parts =
      find(trackWhole(op->getResult(0), countElements(op->getResult(0))));
  LayerOp layer = parts.empty() ? LayerOp() : parts.front().layer;
  return {{elements, ModelPart::Norm, ParameterRole::Gain, layer}};
}

ParameterReads PartsFinder::follow(OpOperand &use, const Tracked &tracked) {
  Operation *op = use.getOwner();
  if (isDerivation(use) || op->getNumResults() != 1 || isa<LayerOp>(op) ||
      !isFromWeights(op->getResult(0)))
    return {};
  if (ParameterReads parts = readOfFold(use, tracked.elements); !parts.empty())
    return parts;
  Value result = op->getResult(0);
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || !type.hasStaticShape())
    return {};
  if (auto concat = dyn_cast<tensor::ConcatOp>(op);
      concat && !concat.getDim()) {
    Tracked moved = {result, tracked.elements, tracked.first, tracked.count};
    for (Value earlier : concat.getInputs().take_front(use.getOperandNumber()))
      moved.first += getDim(earlier, 0);
    return find(moved);
  }
  auto from = cast<RankedTensorType>(use.get().getType());
  if (from.getRank() && type.getRank() &&
      from.getDimSize(0) == type.getDimSize(0))
    return find({result, tracked.elements, tracked.first, tracked.count});
  return find(trackWhole(result, tracked.elements));
}

static uint64_t countElements(const ParameterReads &parts) {
  uint64_t elements = 0;
  for (const ParameterRead &part : parts)
    elements = llvm::SaturatingAdd(elements, part.elements);
  return elements;
}

namespace {
/// Collects the readers of the slices of a weight.
class SliceCollector {
public:
  explicit SliceCollector(PartsFinder &finder) : finder(finder) {}

  /// Adds a slice; equal slices are merged.
  void add(tensor::ExtractSliceOp slice) {
    std::pair place(slice.getStaticOffsets(), slice.getStaticSizes());
    auto type = cast<RankedTensorType>(slice.getType());
    if (llvm::is_contained(seen, place) || !type.hasStaticShape())
      return;
    seen.push_back(place);
    add(finder.find(trackWhole(slice.getResult(), countElements(slice))));
  }

  void add(const ParameterReads &some) { parts.append(some); }

  /// Returns the parts of a weight of that size. Uses are listed in reverse, so
  /// the first readers come last.
  ParameterReads take(uint64_t elements) {
    ParameterReads taken;
    for (ParameterRead part : llvm::reverse(parts)) {
      part.elements = std::min(part.elements, elements);
      elements -= part.elements;
      if (part.elements)
        taken.push_back(part);
    }
    return taken;
  }

private:
  PartsFinder &finder;
  SmallVector<std::pair<ArrayRef<int64_t>, ArrayRef<int64_t>>> seen;
  ParameterReads parts;
};
} // namespace

/// Returns whether one reader of a weight takes precedence: an embedding over a
/// head tied to it, and the earliest layer.
static bool isBetter(const ParameterReads &parts, const ParameterReads &than) {
  auto rank = [](const ParameterReads &parts) {
    ParameterRead first = parts.front();
    return std::pair(static_cast<int>(first.part),
                     first.layer ? static_cast<int64_t>(first.layer.getIndex())
                                 : -1);
  };
  return than.empty() || rank(parts) < rank(than);
}

ParameterReads PartsFinder::find(const Tracked &tracked) {
  Key key(tracked.value, tracked.elements, tracked.first, tracked.count);
  if (auto found = known.find(key); found != known.end())
    return found->second;
  ParameterReads parts = compute(tracked);
  return known[key] = std::move(parts);
}

ParameterReads PartsFinder::compute(const Tracked &tracked) {
  ParameterReads whole;
  SliceCollector slices(*this);
  forEachUse(tracked.value, [&](OpOperand &use) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(use.getOwner()))
      return slices.add(slice);
    ParameterReads parts =
        readParts(use, tracked.elements, tracked.first, tracked.count);
    if (parts.empty())
      parts = follow(use, tracked);
    if (countElements(parts) < tracked.elements)
      slices.add(parts);
    else if (!parts.empty() && isBetter(parts, whole))
      whole = std::move(parts);
  });
  return whole.empty() ? slices.take(tracked.elements) : whole;
}

ParameterReads parablock::findParts(Value parameter) {
  uint64_t elements = countElements(parameter);
  ParameterReads parts = PartsFinder().find(trackWhole(parameter, elements));
  uint64_t found = countElements(parts);
  if (found < elements)
    parts.push_back(
        {elements - found, ModelPart::Other, ParameterRole::Matrix, LayerOp()});
  return parts;
}
