//===- PackageEngine.cpp - runs the bitcode of a package ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Device/PackageEngine.h"

#include "EmulatedRun.h"
#include "parablock/Engines/Device/ReadLaunchPlan.h"
#include "parablock/Execution/IntegerChecks.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include "llvm/Support/MemoryBufferRef.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::Error;
using llvm::Expected;

namespace {
class PackageEmulateEngine : public Engine {
public:
  PackageEmulateEngine(std::shared_ptr<const Package> package,
                       llvm::StringRef chip)
      : package(std::move(package)), chip(chip) {}

  llvm::StringRef name() const override { return "emulate"; }

  Expected<RunResult> run(mlir::func::FuncOp function,
                          llvm::ArrayRef<Tensor> arguments,
                          const RunOptions &options) override;

private:
  std::shared_ptr<const Package> package;
  std::string chip;
};
} // namespace

Error parablock::checkPackagedFunction(const Package &package,
                                       mlir::func::FuncOp function) {
  Expected<Signature> signature = readSignature(function);
  if (!signature)
    return signature.takeError();
  bool same = signature->arguments.size() == package.arguments.size();
  for (size_t i = 0; same && i < signature->arguments.size(); ++i)
    same = signature->arguments[i].name == package.arguments[i].tensor.name;
  if (same)
    return Error::success();
  return llvm::createStringError(
      package.path + ": expected the arguments of '" + function.getSymName() +
      "' to be those of the package");
}

Expected<RunResult> PackageEmulateEngine::run(mlir::func::FuncOp function,
                                              llvm::ArrayRef<Tensor> arguments,
                                              const RunOptions &options) {
  if (Error error = refuseExactArithmetic(options))
    return error;
  if (Error error = checkPackagedFunction(*package, function))
    return error;
  if (Error error = checkIntegerInputs(function, arguments))
    return error;
  const PackageCode *code = package->findChip(chip);
  if (!code)
    return llvm::createStringError(package->path + ": expected code for " +
                                   chip + ", got " + package->listChips());
  if (package->numRanks() != 1)
    return llvm::createStringError(
        package->path +
        ": engine emulate runs a single rank, got a package "
        "of " +
        llvm::Twine(package->numRanks()) + ": each runs block-launch --rank");
  std::string bytes;
  if (Error error =
          toError(launch::readPackageFile(*package, code->bitcode, bytes)))
    return error;
  auto context = std::make_unique<llvm::LLVMContext>();
  Expected<std::unique_ptr<llvm::Module>> module = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(bytes, code->bitcode.name), *context);
  if (!module)
    return llvm::createStringError(package->path + "/" + code->bitcode.name +
                                   ": " + llvm::toString(module.takeError()));
  return runEmulated(code->plans.front(),
                     {std::move(*module), std::move(context)}, arguments,
                     options);
}

std::unique_ptr<Engine>
parablock::createPackageEmulateEngine(std::shared_ptr<const Package> package,
                                      llvm::StringRef chip) {
  return std::make_unique<PackageEmulateEngine>(std::move(package), chip);
}
