//===- EmulateEngine.cpp - applies mutations and runs kernels -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Device/EmulateEngine.h"

#include "EmulatedRun.h"
#include "parablock/Engines/Device/DeviceProgram.h"
#include "parablock/Execution/IntegerChecks.h"
#include "parablock/Judges/Emulator/Mutator.h"
#include "parablock/Target/DeviceCode.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include "llvm/IR/Module.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::Error;
using llvm::Expected;

namespace {
class EmulateEngine : public Engine {
public:
  EmulateEngine(EmulateOptions own, DeviceLowering lowering)
      : own(std::move(own)), lowering(std::move(lowering)) {}

  llvm::StringRef name() const override { return "emulate"; }

  Expected<RunResult> run(mlir::func::FuncOp function,
                          llvm::ArrayRef<Tensor> arguments,
                          const RunOptions &options) override;

private:
  EmulateOptions own;
  DeviceLowering lowering;
};
} // namespace

/// Applies "KIND:SEED" and reports the place.
static Error applyMutation(llvm::Module &module, llvm::StringRef mutation) {
  if (mutation.empty())
    return Error::success();
  auto [kind, number] = mutation.split(':');
  uint64_t seed = 0;
  if (!number.empty() && number.getAsInteger(10, seed))
    return llvm::createStringError("mutation '" + mutation +
                                   "': expected KIND:SEED");
  Expected<std::string> place = mutate(module, kind, seed);
  if (!place)
    return place.takeError();
  llvm::errs() << "mutated: " << kind << " at " << *place << "\n";
  return Error::success();
}

Expected<RunResult> EmulateEngine::run(mlir::func::FuncOp function,
                                       llvm::ArrayRef<Tensor> arguments,
                                       const RunOptions &options) {
  if (Error error = refuseExactArithmetic(options))
    return error;
  if (Error error = checkIntegerInputs(function, arguments))
    return error;
  Expected<DeviceProgram> program =
      createDeviceProgram(function, arguments, own.chip, lowering);
  if (!program)
    return program.takeError();
  auto context = std::make_unique<llvm::LLVMContext>();
  Expected<std::unique_ptr<llvm::Module>> module =
      translateToLLVM(program->kernels, own.chip, *context);
  if (!module)
    return module.takeError();
  if (Error error = applyMutation(**module, own.mutation))
    return error;
  return runEmulated(program->plan, {std::move(*module), std::move(context)},
                     program->arguments, options);
}

std::unique_ptr<Engine>
parablock::createEmulateEngine(EmulateOptions options,
                               DeviceLowering lowering) {
  return std::make_unique<EmulateEngine>(std::move(options),
                                         std::move(lowering));
}
