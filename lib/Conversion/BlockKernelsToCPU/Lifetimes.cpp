//===- Lifetimes.cpp - computes lifetimes and inserts packing -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifetimes.h"

#include "DivideRows.h"
#include "OrderLaunches.h"
#include "parablock/Conversion/BlockKernelsToCPU/LowerToCpu.h"

#include "llvm/ADT/STLExtras.h"

using namespace parablock;

void cpugen::findLifetimes(CpuProgram &program) {
  llvm::SmallVector<bool> seen(program.tensors.size());
  for (auto [number, launch] : llvm::enumerate(program.launches))
    for (int64_t index : launch.tensors) {
      CpuTensor &tensor = program.tensors[index];
      if (!seen[index])
        tensor.firstUse = number;
      seen[index] = true;
      tensor.lastUse = number;
    }
}

/// Returns whether `launch`, the one of that number, may write `result` over
/// `input`.
static bool mayShare(const CpuProgram &program, int64_t number, int64_t result,
                     int64_t input) {
  const CpuTensor &to = program.tensors[result], &from = program.tensors[input];
  auto isSame = [](const cpu::ExtentData &a, const cpu::ExtentData &b) {
    return a.value == b.value && a.symbol == b.symbol;
  };
  return to.kind == cpu::TensorKind::Temporary &&
         from.kind == cpu::TensorKind::Temporary && to.firstUse == number &&
         from.firstUse < number && from.lastUse == number &&
         to.elementBytes == from.elementBytes &&
         llvm::equal(to.shape, from.shape, isSame) &&
         llvm::count(program.launches[number].tensors, input) == 1;
}

void cpugen::shareInPlace(CpuProgram &program) {
  for (auto [number, parts] : llvm::enumerate(program.parts))
    for (size_t i = 0; i < parts.inPlace.size(); i += 2) {
      const std::vector<int64_t> &own = program.launches[number].tensors;
      int64_t result = own[parts.inPlace[i]], input = own[parts.inPlace[i + 1]];
      if (!mayShare(program, static_cast<int64_t>(number), result, input))
        continue;
      CpuTensor &gone = program.tensors[result];
      int64_t last = gone.lastUse;
      program.tensors[input].lastUse = last;
      for (int64_t user = number; user <= last; ++user)
        llvm::replace(program.launches[user].tensors, result, input);
      // It is unused now, and needs no memory.
      gone.shape = {{0, -1}};
      gone.firstUse = gone.lastUse = 0;
    }
}

namespace {
/// Inserts the launches of packing into those of a run.
class PackingInRuns {
public:
  explicit PackingInRuns(CpuProgram &program)
      : program(program),
        firstRead(program.tensors.size(), program.launches.size()) {}

  void run();

private:
  void findFirstReads();
  /// Returns the first launch of the run that reads the output of `pack`, or
  /// the number of launches if none does.
  size_t findReader(const cpu::LaunchData &pack) const;
  void insert();

  CpuProgram &program;
  /// The launch of the run before which each tensor must exist.
  std::vector<size_t> firstRead;
};
} // namespace

size_t PackingInRuns::findReader(const cpu::LaunchData &pack) const {
  size_t first = program.launches.size();
  for (int64_t made : llvm::ArrayRef(pack.tensors).take_back(pack.numResults))
    first = std::min(first, firstRead[made]);
  return first;
}

void PackingInRuns::findFirstReads() {
  for (auto [number, launch] : llvm::enumerate(program.launches))
    for (int64_t tensor : launch.tensors)
      firstRead[tensor] = std::min(firstRead[tensor], number);
  // Packing reads earlier packed tensors.
  for (const cpu::LaunchData &pack : llvm::reverse(program.prepack)) {
    size_t first = findReader(pack);
    for (int64_t tensor : pack.tensors)
      firstRead[tensor] = std::min(firstRead[tensor], first);
  }
}

void PackingInRuns::insert() {
  std::vector<std::vector<cpu::LaunchData>> before(program.launches.size() + 1);
  for (cpu::LaunchData &pack : program.prepack)
    before[findReader(pack)].push_back(std::move(pack));
  std::vector<cpu::LaunchData> launches;
  std::vector<int64_t> layers;
  // Weights that no launch reads are not packed.
  for (size_t i = 0; i < program.launches.size(); ++i) {
    llvm::move(before[i], std::back_inserter(launches));
    launches.push_back(std::move(program.launches[i]));
    layers.resize(launches.size(), program.layers[i]);
  }
  program.launches = std::move(launches);
  program.layers = std::move(layers);
  program.prepack.clear();
}

void PackingInRuns::run() {
  findFirstReads();
  insert();
  for (CpuTensor &tensor : program.tensors) {
    tensor.firstUse = tensor.lastUse = 0;
    tensor.isPackedInRuns = tensor.kind == cpu::TensorKind::Packed;
    if (tensor.isPackedInRuns)
      tensor.kind = cpu::TensorKind::Temporary;
  }
  cpugen::findLifetimes(program);
}

void parablock::packInRuns(CpuProgram &program, int32_t workers) {
  cpugen::orderLaunches(program);
  cpugen::findLifetimes(program);
  cpugen::divideRows(program, workers);
  PackingInRuns(program).run();
}
