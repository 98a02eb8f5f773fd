//===- Memory.cpp - memory pools as C functions ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include "Handles.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace parablock;
using namespace parablock::capi;
using cpu::MemoryCounts;
using cpu::MemoryUse;

ParablockMemory *parablockMemoryCreate() {
  ParablockMemory *memory = nullptr;
  (void)contain([&] { memory = new ParablockMemory; });
  return memory;
}

void parablockMemoryDestroy(ParablockMemory *memory) { delete memory; }

void *parablockMemoryAllocate(ParablockMemory *memory, const char *use,
                              size_t bytes) {
  if (!memory || !use)
    return nullptr;
  auto known = llvm::StringSwitch<std::optional<MemoryUse>>(use)
                   .Case("results", MemoryUse::Result)
                   .Case("saved", MemoryUse::Saved)
                   .Case("gradients", MemoryUse::Gradient)
                   .Default(std::nullopt);
  void *data = nullptr;
  if (known)
    (void)contain([&] { data = memory->pool->allocate(*known, bytes); });
  return data;
}

void parablockMemoryFree(ParablockMemory *memory, void *data) {
  if (memory && data)
    memory->pool->free(data);
}

size_t parablockMemoryRound(size_t bytes) {
  return cpu::MemoryPool::round(bytes);
}

static llvm::json::Object toJSON(const MemoryCounts::Bytes &bytes) {
  static constexpr llvm::StringLiteral names[] = {
      "arena_bytes", "scratch_bytes", "results_bytes", "saved_bytes",
      "gradients_bytes"};
  static_assert(std::size(names) == cpu::numMemoryUses);
  llvm::json::Object object;
  for (auto [name, count] : llvm::zip_equal(names, bytes))
    object[name] = count;
  return object;
}

char *parablockMemoryReport(ParablockMemory *memory) {
  if (!memory)
    return nullptr;
  char *text = nullptr;
  (void)contain([&] {
    MemoryCounts &counts = memory->pool->getCounts();
    llvm::json::Value report(llvm::json::Object{
        {"now", toJSON(counts.getNow())}, {"peak", toJSON(counts.getPeak())}});
    text = copyString(llvm::formatv("{0:2}", report).str());
  });
  return text;
}

void parablockMemoryForgetPeak(ParablockMemory *memory) {
  if (memory)
    memory->pool->getCounts().forgetPeak();
}
