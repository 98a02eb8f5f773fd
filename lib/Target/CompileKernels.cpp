//===- CompileKernels.cpp - compiles kernels on several threads -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A part of a module is one kernel, or some that share a global variable. Each
// part is read from the bitcode of all into a context of its own, optimised and
// emitted there; then the parts are joined in the order of the module.
//
//===----------------------------------------------------------------------===//

#include "DeviceTargetMachine.h"
#include "OptimizeForDevice.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Target/TargetMachine.h"

using namespace parablock;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {
/// Functions of a module that are compiled together, and their code.
struct Part {
  llvm::StringSet<> functions;
  size_t numInstructions = 0;
  DeviceObject object;
  std::string error;
};
} // namespace

/// Calls `visit` with each global value that a constant refers to.
static void
forEachGlobal(const llvm::Value &value,
              llvm::function_ref<void(const llvm::GlobalValue &)> visit) {
  if (auto *global = llvm::dyn_cast<llvm::GlobalValue>(&value))
    visit(*global);
  else if (auto *constant = llvm::dyn_cast<llvm::Constant>(&value))
    for (const llvm::Use &operand : constant->operands())
      forEachGlobal(*operand, visit);
}

/// Unites functions with the defined globals that they refer to: those must be
/// in one part, since a part has the only definition.
static std::vector<Part> split(const llvm::Module &module) {
  llvm::EquivalenceClasses<const llvm::GlobalValue *> together;
  for (const llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    together.insert(&function);
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      for (const llvm::Use &operand : instruction.operands())
        forEachGlobal(*operand, [&](const llvm::GlobalValue &global) {
          if (!global.isDeclaration())
            together.unionSets(&function, &global);
        });
  }
  for (const llvm::GlobalVariable &variable : module.globals())
    if (variable.hasInitializer())
      forEachGlobal(*variable.getInitializer(),
                    [&](const llvm::GlobalValue &global) {
                      if (!global.isDeclaration())
                        together.unionSets(&variable, &global);
                    });
  llvm::MapVector<const llvm::GlobalValue *, Part> parts;
  for (const llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    Part &part = parts[together.getLeaderValue(&function)];
    part.functions.insert(function.getName());
    part.numInstructions += function.getInstructionCount();
  }
  std::vector<Part> list;
  for (auto &[leader, part] : parts)
    list.push_back(std::move(part));
  return list;
}

static std::string writeBitcode(const llvm::Module &module) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  llvm::WriteBitcodeToFile(module, os);
  return bytes;
}

static Error compile(StringRef whole, StringRef chip, Part &part) {
  Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createDeviceTargetMachine(chip);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  Expected<std::unique_ptr<llvm::Module>> module =
      llvm::getLazyBitcodeModule({whole, "kernels"}, context);
  if (!module)
    return module.takeError();
  // Others are never read.
  for (llvm::Function &function : llvm::make_early_inc_range(**module))
    if (!function.isDeclaration() &&
        !part.functions.contains(function.getName()))
      function.eraseFromParent();
  if (Error error = (*module)->materializeAll())
    return error;
  if (Error error = optimizeForDevice(**module, **machine))
    return error;
  part.object.bitcode = writeBitcode(**module);
  return emitPTX(std::move(*module), chip).moveInto(part.object.ptx);
}

static void compileAll(StringRef whole, StringRef chip,
                       std::vector<Part> &parts) {
  std::vector<Part *> order;
  for (Part &part : parts)
    order.push_back(&part);
  // The longest ones first, so that all threads end at about the same time.
  llvm::sort(order, [](const Part *a, const Part *b) {
    return a->numInstructions > b->numInstructions;
  });
  llvm::DefaultThreadPool pool(
      llvm::hardware_concurrency(static_cast<unsigned>(order.size())));
  for (Part *part : order)
    pool.async(
        [=] { part->error = llvm::toString(compile(whole, chip, *part)); });
  pool.wait();
}

static Expected<std::string> joinBitcode(const std::vector<Part> &parts) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> joined;
  for (const Part &part : parts) {
    Expected<std::unique_ptr<llvm::Module>> module =
        llvm::parseBitcodeFile({part.object.bitcode, "kernels"}, context);
    if (!module)
      return module.takeError();
    if (!joined)
      joined = std::move(*module);
    else if (llvm::Linker::linkModules(*joined, std::move(*module)))
      return llvm::createStringError("kernels cannot be joined to one module");
  }
  return writeBitcode(*joined);
}

/// Appends a part's PTX without what the parts before have: the header, and
/// declarations.
static Error appendPTX(StringRef part, llvm::StringSet<> &declared,
                       std::string &ptx) {
  static constexpr StringRef lastOfHeader = ".address_size 64\n";
  auto [header, body] = part.split(lastOfHeader);
  if (header.size() == part.size())
    return llvm::createStringError("the backend of LLVM wrote PTX without '" +
                                   lastOfHeader.rtrim() + "'");
  if (ptx.empty())
    ptx = (header + lastOfHeader).str();
  while (!body.empty()) {
    auto [line, rest] = body.split('\n');
    body = rest;
    if (line.starts_with(".extern") && !declared.insert(line).second)
      continue;
    ptx += line;
    ptx += '\n';
  }
  return Error::success();
}

Expected<DeviceObject> parablock::compileKernels(mlir::gpu::GPUModuleOp op,
                                                 StringRef chip) {
  Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createDeviceTargetMachine(chip);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  Expected<std::unique_ptr<llvm::Module>> module =
      translateUnoptimized(op, **machine, context);
  if (!module)
    return module.takeError();
  std::vector<Part> parts = split(**module);
  if (parts.empty())
    return llvm::createStringError("expected kernels, got a module without");
  compileAll(writeBitcode(**module), chip, parts);
  DeviceObject object;
  llvm::StringSet<> declared;
  for (const Part &part : parts) {
    if (!part.error.empty())
      return llvm::createStringError(part.error);
    if (Error error = appendPTX(part.object.ptx, declared, object.ptx))
      return error;
  }
  if (Error error = joinBitcode(parts).moveInto(object.bitcode))
    return error;
  return object;
}
