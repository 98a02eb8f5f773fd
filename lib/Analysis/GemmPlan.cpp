//===- GemmPlan.cpp - divides products into segments and groups -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/GemmPlan.h"

#include "mlir/IR/TypeUtilities.h"
#include "parablock/Analysis/CostModel.h"
#include "parablock/Dialect/Block/LaneCodes.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"
#include <numeric>

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

bool GemmPlan::hasCodes() const {
  return llvm::any_of(sources, [](const GemmSource &source) {
    return source.unpack && !source.encoded;
  });
}

bool GemmPlan::hasGroups() const {
  return llvm::any_of(sources, [](const GemmSource &source) {
    return source.unpack && UnpackWeightOp(source.unpack).getGroup() != 0;
  });
}

unsigned GemmPlan::getNumPieces() const {
  size_t pieces = 1;
  for (const GemmGroup &group : groups)
    pieces = std::max(pieces, group.segments.size());
  return pieces;
}

/// Adds the only source of a product of rows in codes.
static LogicalResult addEncoded(GemmPlan &plan, DecodeGroupsOp decode,
                                Value weight) {
  auto unpack = weight.getDefiningOp<UnpackWeightOp>();
  auto input = dyn_cast<BlockArgument>(decode.getCodes());
  auto codes = unpack ? dyn_cast<BlockArgument>(unpack.getCodes()) : nullptr;
  bool isPlain = input && codes && isa<BlockArgument>(decode.getScales()) &&
                 isa<BlockArgument>(unpack.getScales()) &&
                 unpack.getForm() == CodeForm::Fp8 && !areLaneCodes(unpack) &&
                 plan.sources.empty() && isa<LinearOp>(plan.root);
  if (!isPlain || decode.getGroup() != kEncodedColumns ||
      unpack.getGroup() % kEncodedColumns != 0)
    return plan.root->emitError()
           << "no code for this product of rows in codes: expected one source, "
              "scales of "
           << kEncodedColumns
           << " columns of its rows, and a weight of FP8 codes in the order of "
              "columns, with scales of rows or of multiples of them";
  plan.elementType = getElementTypeOrSelf(decode.getType());
  plan.sources.push_back(
      {input, codes, getDim(decode.getCodes(), -1), unpack, decode});
  return success();
}

static LogicalResult addSource(GemmPlan &plan, Value input, Value weight,
                               CodeOrder order) {
  if (auto decode = input.getDefiningOp<DecodeGroupsOp>();
      decode && order == CodeOrder::Lanes)
    return addEncoded(plan, decode, weight);
  // Only kernels with codes in that order compute rows, too.
  if (order == CodeOrder::Lanes && canComputeRows(plan.root))
    plan.computed = findComputedRows(input);
  auto inputArgument = dyn_cast<BlockArgument>(
      plan.computed ? plan.computed->getSource() : input);
  auto weightArgument = dyn_cast<BlockArgument>(weight);
  auto unpack = weight.getDefiningOp<UnpackWeightOp>();
  bool isOfLanes = unpack && areLaneCodes(unpack);
  if (unpack && isOfLanes != (order == CodeOrder::Lanes))
    return unpack.emitError()
           << "no code for a product with codes of few bits in the order of "
           << (isOfLanes ? "lanes" : "columns");
  if (isOfLanes)
    weightArgument = dyn_cast<BlockArgument>(unpack.getCodes());
  if (!inputArgument || (!weightArgument && !unpack))
    return plan.root->emitError()
           << "no code for a product of what its own kernel computes";
  auto isLike = [&](const GemmSource &other) {
    auto known = other.unpack;
    return !unpack == !known &&
           (!isOfLanes || (unpack.getForm() == known.getForm() &&
                           !unpack.getZeros() == !known.getZeros()));
  };
  if (order == CodeOrder::Lanes && !llvm::all_of(plan.sources, isLike))
    return plan.root->emitError()
           << "no code for a sum of products with codes of several forms, or "
              "with codes and numbers";
  Type elementType = getElementTypeOrSelf(input.getType());
  if (elementType != getElementTypeOrSelf(weight.getType()) ||
      (plan.elementType && plan.elementType != elementType))
    return plan.root->emitError()
           << "no code for a product of " << elementType << " and "
           << getElementTypeOrSelf(weight.getType());
  plan.elementType = elementType;
  plan.sources.push_back(
      {inputArgument, weightArgument, getDim(input, -1), unpack, {}});
  return success();
}

static FailureOr<GemmPlan> findRoot(KernelOp kernel, CodeOrder order) {
  GemmPlan plan{};
  for (Operation &op : kernel.getBody().front()) {
    if (!isProduct(&op))
      continue;
    if (plan.root)
      return op.emitError() << "no code for two products in one kernel";
    plan.root = &op;
  }
  if (!plan.root)
    return kernel.emitError()
           << "expected a product in a kernel of kind '"
           << stringifyKernelKind(kernel.getKind()) << "', found none";
  auto root = cast<StepOpInterface>(plan.root);
  for (auto [input, weight] :
       llvm::zip_equal(root.getOperandsOf(OperandRole::Rows),
                       root.getOperandsOf(OperandRole::Weight)))
    if (failed(addSource(plan, input, weight, order)))
      return failure();
  SmallVector<Value, 2> biases = root.getOperandsOf(OperandRole::Bias);
  plan.bias = biases.empty() ? Value() : biases.front();
  return plan;
}

