//===- ConvertBlockKernelsToCpu.cpp - converts functions to plans ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CacheLaunches.h"
#include "ExpertLaunches.h"
#include "GradientLaunches.h"
#include "KernelLaunches.h"
#include "LeftoverLaunches.h"
#include "RankLaunches.h"
#include "WeightLaunches.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Conversion/BlockKernelsToCPU/Passes.h"
#include "parablock/Conversion/PackWeights/WeightKernel.h"
#include "parablock/Dialect/Block/ComputedRows.h"
#include "parablock/Dialect/Block/EncodedAttention.h"
#include "parablock/Dialect/Block/ExpandStreams.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Dialect/Block/SeparateAppends.h"
#include "parablock/Dialect/Block/SinkCodes.h"
#include "parablock/Dialect/Plan/StartedSteps.h"
#include "parablock/Transforms/Shard/Ranks.h"

namespace parablock {
#define GEN_PASS_DEF_CONVERTBLOCKKERNELSTOCPU
#include "parablock/Conversion/BlockKernelsToCPU/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

namespace {
/// Converts a function, op by op, to launches.
class FunctionConverter : private TensorSource {
public:
  FunctionConverter(func::FuncOp function, ModuleOp kernels,
                    const CpuTarget &target, const CpuRank &rank)
      : function(function), rank(rank), library(kernels, target),
        plan(function, kernels), weights(plan, library, *this),
        leftovers(plan, kernels, target, *this),
        ranks(plan, library, *this, this->rank,
              rank.count > 1 ? findExposedSums(function) : OpSet()),
        launches(plan, library, *this), gradients(plan, library, *this),
        caches(plan, library, *this), experts(plan, library, *this),
        results(function.getNumResults()) {}

  /// Returns the function's program, inserted next to it.
  FailureOr<plan::ProgramOp> convert();

private:
  FailureOr<plan::TensorOp> getTensor(Operation *user, Value value,
                                      const PanelLayout *layout) final;
  bool isConstant(Value value) const final;

  LogicalResult addBody(Block &body);
  LogicalResult addLayer(block::LayerOp layer);
  LogicalResult addOp(Operation *op);
  FailureOr<plan::TensorOp> getOwnTensor(Operation *user, Value value);
  LogicalResult claimResults(block::LayerOp layer);
  LogicalResult returnResults();

