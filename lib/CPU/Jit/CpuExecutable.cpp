//===- CpuExecutable.cpp - a CPU program as machine code ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/CPU/CpuExecutable.h"

#include "NativeCode.h"
#include "parablock/CPU/ProgramNumbers.h"
#include "parablock/CPU/Runtime/AlignedMemory.h"
#include "parablock/CPU/Runtime/Executor.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

using namespace parablock;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

struct CpuExecutable::Implementation {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::unique_ptr<cpu::Executor> executor;
  cpu::AlignedMemory packed, workspace;
};

CpuExecutable::CpuExecutable(CpuProgram program)
    : program(std::move(program)),
      implementation(std::make_unique<Implementation>()) {}

CpuExecutable::~CpuExecutable() = default;

/// Machine code of the kernels in `module`.
static Expected<std::unique_ptr<llvm::orc::LLJIT>>
compile(mlir::ModuleOp module, const CpuTarget &target) {
  llvm::orc::JITTargetMachineBuilder builder = makeMachineBuilder(target);
  Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      builder.createTargetMachine();
  if (!machine)
    return machine.takeError();
  auto context = std::make_unique<llvm::LLVMContext>();
  Expected<std::unique_ptr<llvm::Module>> kernels =
      translateKernels(module, **machine, *context);
  if (!kernels)
    return kernels.takeError();
  Expected<std::unique_ptr<llvm::orc::LLJIT>> jit =
      llvm::orc::LLJITBuilder()
          .setJITTargetMachineBuilder(std::move(builder))
          .create();
  if (!jit)
    return jit.takeError();
  if (Error error = (*jit)->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(*kernels), std::move(context))))
    return error;
  return jit;
}

Expected<std::unique_ptr<CpuExecutable>>
CpuExecutable::create(CpuProgram program) {
  if (Error error = checkRunsHere(program.target))
    return error;
  Expected<std::unique_ptr<llvm::orc::LLJIT>> jit =
      compile(*program.module, program.target);
  if (!jit)
    return jit.takeError();
  program.module = nullptr;
  ProgramNumbers numbers = makeProgramNumbers(program);
  cpu::ProgramData data;
  bool isReadable = data.decode(numbers.numbers.data());
  assert(isReadable && "the runtime of this very build");
  (void)isReadable;
  std::vector<cpu::Kernel> kernels;
  for (llvm::StringRef name : numbers.kernels) {
    Expected<llvm::orc::ExecutorAddr> address = (*jit)->lookup(name);
    if (!address)
      return address.takeError();
    kernels.push_back(address->toPtr<cpu::Kernel>());
  }
  std::unique_ptr<CpuExecutable> result(new CpuExecutable(std::move(program)));
  result->implementation->jit = std::move(*jit);
  result->implementation->executor =
      std::make_unique<cpu::Executor>(std::move(data), std::move(kernels));
  return result;
}

const CpuTensor *CpuExecutable::find(bool isResult, unsigned position) const {
  for (const CpuTensor &tensor : program.tensors) {
    bool isArgument =
        tensor.kind == CpuTensor::Parameter || tensor.kind == CpuTensor::Input;
    if (tensor.position == position &&
        (isResult ? tensor.kind == CpuTensor::Result : isArgument))
      return &tensor;
  }
  return nullptr;
}

const CpuTensor *CpuExecutable::findArgument(unsigned position) const {
  return find(/*isResult=*/false, position);
}

const CpuTensor *CpuExecutable::findResult(unsigned position) const {
  return find(/*isResult=*/true, position);
}

Expected<llvm::SmallVector<int64_t>>
CpuExecutable::findSymbols(ArrayRef<CpuShape> arguments) const {
  llvm::SmallVector<int64_t> values(program.symbols.size(), -1);
  for (const CpuTensor &tensor : program.tensors) {
    if (tensor.kind != CpuTensor::Parameter && tensor.kind != CpuTensor::Input)
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
  return values;
}

Error CpuExecutable::prepack(ArrayRef<const void *> arguments,
                             ParablockPool *pool) {
  const cpu::Executor &executor = *implementation->executor;
  cpu::AlignedMemory &packed = implementation->packed;
  if (!packed.reserve(executor.getPackedBytes()) ||
      !executor.prepack(arguments.data(), packed.data(), pool))
    return llvm::createStringError("no memory for packed weights");
  return Error::success();
}

Error CpuExecutable::run(ArrayRef<const void *> arguments,
                         ArrayRef<void *> results, ArrayRef<int64_t> symbols,
                         ParablockPool *pool) {
  cpu::Executor &executor = *implementation->executor;
  std::shared_ptr<const cpu::SizedProgram> sized =
      executor.getSized(symbols.vec());
  cpu::AlignedMemory &workspace = implementation->workspace;
  uint64_t bytes =
      executor.getWorkspaceBytes(*sized, pool ? pool->numWorkers : 1);
  if (!workspace.reserve(bytes))
    return llvm::createStringError("no memory for a workspace of " +
                                   llvm::Twine(bytes) + " bytes");
  cpu::RunBuffers buffers;
  buffers.parameters = buffers.inputs = arguments.data();
  buffers.packed = implementation->packed.data();
  buffers.results = results.data();
  buffers.workspace = workspace.data();
  executor.run(*sized, buffers, pool);
  return Error::success();
}

uint64_t CpuExecutable::getPackedBytes() const {
  return implementation->packed.getBytes();
}

uint64_t CpuExecutable::getWorkspaceBytes() const {
  return implementation->workspace.getBytes();
}

uint64_t CpuExecutable::getTemporaryBytes(ArrayRef<int64_t> symbols) const {
  return implementation->executor->getSized(symbols.vec())->temporaryBytes;
}
