//===- TensorMemory.h - tensors in raw memory -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPUENGINE_TENSORMEMORY_H
#define PARABLOCK_LIB_CPUENGINE_TENSORMEMORY_H

#include "parablock/Engines/CPU/CpuExecutable.h"
#include "parablock/Engines/CPUEngine/CpuEngine.h"

namespace parablock {

/// Raw memory of tensors, by position.
class TensorMemory {
public:
  /// Adds memory of `tensor`, none where that is null.
  llvm::Error add(const CpuTensor *tensor, const cpu::Symbols &symbols);
  /// Adds memory that holds `values` in the tensor's type.
  llvm::Error add(const CpuTensor *tensor, const runner::Tensor &values,
                  const cpu::Symbols &symbols);

  llvm::MutableArrayRef<uint8_t> get(size_t index) {
    return {reinterpret_cast<uint8_t *>(memories[index].data()),
            static_cast<size_t>(sizes[index])};
  }
  size_t size() const { return sizes.size(); }
  uint64_t getBytes() const { return bytes; }

private:
  std::vector<cpu::AlignedMemory> memories;
  std::vector<int64_t> sizes;
  uint64_t bytes = 0;
};

/// Adds memory for the first `count` results; returns the added pointers.
llvm::Expected<std::vector<void *>> addResults(TensorMemory &memory,
                                               const CpuExecutable &executable,
                                               const cpu::Symbols &symbols,
                                               unsigned count);

/// Returns the results that a run wrote; an error if doubles cannot represent
/// them.
llvm::Expected<std::vector<runner::Tensor>>
readResults(TensorMemory &memory, const CpuExecutable &executable,
            const cpu::Symbols &symbols);

/// The program's sizes where arguments have the shapes of these.
llvm::Expected<cpu::Symbols>
findSymbols(const CpuExecutable &executable,
            llvm::ArrayRef<runner::Tensor> arguments);

} // namespace parablock

#endif // PARABLOCK_LIB_CPUENGINE_TENSORMEMORY_H