  func::FuncOp function;
  CpuRank rank;
  KernelLibrary library;
  PlanWriter plan;
  WeightLaunches weights;
  LeftoverLaunches leftovers;
  RankLaunches ranks;
  KernelLaunches launches;
  GradientLaunches gradients;
  CacheLaunches caches;
  ExpertLaunches experts;
  /// The tensors of the function's results, as far as they exist.
  SmallVector<plan::TensorOp> results;
};
} // namespace

FailureOr<plan::TensorOp>
FunctionConverter::getTensor(Operation *user, Value value,
                             const PanelLayout *layout) {
  if (failed(leftovers.provide(user, value)))
    return failure();
  if (!layout)
    if (plan::TensorOp known = plan.lookup(value))
      return known;
  return weights.getTensor(user, value, layout);
}

bool FunctionConverter::isConstant(Value value) const {
  if (leftovers.isWaitingConstant(value))
    return true;
  plan::TensorOp known = plan.lookup(value);
  if (Operation *op = value.getDefiningOp(); op && isWeightWork(op) && !known)
    return llvm::all_of(findLeaves(value),
                        [&](Value leaf) { return isConstant(leaf); });
  return known && (known.getKind() == plan::TensorKind::Parameter ||
                   known.getKind() == plan::TensorKind::Packed);
}

LogicalResult FunctionConverter::addLayer(block::LayerOp layer) {
  Block &inner = layer.getBody().front();
  IntegerAttr around =
      plan.setLayer(plan.builder.getI64IntegerAttr(layer.getIndex()));
  if (failed(addBody(inner)))
    return failure();
  for (auto [result, yielded] : llvm::zip_equal(
           layer.getResults(), inner.getTerminator()->getOperands())) {
    FailureOr<plan::TensorOp> tensor =
        getTensor(layer, yielded, /*layout=*/nullptr);
    if (failed(tensor))
      return failure();
    plan.assign(result, *tensor);
  }
  if (failed(claimResults(layer)))
    return failure();
  plan.setLayer(around);
  return success();
}

LogicalResult FunctionConverter::addOp(Operation *op) {
  if (auto kernel = dyn_cast<block::KernelOp>(op))
    // A kernel without results has no effect.
    return kernel.getNumResults() == 0 ? success() : launches.add(kernel);
  if (auto layer = dyn_cast<block::LayerOp>(op))
    return addLayer(layer);
  if (isGradientStep(op))
    return gradients.add(op);
  if (auto append = dyn_cast<block::CacheAppendOp>(op))
    return caches.add(append);
  if (auto take = dyn_cast<block::TakeRowsOp>(op))
    return caches.add(take);
  if (auto route = dyn_cast<block::RouteOp>(op))
    return experts.add(route);
  if (auto mixture = dyn_cast<block::ExpertsOp>(op))
    return experts.add(mixture);
  if (auto grad = dyn_cast<block::RouteGradOp>(op))
    return experts.add(grad);
  if (auto grad = dyn_cast<block::ExpertsGradOp>(op))
    return experts.add(grad);
  if (isRankStep(op) && !(isLeftover(op) && rank.count == 1))
    return ranks.add(op);
  // Its readers recompute it.
  if (isRemade(op) || (isWeightWork(op) && !leftovers.follows(op)))
    return success();
  if (isLeftover(op))
    return leftovers.add(op);
  return op->emitError() << "no CPU code for '" << op->getName()
                         << "' outside a kernel";
}

LogicalResult FunctionConverter::addBody(Block &body) {
  for (Operation &op : body.without_terminator())
    if (failed(addOp(&op)))
      return failure();
  return success();
}

/// Returns the tensor of `value`; a copy of values that must remain unchanged:
/// arguments, packed weights, earlier results of the function.
FailureOr<plan::TensorOp> FunctionConverter::getOwnTensor(Operation *user,
                                                          Value value) {
  if (failed(leftovers.provide(user, value)))
    return failure();
  plan::TensorOp known = plan.lookup(value);
  if (known && known.getKind() == plan::TensorKind::Temporary &&
      !llvm::is_contained(results, known))
    return known;
  if (failed(getStoredType(user, value.getType())))
    return failure();
  return isWeightType(value.getType()) ? weights.makeCopy(user, value)
                                       : leftovers.makeCopy(user, value);
}

/// Creates the function's results in `layer`. Copies are made here rather than
/// at the end, so that all results of a layer are available after it.
LogicalResult FunctionConverter::claimResults(block::LayerOp layer) {
  Operation *end = function.getBody().front().getTerminator();
  for (OpOperand &operand : end->getOpOperands()) {
    Value value = operand.get();
    if (value.getDefiningOp() != layer)
      continue;
    plan::TensorOp known = plan.lookup(value);
    FailureOr<plan::TensorOp> tensor = getOwnTensor(end, value);
    if (failed(tensor))
      return failure();
    results[operand.getOperandNumber()] = *tensor;
    // Other ops still read the original.
    plan.assign(value, known);
  }
  return success();
}

LogicalResult FunctionConverter::returnResults() {
  Operation *end = function.getBody().front().getTerminator();
  for (OpOperand &operand : end->getOpOperands()) {
    plan::TensorOp &result = results[operand.getOperandNumber()];
    if (result)
      continue;
    FailureOr<plan::TensorOp> tensor = getOwnTensor(end, operand.get());
    if (failed(tensor))
      return failure();
    result = *tensor;
  }
  for (plan::TensorOp result : results)
    plan.addResult(result);
  return success();
}

FailureOr<plan::ProgramOp> FunctionConverter::convert() {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError("expected a function of one basic block");
  if (failed(plan.addArguments()) ||
      failed(addBody(function.getBody().front())) || failed(returnResults()))
    return failure();
  plan::ProgramOp program = plan.finish();
  plan::delayAwaits(program.getRun());
  return program;
}

namespace {
struct ConvertBlockKernelsToCpuPass
    : public parablock::impl::ConvertBlockKernelsToCpuBase<
          ConvertBlockKernelsToCpuPass> {
  using Base::Base;

  ConvertBlockKernelsToCpuPass() = default;
  ConvertBlockKernelsToCpuPass(StringRef name, const CpuChoice &choice,
                               int64_t number)
      : known(choice.target) {
    functionName = name.str();
    cpu = choice.name;
    rank = number;
  }

  void runOnOperation() final {
    ModuleOp module = getOperation();
    func::FuncOp main = findMainFuncOp(module, functionName);
    if (!main)
      return signalPassFailure();
    CpuChoice choice{cpu, known};
    if (failed(findTarget(module.getLoc(), choice)) ||
        failed(checkRank(module, rank)))
      return signalPassFailure();
    CpuRank own;
    own.rank = rank;
    own.count = countRanks(module).value_or(1);
    block::separateAppends(main);
    block::separateRows(main, /*most=*/0);
    block::separateEncodedAttention(main);
    block::sinkCodes(main);
    block::expandStreams(main);
    auto kernels = ModuleOp::create(module.getLoc(), "kernels");
    SymbolTable(module).insert(kernels);
    if (failed(FunctionConverter(main, kernels, *choice.target, own).convert()))
      return signalPassFailure();
    main.erase();
  }

  std::optional<CpuTarget> known;
};
} // namespace

std::unique_ptr<Pass>
parablock::createConvertBlockKernelsToCpu(StringRef function,
                                          const CpuChoice &cpu, int64_t rank) {
  return std::make_unique<ConvertBlockKernelsToCpuPass>(function, cpu, rank);
}
