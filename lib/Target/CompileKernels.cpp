//===- CompileKernels.cpp - compiles kernels on several threads -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A part of a module is one kernel, or some that share a global variable. Each
// part is read from the bitcode of all into a context of its own, optimised and
// emitted there; then the parts are joined in the order of the module. A part
// that was compiled before is found by its IR.
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
  std::string bitcode, ptx;
  AssembledKernels code;
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

/// Writes the results of a part, each behind its size.
static std::string store(const Part &part) {
  std::string stored;
  for (const std::string *text : {&part.bitcode, &part.ptx, &part.code.cubin})
    stored += std::to_string(text->size()) + "\n" + *text;
  return stored;
}

/// Reads what `store` wrote; returns false for anything else.
static bool restore(StringRef stored, Part &part) {
  for (std::string *text : {&part.bitcode, &part.ptx, &part.code.cubin}) {
    auto [digits, rest] = stored.split('\n');
    size_t size = 0;
    if (digits.getAsInteger(10, size) || size > rest.size())
      return false;
    *text = rest.take_front(size).str();
    stored = rest.drop_front(size);
  }
  return stored.empty();
}

/// Erases what only other parts use, so that a part's IR does not
/// depend on them.
static void dropUnused(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  for (llvm::GlobalVariable &variable :
       llvm::make_early_inc_range(module.globals()))
    if (variable.use_empty() &&
        (variable.isDeclaration() || variable.hasLocalLinkage()))
      variable.eraseFromParent();
}

/// Emits PTX of a part, and machine code if wanted.
static Error emit(std::unique_ptr<llvm::Module> module, StringRef chip,
                  const CompileHooks &hooks, Part &part) {
  part.bitcode = writeBitcode(*module);
  if (Error error = emitPTX(std::move(module), chip).moveInto(part.ptx))
    return error;
  if (!hooks.assemble)
    return Error::success();
  return hooks.assemble(part.ptx).moveInto(part.code);
}

static Error compile(StringRef whole, StringRef chip, const CompileHooks &hooks,
                     Part &part) {
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
  dropUnused(**module);
  std::string key;
  if (hooks.find) {
    key = writeBitcode(**module);
    if (std::optional<std::string> stored = hooks.find(key);
        stored && restore(*stored, part))
      return Error::success();
  }
  if (Error error = optimizeForDevice(**module, **machine))
    return error;
  if (Error error = emit(std::move(*module), chip, hooks, part))
    return error;
  // Warnings are repeated by each process.
  if (hooks.keep && part.code.warnings.empty())
    hooks.keep(key, store(part));
  return Error::success();
}

static void compileAll(StringRef whole, StringRef chip,
                       const CompileHooks &hooks, std::vector<Part> &parts) {
  std::vector<Part *> order;
  for (Part &part : parts)
    order.push_back(&part);
  // The longest ones first, so that all threads end at about the same time.
  llvm::sort(order, [](const Part *a, const Part *b) {
    return a->numInstructions > b->numInstructions;
  });
  // No more than there are processors: with a thread for each part, all of them
  // advance equally, and the longest one is left alone at the end.
  llvm::DefaultThreadPool pool(
      llvm::optimal_concurrency(static_cast<unsigned>(order.size())));
  for (Part *part : order)
    pool.async([=, &hooks] {
      part->error = llvm::toString(compile(whole, chip, hooks, *part));
    });
  pool.wait();
}

static Expected<std::string> joinBitcode(const std::vector<Part> &parts) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> joined;
  for (const Part &part : parts) {
    Expected<std::unique_ptr<llvm::Module>> module =
        llvm::parseBitcodeFile({part.bitcode, "kernels"}, context);
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
                                                 StringRef chip,
                                                 const CompileHooks &hooks) {
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
  compileAll(writeBitcode(**module), chip, hooks, parts);
  DeviceObject object;
  llvm::StringSet<> declared;
  for (Part &part : parts) {
    if (!part.error.empty())
      return llvm::createStringError(part.error);
    if (Error error = appendPTX(part.ptx, declared, object.ptx))
      return error;
    if (!hooks.assemble)
      continue;
    DevicePart &own = object.parts.emplace_back();
    for (const auto &function : part.functions)
      own.functions.push_back(function.getKey().str());
    llvm::sort(own.functions);
    own.code = std::move(part.code);
  }
  if (Error error = joinBitcode(parts).moveInto(object.bitcode))
    return error;
  return object;
}
