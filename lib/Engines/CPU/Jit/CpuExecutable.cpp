//===- CpuExecutable.cpp - links objects and runs a program ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/CpuExecutable.h"

#include "NativeCode.h"
#include "TileEmulation.h"
#include "parablock/Engines/CPU/Runtime/Executor.h"
#include "parablock/Support/DataFaults.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace parablock;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

struct CpuExecutable::Implementation {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  /// The linked objects, and the external symbols that they use.
  size_t numObjects = 0;
  llvm::StringSet<> externals;
  std::unique_ptr<cpu::Executor> executor;
  cpu::AlignedMemory packed;
  cpu::Workspace workspace;
};

CpuExecutable::CpuExecutable(CpuProgram program)
    : program(std::move(program)),
      implementation(std::make_unique<Implementation>()) {}

CpuExecutable::~CpuExecutable() = default;

/// Defines for `jit` the symbols that code only declares, except those in
/// `known`.
static Error defineOthers(llvm::orc::LLJIT &jit,
                          ArrayRef<std::string> externals,
                          llvm::StringSet<> &known,
                          CpuExecutable::SymbolFinder findSymbol) {
  llvm::orc::SymbolMap found;
  for (llvm::StringRef name : externals) {
    if (!known.insert(name).second)
      continue;
    void *address = findSymbol(name);
    if (!address) // memory and functions of the C library
      address = llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name.str());
    if (!address)
      return llvm::createStringError("kernels need '" + name +
                                     "', which is not to be found");
    found[jit.mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(address),
        llvm::JITSymbolFlags::Exported};
  }
  return jit.getMainJITDylib().define(
      llvm::orc::absoluteSymbols(std::move(found)));
}

/// Links code in memory, adding to the linked objects, with its external
/// symbols.
Error CpuExecutable::link(const CpuCode &code, SymbolFinder findOther) {
  std::unique_ptr<llvm::orc::LLJIT> &jit = implementation->jit;
  if (!jit) {
    Expected<std::unique_ptr<llvm::orc::LLJIT>> made =
        llvm::orc::LLJITBuilder()
            .setJITTargetMachineBuilder(makeMachineBuilder(program.target))
            // Kernels have nothing that runs before or after them.
            .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
            .create();
    if (!made)
      return made.takeError();
    jit = std::move(*made);
  }
  auto findAny = [&](llvm::StringRef name) {
    void *function = findTileFunction(name);
    return function || !findOther ? function : findOther(name);
  };
  SymbolFinder findSymbol = findOther;
  if (program.target.emulatesTiles)
    findSymbol = findAny;
  if (findSymbol)
    if (Error error = defineOthers(*jit, code.externals,
                                   implementation->externals, findSymbol))
      return error;
  for (size_t &number = implementation->numObjects;
       number < code.objects.size(); ++number)
    if (Error error = jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(
            code.objects[number], "kernels" + llvm::Twine(number))))
      return error;
  return Error::success();
}

Expected<std::vector<cpu::Kernel>>
CpuExecutable::findKernels(const std::vector<cpu::LaunchData> *list) {
  std::vector<cpu::Kernel> kernels(program.kernels.size());
  std::vector<bool> isWanted(kernels.size(), !list);
  if (list)
    for (const cpu::LaunchData &launch : *list)
      isWanted[static_cast<size_t>(launch.kernel)] = true;
  for (size_t i = 0; i < kernels.size(); ++i) {
    if (!isWanted[i])
      continue;
    Expected<llvm::orc::ExecutorAddr> address =
        implementation->jit->lookup(program.kernels[i]);
    if (!address)
      return address.takeError();
    kernels[i] = address->toPtr<cpu::Kernel>();
  }
  return kernels;
}

Expected<std::unique_ptr<CpuExecutable>>
CpuExecutable::create(CpuProgram program, SymbolFinder findSymbol) {
  if (Error error = checkRunsHere(program.target))
    return error;
  Expected<CpuCode> code = compileCpuCode(program);
  if (!code)
    return code.takeError();
  program.module = nullptr;
  return create(std::move(program), *code, findSymbol);
}

Expected<std::unique_ptr<CpuExecutable>>
CpuExecutable::create(CpuProgram program, const CpuCode &code,
                      SymbolFinder findSymbol, bool isForPacking) {
  cpu::ProgramData data = program.getData();
  std::unique_ptr<CpuExecutable> result(new CpuExecutable(std::move(program)));
  if (Error error = result->link(code, findSymbol))
    return error;
  Expected<std::vector<cpu::Kernel>> kernels =
      result->findKernels(isForPacking ? &data.prepack : nullptr);
  if (!kernels)
    return kernels.takeError();
  result->implementation->executor =
      std::make_unique<cpu::Executor>(std::move(data), std::move(*kernels));
  return result;
}

