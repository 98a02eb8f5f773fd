//===- CpuCode.cpp - the machine code of a CPU program --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels do not know each other: they are compiled in parts, each in a context
// of LLVM's own, on as many threads as there are. The parts are the same
// whatever that number is.
//
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/CpuCode.h"

#include "NativeCode.h"
#include "TileEmulation.h"
#include "parablock/Engines/CPU/Runtime/ThreadPool.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <array>

using namespace parablock;
using llvm::Expected;

/// More would gain nothing: the longest kernel of a decoder is a fifth of all.
static constexpr unsigned mostParts = 4;

/// Leaves to others the kernels alone, so that each part may have the rest.
static void internalize(llvm::Module &module,
                        const llvm::StringSet<> &kernels) {
  for (llvm::GlobalObject &value : module.global_objects())
    if (!value.isDeclaration() && !kernels.contains(value.getName()))
      value.setLinkage(llvm::GlobalValue::InternalLinkage);
}

/// The part of each kernel, so that all have about as much to do.
static llvm::DenseMap<const llvm::GlobalValue *, unsigned>
assignParts(const llvm::Module &module) {
  std::vector<std::pair<unsigned, const llvm::Function *>> kernels;
  for (const llvm::Function &function : module)
    if (!function.isDeclaration() && !function.hasLocalLinkage())
      kernels.push_back({function.getInstructionCount(), &function});
  llvm::sort(kernels, [](const auto &a, const auto &b) {
    return a.first != b.first ? a.first > b.first
                              : a.second->getName() < b.second->getName();
  });
  std::array<unsigned, mostParts> loads = {};
  llvm::DenseMap<const llvm::GlobalValue *, unsigned> parts;
  for (auto [size, kernel] : kernels) {
    auto *least = llvm::min_element(loads);
    *least += size;
    parts[kernel] = static_cast<unsigned>(least - loads.begin());
  }
  return parts;
}

/// The kernels of one part as bitcode, with all that is nobody's: what they do
/// not use goes with the first passes.
static llvm::SmallString<0>
writePart(const llvm::Module &module,
          const llvm::DenseMap<const llvm::GlobalValue *, unsigned> &parts,
          unsigned part) {
  llvm::ValueToValueMapTy values;
  std::unique_ptr<llvm::Module> copy =
      llvm::CloneModule(module, values, [&](const llvm::GlobalValue *value) {
        auto known = parts.find(value);
        return known == parts.end() || known->second == part;
      });
  llvm::SmallString<0> bitcode;
  llvm::raw_svector_ostream os(bitcode);
  llvm::WriteBitcodeToFile(*copy, os);
  return bitcode;
}

/// An object file, and the names of what it uses of others.
static Expected<std::string> compilePart(llvm::StringRef bitcode,
                                         const CpuTarget &target,
                                         llvm::StringSet<> &externals) {
  Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      makeMachineBuilder(target).createTargetMachine();
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  Expected<std::unique_ptr<llvm::Module>> module = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(bitcode, "kernels"), context);
  if (!module)
    return module.takeError();
  optimizeKernels(**module, **machine);
  if (target.emulatesTiles)
    callTileFunctions(**module);
  for (const llvm::GlobalValue &value : (*module)->global_values())
    if (value.isDeclaration() && !value.use_empty() &&
        !value.getName().starts_with("llvm."))
      externals.insert(value.getName());
  return emitObject(**module, **machine);
}

namespace {
struct Part {
  llvm::SmallString<0> bitcode;
  llvm::StringSet<> externals;
  std::string object, fault;
};

struct Work {
  const CpuTarget &target;
  std::vector<Part> parts;
};
} // namespace

static void compileParts(void *context, int32_t, int64_t begin, int64_t end) {
  auto &work = *static_cast<Work *>(context);
  for (int64_t i = begin; i < end; ++i) {
    Part &part = work.parts[static_cast<size_t>(i)];
    Expected<std::string> object =
        compilePart(part.bitcode, work.target, part.externals);
    if (object)
      part.object = std::move(*object);
    else
      part.fault = llvm::toString(object.takeError());
  }
}

Expected<CpuCode> parablock::compileCpuCode(const CpuProgram &program,
                                            unsigned threads) {
  Expected<NativeKernels> native = translateKernels(program);
  if (!native)
    return native.takeError();
  llvm::Module &module = *native->module;
  llvm::StringSet<> names;
  for (llvm::StringRef name : program.kernels)
    names.insert(name);
  internalize(module, names);
  auto kernels = assignParts(module);
  Work work{program.target, {}};
  for (unsigned part = 0; part < mostParts; ++part)
    if (llvm::any_of(kernels,
                     [&](const auto &each) { return each.second == part; })) {
      work.parts.emplace_back();
      work.parts.back().bitcode = writePart(module, kernels, part);
    }
  cpu::ThreadPool pool(threads);
  pool.run(static_cast<int64_t>(work.parts.size()), /*grain=*/1, compileParts,
           &work);
  CpuCode code;
  llvm::StringSet<> externals;
  for (Part &part : work.parts) {
    if (!part.fault.empty())
      return llvm::createStringError(part.fault);
    code.objects.push_back(std::move(part.object));
    for (llvm::StringRef name : part.externals.keys())
      externals.insert(name);
  }
  for (llvm::StringRef name : externals.keys())
    code.externals.push_back(name.str());
  llvm::sort(code.externals);
  return code;
}
