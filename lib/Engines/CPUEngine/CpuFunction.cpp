//===- CpuFunction.cpp - reuses packed weights between calls --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPUEngine/CpuFunction.h"

#include "TensorMemory.h"
#include "parablock/Engines/CPUEngine/CompileFunction.h"
#include "parablock/Execution/IntegerChecks.h"
#include <mutex>

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

/// Maximum number of packed sets of weights: callers alternate between few.
static constexpr size_t maxWeightSets = 2;

namespace {
/// Parameters as the code reads them.
struct PackedWeights {
  /// The source arrays, by position; empty for inputs.
  std::vector<std::weak_ptr<const std::vector<double>>> sources;
  TensorMemory memory;
  /// Pointers by position, null for inputs.
  std::vector<const void *> pointers;
  cpu::AlignedMemory packed;

  bool isMadeOf(ArrayRef<Tensor> arguments) const {
    for (auto [pointer, source, argument] :
         llvm::zip_equal(pointers, sources, arguments))
      if (pointer && source.lock() != argument.values)
        return false;
    return true;
  }
};

class CompiledFunction {
public:
  CompiledFunction(mlir::func::FuncOp function,
                   std::unique_ptr<CpuExecutable> executable)
      : function(function), executable(std::move(executable)) {}

  Expected<std::vector<Tensor>> run(ArrayRef<Tensor> arguments);

private:
  Expected<std::shared_ptr<const PackedWeights>>
  findWeights(ArrayRef<Tensor> arguments);
  Expected<std::shared_ptr<const PackedWeights>>
  packWeights(ArrayRef<Tensor> arguments) const;
  cpu::Workspace takeWorkspace();
  void giveBack(cpu::Workspace workspace);

  mlir::func::FuncOp function;
  std::unique_ptr<CpuExecutable> executable;
  std::mutex weightsMutex, workspaceMutex;
  /// The latest last.
  std::vector<std::shared_ptr<const PackedWeights>> weightSets;
  std::vector<cpu::Workspace> workspaces;
};
} // namespace

Expected<std::shared_ptr<const PackedWeights>>
CompiledFunction::packWeights(ArrayRef<Tensor> arguments) const {
  auto weights = std::make_shared<PackedWeights>();
  for (auto [position, argument] : llvm::enumerate(arguments)) {
    const CpuTensor *tensor = executable->findArgument(position);
    bool isParameter = tensor && tensor->kind == cpu::TensorKind::Parameter;
    // The size of a parameter depends on no symbol.
    if (Error error =
            weights->memory.add(isParameter ? tensor : nullptr, argument, {}))
      return error;
    weights->pointers.push_back(
        isParameter ? weights->memory.get(position).data() : nullptr);
    weights->sources.emplace_back(argument.values);
  }
  if (Error error = executable->prepack(weights->pointers, /*pool=*/nullptr,
                                        weights->packed))
    return error;
  return weights;
}

Expected<std::shared_ptr<const PackedWeights>>
CompiledFunction::findWeights(ArrayRef<Tensor> arguments) {
  std::lock_guard<std::mutex> lock(weightsMutex);
  auto known = llvm::find_if(weightSets, [&](const auto &weights) {
    return weights->isMadeOf(arguments);
  });
  if (known != weightSets.end()) {
    std::rotate(known, std::next(known), weightSets.end());
    return weightSets.back();
  }
  if (weightSets.size() == maxWeightSets)
    weightSets.erase(weightSets.begin());
  Expected<std::shared_ptr<const PackedWeights>> weights =
      packWeights(arguments);
  if (weights)
    weightSets.push_back(*weights);
  return weights;
}

cpu::Workspace CompiledFunction::takeWorkspace() {
  std::lock_guard<std::mutex> lock(workspaceMutex);
  cpu::Workspace workspace;
  if (!workspaces.empty()) {
    workspace = std::move(workspaces.back());
    workspaces.pop_back();
  }
  return workspace;
}

void CompiledFunction::giveBack(cpu::Workspace workspace) {
  std::lock_guard<std::mutex> lock(workspaceMutex);
  workspaces.push_back(std::move(workspace));
}

Expected<std::vector<Tensor>>
CompiledFunction::run(ArrayRef<Tensor> arguments) {
  if (Error error = checkIntegerInputs(function, arguments))
    return error;
  Expected<cpu::Symbols> symbols = findSymbols(*executable, arguments);
  if (!symbols)
    return symbols.takeError();
  Expected<std::shared_ptr<const PackedWeights>> weights =
      findWeights(arguments);
  if (!weights)
    return weights.takeError();
  TensorMemory inputs, outputs;
  std::vector<const void *> pointers = (*weights)->pointers;
  for (auto [position, argument] : llvm::enumerate(arguments)) {
    bool isInput = !pointers[position];
    if (Error error =
            inputs.add(isInput ? executable->findArgument(position) : nullptr,
                       argument, *symbols))
      return error;
    if (isInput)
      pointers[position] = inputs.get(position).data();
  }
  Expected<std::vector<void *>> results =
      addResults(outputs, *executable, *symbols, function.getNumResults());
  if (!results)
    return results.takeError();
  cpu::Workspace workspace = takeWorkspace();
  Error error = executable->run(pointers, *results, *symbols, /*pool=*/nullptr,
                                (*weights)->packed.data(), workspace);
  giveBack(std::move(workspace));
  if (error)
    return error;
  return readResults(outputs, *executable, *symbols);
}

Expected<CpuFunction>
parablock::compileCpuFunction(mlir::func::FuncOp function,
                              const CpuTarget &target,
                              const KernelLowering &lowering) {
  Expected<std::unique_ptr<CpuExecutable>> executable =
      compileFunction(function, target, lowering);
  if (!executable)
    return executable.takeError();
  auto compiled =
      std::make_shared<CompiledFunction>(function, std::move(*executable));
  return [compiled](ArrayRef<Tensor> arguments) {
    return compiled->run(arguments);
  };
}

Expected<std::function<Expected<CpuFunction>(mlir::func::FuncOp)>>
parablock::createCpuPreparation(KernelLowering lowering) {
  Expected<CpuTarget> target = findCpuTarget("native");
  if (!target)
    return target.takeError();
  return [target = *target,
          lowering = std::move(lowering)](mlir::func::FuncOp function) {
    return compileCpuFunction(function, target, lowering);
  };
}