Expected<std::unique_ptr<CpuExecutable>>
CpuExecutable::create(CpuProgram program, const CpuCode &code,
                      SymbolFinder findSymbol) {
  return create(std::move(program), code, findSymbol, /*isForPacking=*/false);
}

Expected<std::unique_ptr<CpuExecutable>>
CpuExecutable::createForPacking(CpuProgram program, const CpuCode &code,
                                SymbolFinder findSymbol) {
  return create(std::move(program), code, findSymbol, /*isForPacking=*/true);
}

Error CpuExecutable::finish(const CpuCode &code, SymbolFinder findSymbol) {
  if (Error error = link(code, findSymbol))
    return error;
  Expected<std::vector<cpu::Kernel>> kernels = findKernels(/*list=*/nullptr);
  if (!kernels)
    return kernels.takeError();
  implementation->executor->setKernels(std::move(*kernels));
  return Error::success();
}

const CpuTensor *CpuExecutable::find(bool isResult, unsigned position) const {
  for (const CpuTensor &tensor : program.tensors)
    if (tensor.position == position &&
        (isResult ? tensor.kind == cpu::TensorKind::Result
                  : tensor.isArgument()))
      return &tensor;
  return nullptr;
}

const CpuTensor *CpuExecutable::findArgument(unsigned position) const {
  return find(/*isResult=*/false, position);
}

const CpuTensor *CpuExecutable::findResult(unsigned position) const {
  return find(/*isResult=*/true, position);
}

/// Sizes that ranks divide among them.
static Error checkDivisible(const CpuProgram &program,
                            const cpu::Symbols &values) {
  for (const CpuTensor &tensor : program.tensors)
    for (const cpu::ExtentData &extent : tensor.shape)
      if (!extent.divides(values))
        return llvm::createStringError(
            "expected dimension '" + program.symbols[extent.symbol].name +
            "' to be a multiple of the " + llvm::Twine(extent.value) +
            " ranks, got " + llvm::Twine(values[extent.symbol]));
  return Error::success();
}

/// Returns the error for a run that needs too much memory.
static Error makeSizeError(const CpuProgram &program,
                           const cpu::Symbols &values) {
  std::string message = "sizes are negative or too large:";
  for (auto [symbol, value] : llvm::zip_equal(program.symbols, values))
    message += " " + symbol.name + " = " + llvm::itostr(value);
  return llvm::createStringError(message);
}

llvm::SmallVector<int64_t, 4>
CpuTensor::getShape(const cpu::Symbols &symbols) const {
  return llvm::map_to_vector<4>(shape, [&](const cpu::ExtentData &extent) {
    return extent.evaluate(symbols);
  });
}

Expected<cpu::Symbols>
CpuExecutable::findSymbols(ArrayRef<CpuShape> arguments) const {
  cpu::Symbols values(program.symbols.size(), -1);
  for (const CpuTensor &tensor : program.tensors) {
    if (!tensor.isArgument())
      continue;
    ArrayRef<int64_t> shape = arguments[tensor.position];
    if (shape.size() != tensor.shape.size())
      return llvm::createStringError(
          "argument '" + tensor.name + "': expected " +
          llvm::Twine(tensor.shape.size()) + " dimensions, got " +
          llvm::Twine(shape.size()));
    for (auto [dim, extent] : llvm::enumerate(tensor.shape)) {
      int64_t want = extent.symbol < 0 ? extent.value : values[extent.symbol];
      if (want < 0)
        values[extent.symbol] = shape[dim];
      else if (want != shape[dim])
        return llvm::createStringError(
            "argument '" + tensor.name + "': expected dimension " +
            llvm::Twine(dim) + " to be " + llvm::Twine(want) +
            (extent.symbol < 0
                 ? std::string()
                 : " ('" + program.symbols[extent.symbol].name + "')") +
            ", got " + llvm::Twine(shape[dim]));
    }
  }
  for (auto [symbol, value] : llvm::zip_equal(program.symbols, values))
    if (symbol.isComputed())
      value = symbol.evaluate(values);
  if (Error error = checkDivisible(program, values))
    return error;
  if (!implementation->executor->getSized(values)->isPossible)
    return makeSizeError(program, values);
  return values;
}

