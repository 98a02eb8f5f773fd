//===- KernelLibrary.cpp - builds kernels and finds equal ones ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelLibrary.h"

#include "CodePanels.h"
#include "GemmKernel.h"
#include "RowsKernel.h"
#include "SdpaKernel.h"
#include "parablock/Conversion/PackWeights/WeightKernel.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

FailureOr<const KernelInfo *>
KernelLibrary::lookupOrBuild(block::KernelOp kernel) {
  using Code = std::shared_ptr<const KernelInfo>;
  FailureOr<Code> code =
      kernels.lookupOrBuild(kernel, [&](block::KernelOp) -> FailureOr<Code> {
        FailureOr<KernelInfo> info = build(kernel);
        if (failed(info))
          return failure();
        return std::make_shared<const KernelInfo>(std::move(*info));
      });
  if (failed(code))
    return failure();
  return code->get();
}

static FailureOr<KernelInfo> buildGemm(Frame &frame, block::KernelOp kernel) {
  FailureOr<GemmPlan> plan = planGemm(kernel, CodeOrder::Columns);
  if (failed(plan))
    return failure();
  // After an MLP's hidden columns, those of attention come last: attention runs
  // next, and finds them in the caches.
  llvm::stable_sort(plan->groups, [](const GemmGroup &a, const GemmGroup &b) {
    return a.width > b.width;
  });
  const CpuTarget &target = frame.getCode().target;
  GemmLayout layout = chooseLayout(*plan, target);
  FailureOr<KernelCode> code = buildGemmKernel(frame, kernel, *plan, layout);
  if (failed(code))
    return failure();
  KernelInfo info;
  info.code = *code;
  info.layouts.resize(kernel.getNumOperands());
  for (const GemmSource &source : plan->sources) {
    PanelLayout panels =
        getPanelLayout(*plan, layout, source, target.getLanes());
    if (!source.unpack)
      info.layouts[source.weight.getArgNumber()] = panels;
    else
      for (OpOperand &operand :
           block::UnpackWeightOp(source.unpack)->getOpOperands())
        info.layouts[cast<BlockArgument>(operand.get()).getArgNumber()] =
            getCodeLayout(source.unpack, operand.getOperandNumber(), panels,
                          target);
  }
  return info;
}

/// Elements of rows that are worth a call.
static constexpr int64_t kGrainElements = 16384;

static bool isOfKernel(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  Type element = tensor ? tensor.getElementType() : Type();
  return type.isIndex() ||
         (element && (element.isF32() || element.isBF16() || element.isF16() ||
                      element.isInteger(64)));
}

static LogicalResult checkTypes(block::KernelOp kernel) {
  auto isUnpacked = [](BlockArgument argument) {
    return llvm::all_of(argument.getUsers(),
                        llvm::IsaPred<block::UnpackWeightOp>);
  };
  for (BlockArgument argument : kernel.getBody().getArguments())
    if (Type type = argument.getType();
        !isOfKernel(type) && !isUnpacked(argument))
      return kernel.emitError()
             << "no CPU code for a kernel with an operand of type " << type
             << ": expected a tensor of f32, bf16, f16 or i64";
  // Codes that the kernel decodes itself are not stored.
  auto isDecoded = [](Operation &op) {
    return isa<block::EncodeGroupsOp>(op) &&
           llvm::all_of(op.getUsers(), llvm::IsaPred<block::DecodeGroupsOp>);
  };
  for (Operation &op : kernel.getBody().front())
    for (Type type : op.getResultTypes())
      if (!isOfKernel(type) && !isDecoded(op))
        return op.emitError()
               << "no CPU code for '" << op.getName() << "' with a result of "
               << "type " << type << " in a kernel: expected a tensor of f32, "
               << "bf16, f16 or i64";
  return success();
}

FailureOr<KernelInfo> KernelLibrary::build(block::KernelOp kernel) {
  if (failed(checkTypes(kernel)))
    return failure();
  block::KernelKind kind = kernel.getKind();
  StringRef name = stringifyKernelKind(kind);
  Frame frame(module, kernel.getLoc(), names.make(name), target);
  if (isProduct(kind))
    return buildGemm(frame, kernel);
  KernelInfo info;
  FailureOr<KernelCode> code = failure();
  if (kind == block::KernelKind::Rows) {
    code = buildRowsKernel(frame, kernel);
    int64_t width = getRowWidth(kernel.getResult(0));
    info.grain =
        std::max<int64_t>(1, kGrainElements / std::max<int64_t>(1, width));
  } else if (kind == block::KernelKind::Sdpa) {
    code = buildSdpaKernel(frame, kernel);
    info.items = KernelInfo::PerQueryBlock;
  } else {
    return kernel.emitError() << "no CPU code for a kernel of kind '" << name
                              << "': expected linear, linear_sum, head, sdpa "
                                 "or rows";
  }
  if (failed(code))
    return failure();
  info.code = *code;
  info.layouts.resize(kernel.getNumOperands());
  return info;
}

FailureOr<KernelInfo> KernelLibrary::buildCallee(block::KernelOp kernel,
                                                 StringRef name) {
  if (failed(checkTypes(kernel)))
    return failure();
  Frame frame(module, kernel.getLoc(), name, target);
  return buildGemm(frame, kernel);
}

KernelCode KernelLibrary::lookupOrBuild(Value value,
                                        const PanelLayout *layout) {
  auto wanted = layout ? std::optional(*layout) : std::nullopt;
  // Layers are equal: all but the first are found without writing any code.
  for (const WeightKernel &known : weightKernels)
    if (known.layout == wanted && isSameWeight(known.value, value))
      return known.code;
  Frame frame(module, value.getLoc(), names.make("weights"), target);
  KernelCode code = buildWeightKernel(frame, value, layout);
  func::FuncOp made = frame.getFunction();
  for (WeightKernel &known : weightKernels)
    if (isSameCode(known.function.getBody(), made.getBody())) {
      made.erase();
      names.takeBack("weights");
      return known.code;
    }
  weightKernels.push_back({value, std::move(wanted), made, code});
  return code;
}

KernelCode
KernelLibrary::lookupOrBuild(StringRef name,
                             llvm::function_ref<KernelCode(Frame &)> build) {
  auto [known, isNew] = named.try_emplace(name);
  if (isNew) {
    Frame frame(module, module.getLoc(), name, target);
    known->second = build(frame);
  }
  return known->second;
}
