//===- DeviceProgram.cpp - a function lowered to device code --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Device/DeviceProgram.h"

#include "parablock/Judges/Runner/ReferenceEngine.h"
#include "parablock/Judges/Runner/Signature.h"
#include "parablock/Target/DeviceCode.h"
#include "llvm/ADT/StringMap.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::Expected;

using TensorsByName = llvm::StringMap<Tensor>;

/// The arguments of `function` from `known`.
static Expected<std::vector<Tensor>> collect(mlir::func::FuncOp function,
                                             const TensorsByName &known) {
  Expected<Signature> signature = readSignature(function);
  if (!signature)
    return signature.takeError();
  std::vector<Tensor> arguments;
  for (const Argument &argument : signature->arguments) {
    auto found = known.find(argument.name);
    if (found == known.end())
      return llvm::createStringError("function '" + function.getSymName() +
                                     "' needs '" + argument.name +
                                     "', which nothing computes");
    arguments.push_back(found->second);
  }
  return arguments;
}

/// Adds the results of `@prepack` to `known`, where there is one.
static llvm::Error runPrepack(mlir::ModuleOp module, TensorsByName &known) {
  auto prepack = module.lookupSymbol<mlir::func::FuncOp>("prepack");
  if (!prepack)
    return llvm::Error::success();
  Expected<Signature> signature = readSignature(prepack);
  if (!signature)
    return signature.takeError();
  if (llvm::all_of(signature->results, [&](const Port &result) {
        return known.contains(result.name);
      }))
    return llvm::Error::success(); // packed by the caller
  Expected<std::vector<Tensor>> arguments = collect(prepack, known);
  if (!arguments)
    return arguments.takeError();
  // The engine, not the interpreter alone: weights come as other tools have
  // them.
  Expected<RunResult> run =
      createReferenceEngine()->run(prepack, *arguments, RunOptions());
  if (!run)
    return run.takeError();
  for (auto [result, value] : llvm::zip_equal(signature->results, run->outputs))
    known[result.name] = value;
  return llvm::Error::success();
}

Expected<std::vector<Tensor>>
parablock::provideDeviceArguments(mlir::func::FuncOp function,
                                  llvm::ArrayRef<Tensor> arguments,
                                  mlir::func::FuncOp device) {
  Expected<Signature> signature = readSignature(function);
  if (!signature)
    return signature.takeError();
  TensorsByName known;
  for (auto [argument, value] :
       llvm::zip_equal(signature->arguments, arguments))
    known[argument.name] = value;
  if (llvm::Error error =
          runPrepack(device->getParentOfType<mlir::ModuleOp>(), known))
    return error;
  return collect(device, known);
}

Expected<DeviceProgram> parablock::createDeviceProgram(
    mlir::func::FuncOp function, llvm::ArrayRef<Tensor> arguments,
    llvm::StringRef chip, const DeviceLowering &lowering) {
  DeviceProgram program;
  program.module = function->getParentOfType<mlir::ModuleOp>().clone();
  if (failed(lowering(*program.module, chip)))
    return llvm::make_error<DiagnosedError>();
  program.function =
      program.module->lookupSymbol<mlir::func::FuncOp>(function.getSymName());
  if (!program.function)
    return llvm::createStringError("lowering lost the function '" +
                                   function.getSymName() + "'");
  Expected<std::vector<Tensor>> provided =
      provideDeviceArguments(function, arguments, program.function);
  if (!provided)
    return provided.takeError();
  program.arguments = std::move(*provided);
  Expected<mlir::gpu::GPUModuleOp> kernels = findDeviceModule(*program.module);
  if (!kernels)
    return kernels.takeError();
  program.kernels = *kernels;
  return program;
}
