//===- ProgramNumbers.cpp - encodes a program as numbers ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/ProgramNumbers.h"

using namespace parablock;
using namespace parablock::cpu;

namespace {
/// The inverse of the runtime's Reader: one method per line of the format.
class NumberWriter {
public:
  std::vector<int64_t> numbers;

  void add(int64_t number) { numbers.push_back(number); }

  template <typename Item> void add(const std::vector<Item> &items) {
    add(static_cast<int64_t>(items.size()));
    for (const Item &item : items)
      add(item);
  }

  template <typename... Items> void addAll(const Items &...items) {
    (add(items), ...);
  }

  void add(const ExtentData &extent) { addAll(extent.value, extent.symbol); }

  void add(const SizeStep &step) { addAll(step.kind, step.value); }

  void add(const SymbolData &symbol) {
    addAll(symbol.tensor, symbol.dim, symbol.steps);
  }

  void add(const TensorData &tensor) {
    addAll(static_cast<int64_t>(tensor.kind), tensor.elementBytes,
           tensor.position, tensor.firstUse, tensor.lastUse, tensor.shape);
  }

  void add(const WorkData &work) {
    addAll(work.factor, work.outer, work.inner, work.block);
  }

  void add(const LaunchData &launch) {
    addAll(launch.kernel, launch.tensors, launch.dims, launch.numResults,
           launch.work, launch.grain, launch.scratchBytes, launch.offsets,
           launch.reports);
  }
};
} // namespace

std::vector<int64_t> parablock::makeProgramNumbers(const ProgramData &program) {
  NumberWriter writer;
  writer.addAll(programVersion, static_cast<int64_t>(program.needs),
                program.symbols, program.tensors, program.prepack,
                program.launches);
  return std::move(writer.numbers);
}
