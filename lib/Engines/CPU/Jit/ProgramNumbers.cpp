//===- ProgramNumbers.cpp - a CPU program for the runtime -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/ProgramNumbers.h"

#include "parablock/Engines/CPU/Runtime/Program.h"
#include "llvm/ADT/StringMap.h"

using namespace parablock;
using llvm::ArrayRef;

namespace {
/// The mirror image of the runtime's Reader: one method per line of the format.
class Writer {
public:
  explicit Writer(ProgramNumbers &result) : result(result) {}

  void add(int64_t number) { result.numbers.push_back(number); }

  template <typename Items> void addList(const Items &items) {
    add(static_cast<int64_t>(items.size()));
    for (const auto &item : items)
      add(item);
  }

  void add(const Extent &extent) {
    add(extent.value);
    add(static_cast<int64_t>(extent.symbol));
  }

  void add(const SizeSymbol &symbol) {
    add(static_cast<int64_t>(symbol.places.front().tensor));
    add(static_cast<int64_t>(symbol.places.front().dim));
  }

  void add(const CpuTensor &tensor) {
    add(static_cast<int64_t>(tensor.kind));
    add(static_cast<int64_t>(getElementSize(tensor.type)));
    add(static_cast<int64_t>(tensor.position));
    add(static_cast<int64_t>(tensor.firstUse));
    add(static_cast<int64_t>(tensor.lastUse));
    addList(tensor.shape);
  }

  void add(const WorkItems &work) {
    add(work.factor);
    addList(work.outer);
    addList(work.inner);
    add(work.block);
  }

  void add(const CpuLaunch &launch) {
    auto [kernel, isNew] =
        kernelOf.try_emplace(launch.kernel, result.kernels.size());
    if (isNew)
      result.kernels.push_back(launch.kernel);
    add(static_cast<int64_t>(kernel->second));
    addList(llvm::SmallVector<int64_t>(launch.tensors.begin(),
                                       launch.tensors.end()));
    addList(launch.dims);
    add(static_cast<int64_t>(launch.numResults));
    add(launch.items);
    add(launch.grain);
    add(launch.scratchBytes);
  }

private:
  ProgramNumbers &result;
  llvm::StringMap<size_t> kernelOf;
};
} // namespace

ProgramNumbers parablock::makeProgramNumbers(const CpuProgram &program) {
  static_assert(static_cast<int>(cpu::TensorKind::Parameter) ==
                    CpuTensor::Parameter &&
                static_cast<int>(cpu::TensorKind::Result) == CpuTensor::Result);
  static_assert(cpu::alignment == CpuLaunch::alignment);
  ProgramNumbers result;
  Writer writer(result);
  writer.add(cpu::programVersion);
  writer.addList(program.symbols);
  writer.addList(program.tensors);
  writer.addList(program.prepack);
  writer.addList(program.launches);
  return result;
}
