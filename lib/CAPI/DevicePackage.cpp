//===- DevicePackage.cpp - packages for one device, and their cache -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DevicePackage.h"

#include "Handles.h"
#include "mlir/IR/Diagnostics.h"
#include "parablock/Engines/CPUEngine/CodeCache.h"
#include "parablock/Engines/Package/StoredPackage.h"
#include "parablock/Engines/Package/WritePackage.h"
#include "parablock/Pipelines/BlockToGPU.h"
#include "parablock/Pipelines/PrepareForDevice.h"
#include "parablock/Support/Chips.h"
#include "parablock/Target/MachineCode/Assembler.h"
#include "parablock/Transforms/Launches.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include <mutex>

using namespace parablock;
using capi::DeviceFunction;
using llvm::Error;
using llvm::StringRef;

/// Returns all that code of any module depends on: compiler, chip, and the file
/// of ptxas.
static std::string describeTools(StringRef compiler,
                                 const PackageOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << compiler << "\npackage " << options.chips.front();
  llvm::sys::fs::file_status status;
  llvm::Expected<std::string> assembler =
      options.assembly == PackageOptions::Never
          ? llvm::Expected<std::string>("")
          : findAssembler(options.cudaPath);
  if (!assembler)
    llvm::consumeError(assembler.takeError());
  else if (!assembler->empty() && !llvm::sys::fs::status(*assembler, status))
    // Another version is another file.
    os << " " << *assembler << " " << status.getSize() << " "
       << llvm::sys::toTimeT(status.getLastModificationTime());
  os << "\n";
  return text;
}

/// Returns a key of everything that the package depends on.
static std::string makeKey(mlir::ModuleOp module, StringRef tools) {
  std::string key = tools.str();
  llvm::raw_string_ostream os(key);
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  dropFileNames(*copy);
  printForKey(*copy, os);
  return key;
}

namespace {
/// Lets passes run on several threads while the object lives: kernels are
/// lowered one by one, and the API's contexts have no threads of their own. A
/// handler of remarks is called by the caller's thread alone.
class PassThreads {
public:
  explicit PassThreads(mlir::MLIRContext &context)
      : context(context), isOwn(!context.isMultithreadingEnabled() &&
                                !context.getRemarkEngine()) {
    if (isOwn)
      context.enableMultithreading();
  }
  ~PassThreads() {
    if (isOwn)
      context.disableMultithreading();
  }
  PassThreads(const PassThreads &) = delete;
  PassThreads &operator=(const PassThreads &) = delete;

private:
  mlir::MLIRContext &context;
  bool isOwn;
};

/// Writes the package of a module for one device.
class DevicePackage {
public:
  DevicePackage(mlir::ModuleOp module, DeviceFunction function,
                const ParablockDevicePackageOptions &given, StringRef path)
      : module(module), function(function), path(path),
        cacheFolder(given.cache) {
    options.chips = {given.chip};
    options.addForwardChip = false;
    options.splitsKernels = true;
    options.assembly =
        given.ptxOnly ? PackageOptions::Never : PackageOptions::IfFound;
  }

  Error write();

private:
  Error openCache();
  void openKernels();
  bool restore() const;
  Error compile();

  mlir::ModuleOp module;
  DeviceFunction function;
  StringRef path;
  const char *cacheFolder;
  PackageOptions options;
  std::unique_ptr<CodeCache> cache;
  std::string tools, key;
  /// Keeping may remove files.
  std::mutex turn;
  /// True if the compilation emitted diagnostics, which must be repeated.
  bool hasSpoken = false;
};
} // namespace

/// Opens the cache and finds the key; without one, nothing is cached.
Error DevicePackage::openCache() {
  if (!cacheFolder)
    return Error::success();
  if (Error error = openCodeCache(cacheFolder).moveInto(cache))
    return error;
  if (!cache)
    return Error::success();
  const std::optional<std::string> &compiler = describeCompiler();
  std::string fault = cache->getFault();
  if (fault.empty() && !compiler)
    fault = "the compiler was linked without a build id";
  if (fault.empty()) {
    tools = describeTools(*compiler, options);
    key = (function == DeviceFunction::Packing ? "packing " : "") +
          makeKey(module, tools);
    openKernels();
    return Error::success();
  }
  cache = nullptr;
  warnUncached(module.getLoc(), fault);
  return Error::success();
}

/// Lets kernels be found, which models have in common.
void DevicePackage::openKernels() {
  options.findKernel = [this](StringRef kernel) {
    return cache->find(tools + "kernel " + kernel.str());
  };
  options.keepKernel = [this](StringRef kernel, StringRef result) {
    std::lock_guard<std::mutex> lock(turn);
    cache->keep(tools + "kernel " + kernel.str(), result);
  };
}

bool DevicePackage::restore() const {
  std::optional<std::string> stored = cache ? cache->find(key) : std::nullopt;
  if (!stored)
    return false;
  Error error = restorePackage(*stored, path);
  bool isRestored = !error;
  // The folder's own faults show when it is compiled to.
  llvm::consumeError(std::move(error));
  return isRestored;
}

Error DevicePackage::compile() {
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  PassThreads threads(*copy->getContext());
  std::string said;
  llvm::raw_string_ostream remarks(said);
  mlir::ScopedDiagnosticHandler listener(
      copy->getContext(), [&](mlir::Diagnostic &) {
        hasSpoken = true;
        return mlir::failure(); // it is for others
      });
  bool isModel = function == DeviceFunction::Model;
  if (Error error = isModel ? bringToBlocks(*copy) : Error::success())
    return error;
  auto prepare = [isModel](mlir::ModuleOp target, StringRef chip,
                           StringRef recipePath) {
    return isModel ? prepareForDevice(target, chip, recipePath)
                   : formLaunches(target, recipePath, /*function=*/"");
  };
  Error error =
      writePackage(*copy, path, options, prepare, lowerToDevice, remarks);
  if (!said.empty())
    mlir::emitRemark(module.getLoc()) << StringRef(said).trim();
  return error;
}

Error DevicePackage::write() {
  if (Error error = findDeviceChip(options.chips.front()).takeError())
    return error;
  if (Error error = openCache())
    return error;
  bool isKnown = restore();
  if (cache)
    countCodeCacheUse(isKnown);
  if (isKnown)
    return Error::success();
  if (Error error = compile())
    return error;
  if (!cache || hasSpoken)
    return Error::success();
  llvm::Expected<std::string> stored = storePackage(path);
  if (!stored)
    return stored.takeError();
  cache->keep(key, *stored);
  return Error::success();
}

Error capi::writeDevicePackage(mlir::ModuleOp module, DeviceFunction function,
                               const ParablockDevicePackageOptions &options,
                               StringRef path) {
  return options.chip ? DevicePackage(module, function, options, path).write()
                      : createNullError();
}
