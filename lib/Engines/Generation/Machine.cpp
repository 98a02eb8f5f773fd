//===- Machine.cpp - memory of the host -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Generation/Machine.h"

#include <cstdlib>
#include <cstring>

using namespace parablock;
using namespace parablock::generation;

static Status refuseChoice() {
  return files::fail("generation: expected a function without block.sample, "
                     "which runs on devices, got one with it");
}

Status Machine::enqueue(Inputs &, Outputs &, int64_t) { return refuseChoice(); }
Status Machine::take(int64_t, Outcome &) { return refuseChoice(); }
Status Machine::setLength(size_t, int64_t) { return refuseChoice(); }

Status HostMachine::allocate(const Need &need, void *&memory) {
  // Zeros, which the system gives when they are first touched.
  memory = std::calloc(1, need.bytes);
  return memory ? Status() : files::fail("no memory for " + need.what);
}

void HostMachine::release(void *memory) { std::free(memory); }

Status HostMachine::copy(Strips target, Strips source, uint64_t bytes,
                         uint64_t count) {
  for (uint64_t strip = 0; strip < count; ++strip)
    std::memcpy(static_cast<char *>(target.memory) + strip * target.stride,
                static_cast<const char *>(source.memory) +
                    strip * source.stride,
                bytes);
  return {};
}