/// The product itself may be split into parts with separate columns; values
/// computed from it may not.
static LogicalResult findSegments(GemmPlan &plan, KernelOp kernel) {
  Value product = plan.root->getResult(0);
  auto split = product.hasOneUse()
                   ? dyn_cast<SplitOp>(*product.getUsers().begin())
                   : SplitOp();
  for (SplitOp other : kernel.getBody().getOps<SplitOp>())
    if (other != split)
      return other.emitError()
             << "no code for a split of what is computed from a product";
  if (!split) {
    plan.segments.push_back({product, 0, getDim(product, -1)});
    return success();
  }
  int64_t offset = 0;
  for (Value segment : split.getSegments()) {
    plan.segments.push_back({segment, offset, getDim(segment, -1)});
    offset += getDim(segment, -1);
  }
  return success();
}

/// Returns whether `mean` is known before the product.
static bool isKnownBefore(Value mean) {
  if (isa<BlockArgument>(mean))
    return true;
  auto merge = mean.getDefiningOp<MergeStatsOp>();
  return merge &&
         llvm::all_of(merge->getOperands(), llvm::IsaPred<BlockArgument>);
}

static void findMean(GemmPlan &plan) {
  if (!isa<LinearOp>(plan.root))
    return;
  Value mean;
  for (const GemmSegment &segment : plan.segments)
    for (OpOperand &use : segment.value.getUses()) {
      auto norm = dyn_cast<DeferredNormOp>(use.getOwner());
      if (!norm || !norm.getCentrable() || use != norm.getInputMutable() ||
          (mean && mean != norm.getMean()))
        return;
      mean = norm.getMean();
    }
  if (mean && isKnownBefore(mean))
    plan.mean = mean;
}

namespace {
/// The values that an output is computed from.
struct Dependences {
  llvm::SetVector<unsigned> segments;
  int64_t granule = 1;
};
} // namespace

static Dependences findDependences(const GemmPlan &plan, Value output) {
  Dependences result;
  llvm::SmallPtrSet<Operation *, 16> visited;
  SmallVector<Value> worklist{output};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    const GemmSegment *segment =
        llvm::find_if(plan.segments, [&](const GemmSegment &segment) {
          return segment.value == value;
        });
    if (segment != plan.segments.end()) {
      result.segments.insert(segment - plan.segments.begin());
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!op || !visited.insert(op).second)
      continue;
    result.granule = std::lcm(result.granule, getGranule(op));
    llvm::append_range(worklist, op->getOperands());
  }
  return result;
}

static LogicalResult findGroups(GemmPlan &plan, KernelOp kernel) {
  llvm::EquivalenceClasses<unsigned> together;
  for (unsigned segment = 0; segment < plan.segments.size(); ++segment)
    together.insert(segment);
  Operation *yield = kernel.getBody().front().getTerminator();
  SmallVector<Dependences> dependences;
  for (OpOperand &output : yield->getOpOperands()) {
    Dependences found = findDependences(plan, output.get());
    if (found.segments.empty())
      return kernel.emitError()
             << "no code for result " << output.getOperandNumber()
             << ": it does not depend on the product";
    for (unsigned segment : found.segments)
      together.unionSets(found.segments.front(), segment);
    dependences.push_back(std::move(found));
  }
  for (unsigned leader = 0; leader < plan.segments.size(); ++leader) {
    if (together.getLeaderValue(leader) != leader)
      continue;
    GemmGroup group;
    group.width = plan.segments[leader].width;
    for (unsigned segment = 0; segment < plan.segments.size(); ++segment)
      if (together.isEquivalent(leader, segment)) {
        if (plan.segments[segment].width != group.width)
          return kernel.emitError()
                 << "no code for segments of widths " << group.width << " and "
                 << plan.segments[segment].width << " that meet in one output";
        group.segments.push_back(segment);
      }
    for (auto [output, found] : llvm::enumerate(dependences))
      if (together.isEquivalent(leader, found.segments.front())) {
        group.outputs.push_back(output);
        group.granule = std::lcm(group.granule, found.granule);
      }
    if (!group.outputs.empty())
      plan.groups.push_back(std::move(group));
  }
  return success();
}

FailureOr<GemmPlan> parablock::planGemm(KernelOp kernel, CodeOrder order) {
  FailureOr<GemmPlan> plan = findRoot(kernel, order);
  if (failed(plan))
    return failure();
  if (failed(findSegments(*plan, kernel)) || failed(findGroups(*plan, kernel)))
    return failure();
  findMean(*plan);
  return plan;
}
