//===- ProgramLists.h - the tensors of one kind -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_JIT_PROGRAMLISTS_H
#define PARABLOCK_LIB_CPU_JIT_PROGRAMLISTS_H

#include "parablock/Engines/CPU/CpuProgram.h"
#include "llvm/ADT/STLExtras.h"

namespace parablock {

/// In the order of their positions.
inline std::vector<const CpuTensor *>
listTensors(llvm::ArrayRef<CpuTensor> tensors, cpu::TensorKind kind) {
  std::vector<const CpuTensor *> list;
  for (const CpuTensor &tensor : tensors)
    if (tensor.kind == kind)
      list.push_back(&tensor);
  llvm::stable_sort(list, [](const CpuTensor *a, const CpuTensor *b) {
    return a->position < b->position;
  });
  return list;
}

} // namespace parablock

#endif // PARABLOCK_LIB_CPU_JIT_PROGRAMLISTS_H
