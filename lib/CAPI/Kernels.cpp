//===- Kernels.cpp - counts and times of kernels as JSON ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock-c/Module.h"
#include "parablock/Analysis/CostModel.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Execution/Engine.h"
#include "parablock/Support/StrictJSON.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace parablock;
namespace json = llvm::json;

/// Returns true for parameters and for values that depend on them alone.
static bool isWeight(Value value) {
  WalkResult sources = walkSources(value, [](Value source) -> WalkResult {
    if (Operation *op = source.getDefiningOp())
      return success(!isa<block::KernelOp, block::LayerOp>(op) &&
                     !findReads(op).empty());
    auto argument = cast<BlockArgument>(source);
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return success(function && function.getArgAttr(argument.getArgNumber(),
                                                   block::kParamAttr));
  });
  return !sources.wasInterrupted();
}

static double getBytes(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return 0;
  return static_cast<double>(type.getNumElements()) *
         type.getElementTypeBitWidth() / 8;
}

static bool isNarrow(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 16;
  });
}

static json::Object describeKernel(block::KernelOp kernel, const Chip &chip,
                                   const CostModel &model) {
  SmallVector<Operation *> steps;
  llvm::SetVector<StringRef> names;
  bool narrow = false;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    steps.push_back(&op);
    names.insert(op.getName().stripDialect());
    narrow |= isNarrow(&op);
  }
  Cost cost = model.estimateTogether(steps);
  double weights = 0;
  for (Value input : kernel.getInputs())
    weights += isWeight(input) ? getBytes(input) : 0;
  json::Object entry{{"kind", stringifyKernelKind(kernel.getKind())},
                     {"steps", json::Array(names.getArrayRef())},
                     {"flops", toJSONNumber(cost.flops)},
                     {"bytes", toJSONNumber(cost.bytes)},
                     {"weight_bytes", toJSONNumber(weights)},
                     {"us", nullptr},
                     {"arithmetic_us", nullptr},
                     {"memory_us", nullptr}};
  if (auto layer = kernel->getParentOfType<block::LayerOp>())
    entry["layer"] = layer.getLabel();
  if (!model.hasTimes())
    return entry;
  double peak = narrow ? chip.flops16 : chip.flops32;
  entry["us"] = toJSONNumber(1e6 * cost.seconds);
  entry["arithmetic_us"] = toJSONNumber(1e6 * cost.flops / peak);
  entry["memory_us"] =
      toJSONNumber(1e6 * (cost.bytes + weights) / chip.bandwidth);
  return entry;
}

ParablockStatus parablockModuleCountKernels(ParablockModule *module,
                                            const char *chipName, char **json) {
  return capi::run(module, {chipName, json}, [&]() -> llvm::Error {
    llvm::Expected<const Chip &> chip = findChip(chipName);
    if (!chip)
      return chip.takeError();
    FunctionOpInterface function = findMainFunction(*module->module);
    if (!function)
      return llvm::make_error<runner::DiagnosedError>();
    CostModel model(*chip, findCountedSizes(function));
    json::Array kernels;
    function.walk([&](block::KernelOp kernel) {
      kernels.push_back(describeKernel(kernel, *chip, model));
    });
    *json = capi::copyJSON(std::move(kernels));
    return llvm::Error::success();
  });
}
