//===- Memory.h - object of ParablockMemory ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CAPI_MEMORY_H
#define PARABLOCK_LIB_CAPI_MEMORY_H

#include "parablock-c/Memory.h"
#include "parablock/Engines/CPU/Runtime/MemoryPool.h"

struct ParablockMemory {
  std::shared_ptr<parablock::cpu::MemoryPool> pool =
      std::make_shared<parablock::cpu::MemoryPool>();
};

#endif // PARABLOCK_LIB_CAPI_MEMORY_H
