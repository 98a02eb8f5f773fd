//===- CpuCode.cpp - splits kernels and compiles the parts ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels are independent: they are compiled in parts, each in a separate LLVM
// context, on all threads. The parts do not depend on the number of threads.
// Kernels that pack weights are a separate part: one thread can pack with it
// while the others compile.
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
#include <atomic>

using namespace parablock;
using llvm::Expected;

/// More parts would not be faster: the longest kernel of a decoder is a fifth
/// of all.
static constexpr unsigned mostParts = 4;

/// Leaves to others the kernels alone, so that each part may have the rest.
static void internalize(llvm::Module &module,
                        const llvm::StringSet<> &kernels) {
  for (llvm::GlobalObject &value : module.global_objects())
    if (!value.isDeclaration() && !kernels.contains(value.getName()))
      value.setLinkage(llvm::GlobalValue::InternalLinkage);
}

/// The kernels that launches of `list` call.
static llvm::StringSet<> listKernels(const CpuProgram &program,
                                     llvm::ArrayRef<cpu::LaunchData> list) {
  llvm::StringSet<> names;
  for (const cpu::LaunchData &launch : list)
    names.insert(program.kernels[static_cast<size_t>(launch.kernel)]);
  return names;
}

/// Assigns each kernel to a part: 0 for those of `first`, others balanced by
/// size.
static llvm::DenseMap<const llvm::GlobalValue *, unsigned>
assignParts(const llvm::Module &module, const llvm::StringSet<> &first) {
  std::vector<std::pair<unsigned, const llvm::Function *>> kernels;
  llvm::DenseMap<const llvm::GlobalValue *, unsigned> parts;
  for (const llvm::Function &function : module) {
    if (function.isDeclaration() || function.hasLocalLinkage())
      continue;
    if (first.contains(function.getName()))
      parts[&function] = 0;
    else
      kernels.push_back({function.getInstructionCount(), &function});
  }
  llvm::sort(kernels, [](const auto &a, const auto &b) {
    return a.first != b.first ? a.first > b.first
                              : a.second->getName() < b.second->getName();
  });
  std::array<unsigned, mostParts> loads = {};
  for (auto [size, kernel] : kernels) {
    auto *least = llvm::min_element(loads);
    *least += size;
    parts[kernel] = static_cast<unsigned>(least - loads.begin()) + 1;
  }
  return parts;
}

/// Returns the kernels of one part as bitcode, with all shared definitions; the
/// first passes remove unused ones.
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

/// Returns an object file, and the names of external symbols that it uses.
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
} // namespace

struct CpuCompilation::Work {
  CpuTarget target;
  /// The part for packing first, if there is one.
  std::vector<Part> parts;
  bool hasPacking = false;

  Packing pack = nullptr;
  std::string packFault;
  bool isPacked = false;
  unsigned threads = 1;
  /// Next part that no thread compiles yet.
  std::atomic<size_t> next{0};

  void compile(Part &part) const;
  void compileAll();
  void packFirst();
  CpuCode collect(llvm::ArrayRef<Part> list) const;
  static void runWorker(void *context, int32_t worker, int64_t, int64_t);
};

void CpuCompilation::Work::compile(Part &part) const {
  Expected<std::string> object =
      compilePart(part.bitcode, target, part.externals);
  if (object)
    part.object = std::move(*object);
  else
    part.fault = llvm::toString(object.takeError());
}

void CpuCompilation::Work::compileAll() {
  for (size_t i = next++; i < parts.size(); i = next++)
    compile(parts[i]);
}

CpuCode CpuCompilation::Work::collect(llvm::ArrayRef<Part> list) const {
  CpuCode code;
  llvm::StringSet<> externals;
  for (const Part &part : list) {
    code.objects.push_back(part.object);
    for (llvm::StringRef name : part.externals.keys())
      externals.insert(name);
  }
  for (llvm::StringRef name : externals.keys())
    code.externals.push_back(name.str());
  llvm::sort(code.externals);
  return code;
}

/// Compiles the part that packs weights, and runs the packing.
void CpuCompilation::Work::packFirst() {
  isPacked = true;
  llvm::MutableArrayRef<Part> first =
      llvm::MutableArrayRef(parts).take_front(hasPacking ? 1 : 0);
  for (Part &part : first) {
    compile(part);
    if (!part.fault.empty())
      return;
  }
  auto others = static_cast<unsigned>(parts.size() - first.size());
  // Threads that compile have no time.
  unsigned own = threads > others ? threads - others : 1;
  if (llvm::Error error = pack(collect(first), own))
    packFault = llvm::toString(std::move(error));
}

void CpuCompilation::Work::runWorker(void *context, int32_t worker, int64_t,
                                     int64_t) {
  auto &work = *static_cast<Work *>(context);
  // The caller's own thread packs.
  if (worker == 0 && work.pack && !work.isPacked)
    work.packFirst();
  work.compileAll();
}

CpuCompilation::CpuCompilation(std::unique_ptr<Work> work)
    : work(std::move(work)) {}
CpuCompilation::CpuCompilation(CpuCompilation &&) = default;
CpuCompilation::~CpuCompilation() = default;

Expected<CpuCompilation> CpuCompilation::create(const CpuProgram &program) {
  Expected<NativeKernels> native = translateKernels(program);
  if (!native)
    return native.takeError();
  llvm::Module &module = *native->module;
  llvm::StringSet<> names;
  for (llvm::StringRef name : program.kernels)
    names.insert(name);
  internalize(module, names);
  auto kernels = assignParts(module, listKernels(program, program.prepack));
  auto work = std::make_unique<Work>();
  work->target = program.target;
  for (unsigned part = 0; part <= mostParts; ++part)
    if (llvm::any_of(kernels,
                     [&](const auto &each) { return each.second == part; })) {
      work->hasPacking |= part == 0;
      work->parts.emplace_back();
      work->parts.back().bitcode = writePart(module, kernels, part);
    }
  return CpuCompilation(std::move(work));
}

Expected<CpuCode> CpuCompilation::run(unsigned threads, Packing pack) {
  cpu::ThreadPool pool(threads);
  work->pack = pack;
  work->threads = static_cast<unsigned>(pool.numWorkers);
  work->next = pack && work->hasPacking ? 1 : 0;
  pool.run(pool.numWorkers, /*grain=*/1, Work::runWorker, work.get());
  // The others may have finished before this thread began.
  if (pack && !work->isPacked)
    work->packFirst();
  for (const Part &part : work->parts)
    if (!part.fault.empty())
      return llvm::createStringError(part.fault);
  if (!work->packFault.empty())
    return llvm::createStringError(work->packFault);
  return work->collect(work->parts);
}

Expected<CpuCode> parablock::compileCpuCode(const CpuProgram &program,
                                            unsigned threads) {
  Expected<CpuCompilation> compilation = CpuCompilation::create(program);
  if (!compilation)
    return compilation.takeError();
  return compilation->run(threads);
}