Error CpuExecutable::prepack(ArrayRef<const void *> arguments,
                             ParablockPool *pool,
                             cpu::AlignedMemory &packed) const {
  const cpu::Executor &executor = *implementation->executor;
  if (!packed.reserve(executor.getPackedBytes()) ||
      !executor.prepack(arguments.data(), packed.data(), pool))
    return llvm::createStringError("no memory for packed weights");
  return Error::success();
}

Error CpuExecutable::prepack(ArrayRef<const void *> arguments,
                             ParablockPool *pool) {
  return prepack(arguments, pool, implementation->packed);
}

/// Returns the error for data that a launch rejects.
static Error makeFaultError(const cpu::Fault &fault) {
  const int64_t (&numbers)[4] = fault.numbers;
  if (fault.kind == cpu::Fault::NanLogit)
    return llvm::createStringError(describeNanOfRouter(numbers[0], numbers[1]));
  if (fault.kind == cpu::Fault::NanScore)
    return llvm::createStringError(
        describeNanOfRouter(numbers[0], /*expert=*/std::nullopt));
  return llvm::createStringError(describeExpertIndex(
      fault.kind == cpu::Fault::IndexWithoutExpert, std::to_string(numbers[2]),
      numbers[3], numbers[0], numbers[1]));
}

Error CpuExecutable::run(ArrayRef<const void *> arguments,
                         ArrayRef<void *> results, const cpu::Symbols &symbols,
                         ParablockPool *pool, const void *packed,
                         cpu::Workspace &workspace,
                         cpu::LaunchRange range) const {
  cpu::Executor &executor = *implementation->executor;
  std::shared_ptr<const cpu::SizedProgram> sized = executor.getSized(symbols);
  int32_t workers = pool ? pool->numWorkers : 1;
  if (!workspace.arena.reserve(sized->temporaryBytes) ||
      !workspace.scratch.reserve(executor.getScratchBytes(workers)))
    return llvm::createStringError(
        "no memory for a workspace of " +
        llvm::Twine(executor.getWorkspaceBytes(*sized, workers)) + " bytes");
  cpu::RunBuffers buffers;
  buffers.parameters = buffers.inputs = arguments.data();
  buffers.packed = packed;
  buffers.results = results.data();
  buffers.workspace = workspace.arena.data();
  buffers.scratch = workspace.scratch.data();
  cpu::Fault fault = executor.run(*sized, buffers, pool, range);
  return fault.kind == cpu::Fault::None ? Error::success()
                                        : makeFaultError(fault);
}

Error CpuExecutable::run(ArrayRef<const void *> arguments,
                         ArrayRef<void *> results, const cpu::Symbols &symbols,
                         ParablockPool *pool) {
  return run(arguments, results, symbols, pool, implementation->packed.data(),
             implementation->workspace);
}

uint64_t CpuExecutable::getPackedBytes() const {
  return implementation->executor->getPackedBytes();
}

uint64_t CpuExecutable::getWorkspaceBytes() const {
  return implementation->workspace.getBytes();
}

uint64_t CpuExecutable::getTemporaryBytes(const cpu::Symbols &symbols) const {
  return implementation->executor->getSized(symbols)->temporaryBytes;
}

/// Returns the largest number of bytes of tensors that runs pack at a time.
static uint64_t findMostPacked(const CpuProgram &program) {
  std::vector<int64_t> changes(program.launches.size() + 1);
  for (const CpuTensor &tensor : program.tensors) {
    if (!tensor.isPackedInRuns)
      continue;
    auto bytes =
        static_cast<int64_t>(cpu::AlignedMemory::round(tensor.getBytes({})));
    changes[tensor.firstUse] += bytes;
    changes[tensor.lastUse + 1] -= bytes;
  }
  int64_t now = 0, most = 0;
  for (int64_t change : changes)
    most = std::max(most, now += change);
  return static_cast<uint64_t>(most);
}

CpuRunBytes CpuExecutable::getRunBytes(const cpu::Symbols &symbols,
                                       const ParablockPool *pool) const {
  cpu::Executor &executor = *implementation->executor;
  return {getTemporaryBytes(symbols),
          executor.getScratchBytes(pool ? pool->numWorkers : 1),
          findMostPacked(program)};
}

CpuRunBytes parablock::countRunBytes(const CpuProgram &program,
                                     int32_t workers) {
  cpu::Executor executor(program.getData(), {});
  return {executor.getSized({})->temporaryBytes,
          executor.getScratchBytes(workers), findMostPacked(program)};
}
