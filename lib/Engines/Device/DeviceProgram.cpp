//===- DeviceProgram.cpp - lowers a function and its @prepack -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Device/DeviceProgram.h"

#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Engines/Device/ReadLaunchPlan.h"
#include "parablock/Execution/Signature.h"
#include "parablock/Judges/Compare/ReferenceEngine.h"
#include "parablock/Target/DeviceCode.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::Expected;

using TensorsByName = llvm::StringMap<Tensor>;

/// Collects the arguments called `names` from `known`.
static Expected<std::vector<Tensor>> collect(llvm::StringRef function,
                                             llvm::ArrayRef<std::string> names,
                                             const TensorsByName &known) {
  std::vector<Tensor> arguments;
  for (const std::string &name : names) {
    auto found = known.find(name);
    if (found == known.end())
      return llvm::createStringError("function '" + function + "' needs '" +
                                     name + "', which nothing computes");
    arguments.push_back(found->second);
  }
  return arguments;
}

/// Adds the results of `@prepack` to `known`, where there is one.
static llvm::Error runPrepack(mlir::ModuleOp module, TensorsByName &known) {
  auto prepack = module.lookupSymbol<mlir::func::FuncOp>(kPrepack);
  if (!prepack)
    return llvm::Error::success();
  Expected<Signature> signature = readSignature(prepack);
  if (!signature)
    return signature.takeError();
  if (llvm::all_of(signature->results, [&](const Port &result) {
        return known.contains(result.name);
      }))
    return llvm::Error::success(); // packed by the caller
  std::vector<std::string> names;
  for (const Argument &argument : signature->arguments)
    names.push_back(argument.name);
  Expected<std::vector<Tensor>> arguments =
      collect(prepack.getSymName(), names, known);
  if (!arguments)
    return arguments.takeError();
  // Uses the engine, not only the interpreter, for weights in other tools'
  // formats.
  Expected<RunResult> run =
      createReferenceEngine()->run(prepack, *arguments, RunOptions());
  if (!run)
    return run.takeError();
  for (auto [result, value] : llvm::zip_equal(signature->results, run->outputs))
    known[result.name] = value;
  return llvm::Error::success();
}

Expected<std::vector<Tensor>> parablock::provideDeviceArguments(
    mlir::func::FuncOp function, llvm::ArrayRef<Tensor> arguments,
    mlir::ModuleOp module, llvm::ArrayRef<std::string> names) {
  Expected<Signature> signature = readSignature(function);
  if (!signature)
    return signature.takeError();
  TensorsByName known;
  for (auto [argument, value] :
       llvm::zip_equal(signature->arguments, arguments))
    known[argument.name] = value;
  if (llvm::Error error = runPrepack(module, known))
    return error;
  return collect(function.getSymName(), names, known);
}

/// Erases the @prepack whose results the caller passes: its inputs are not
/// available, and lowering creates another one for its own packing.
static llvm::Error dropPacking(mlir::ModuleOp module, llvm::StringRef name) {
  auto function = module.lookupSymbol<mlir::func::FuncOp>(name);
  auto prepack = module.lookupSymbol<mlir::func::FuncOp>(kPrepack);
  if (!prepack || !function || prepack == function)
    return llvm::Error::success();
  Expected<Signature> taken = readSignature(function);
  if (!taken)
    return taken.takeError();
  Expected<Signature> made = readSignature(prepack);
  if (!made)
    return made.takeError();
  llvm::StringSet<> results;
  for (const Port &result : made->results)
    results.insert(result.name);
  if (llvm::any_of(taken->arguments, [&](const Argument &argument) {
        return results.contains(argument.name);
      }))
    prepack.erase();
  return llvm::Error::success();
}

Expected<DeviceProgram> parablock::createDeviceProgram(
    mlir::func::FuncOp function, llvm::ArrayRef<Tensor> arguments,
    llvm::StringRef chip, const DeviceLowering &lowering) {
  DeviceProgram program;
  program.module = function->getParentOfType<mlir::ModuleOp>().clone();
  eraseOtherModels(
      program.module->lookupSymbol<mlir::func::FuncOp>(function.getSymName()));
  if (llvm::Error error = dropPacking(*program.module, function.getSymName()))
    return error;
  if (failed(lowering(*program.module, chip)))
    return llvm::make_error<DiagnosedError>();
  auto host =
      program.module->lookupSymbol<plan::ProgramOp>(function.getSymName());
  if (!host)
    return llvm::createStringError("lowering made no plan of the function '" +
                                   function.getSymName() + "'");
  mlir::FailureOr<LaunchPlan> plan = readLaunchPlan(host);
  if (failed(plan))
    return llvm::make_error<DiagnosedError>();
  program.plan = std::move(*plan);
  std::vector<std::string> names;
  for (unsigned i = 0; i < program.plan.numArguments; ++i)
    names.push_back(program.plan.tensors[i].name);
  Expected<std::vector<Tensor>> provided =
      provideDeviceArguments(function, arguments, *program.module, names);
  if (!provided)
    return provided.takeError();
  program.arguments = std::move(*provided);
  Expected<mlir::gpu::GPUModuleOp> kernels = findDeviceModule(*program.module);
  if (!kernels)
    return kernels.takeError();
  program.kernels = *kernels;
  return program;
}
