//===- CApiMemory.cpp - functions on facts and memory of a device ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Handles.h"

using namespace parablock;
using namespace parablock::launch;

struct pbl_memory {
  static constexpr char what[] = "memory";
  std::shared_ptr<DeviceContext> context;
  DeviceBuffer buffer;
};

pbl_code pbl_device_get_facts(const pbl_device *device, pbl_device_facts *facts,
                              pbl_error *error) {
  return run(error, [&]() -> Status {
    std::shared_ptr<pbl_device> own;
    if (Status failure = find(device, own))
      return failure;
    if (Status failure = checkGiven(facts, "facts to fill in"))
      return failure;
    const DeviceContext &context = *own->context;
    CurrentContext current(context);
    size_t available = 0, total = 0;
    if (Status failure = context.driver.check(
            context.driver.getMemoryInfo(&available, &total), "cuMemGetInfo"))
      return failure;
    *facts = {};
    facts->chip = context.findChip();
    facts->major = static_cast<uint32_t>(context.major);
    facts->minor = static_cast<uint32_t>(context.minor);
    facts->multiprocessors = static_cast<uint32_t>(context.multiprocessors);
    facts->total_bytes = total;
    facts->free_bytes = available;
    return {};
  });
}

pbl_memory *pbl_memory_allocate(pbl_device *device, uint64_t bytes,
                                const char *what, pbl_error *error) {
  return make<pbl_memory>(error, [&](pbl_memory &made) -> Status {
    std::shared_ptr<pbl_device> own;
    if (Status failure = find(device, own))
      return failure;
    if (Status failure = checkGiven(what, "what the memory is for"))
      return failure;
    made.context = own->context;
    const Driver &driver = made.context->driver;
    CurrentContext current(*made.context);
    if (Status failure = made.buffer.allocate(*made.context, bytes, what))
      return failure;
    if (bytes == 0)
      return {};
    if (Status failure =
            driver.check(driver.fill(made.buffer.pointer(), 0, bytes, nullptr),
                         "cuMemsetD8Async"))
      return failure;
    return driver.check(driver.waitForStream(nullptr), "cuStreamSynchronize");
  });
}

void pbl_memory_release(pbl_memory *memory) {
  Handles<pbl_memory>::get().remove(memory);
}

uint64_t pbl_memory_pointer(const pbl_memory *memory) {
  std::shared_ptr<pbl_memory> own = Handles<pbl_memory>::get().find(memory);
  return own ? own->buffer.pointer() : 0;
}

static Status checkRange(const pbl_memory &memory, uint64_t offset,
                         uint64_t bytes) {
  uint64_t size = memory.buffer.size();
  if (offset <= size && bytes <= size - offset)
    return {};
  return fail("expected a part of " + std::to_string(size) + " bytes, got " +
              std::to_string(bytes) + " at " + std::to_string(offset));
}

/// The driver leaves copies between bytes that overlap undefined. A copy to
/// itself changes nothing.
static bool isOverlap(const pbl_copy &copy) {
  uint64_t distance = copy.target > copy.source ? copy.target - copy.source
                                                : copy.source - copy.target;
  return distance != 0 && distance < copy.bytes;
}

/// Lets `copy` enqueue copies of a memory's bytes, and waits for them.
template <typename Copy>
static Status copyAndWait(const DeviceContext &context, const char *function,
                          const Copy &copy) {
  CurrentContext current(context);
  const Driver &driver = context.driver;
  if (Status failure = driver.check(copy(driver), function))
    return failure;
  return driver.check(driver.waitForStream(nullptr), "cuStreamSynchronize");
}

/// Finds memory, and checks a part of it and the caller's data.
static Status findPart(const pbl_memory *memory, uint64_t offset,
                       uint64_t bytes, const void *data,
                       std::shared_ptr<pbl_memory> &own) {
  if (Status failure = find(memory, own))
    return failure;
  if (Status failure = checkRange(*own, offset, bytes))
    return failure;
  return bytes ? checkGiven(data, "data") : Status();
}

pbl_code pbl_memory_upload(pbl_memory *memory, uint64_t offset,
                           const void *data, uint64_t bytes, pbl_error *error) {
  return run(error, [&]() -> Status {
    std::shared_ptr<pbl_memory> own;
    Status failure = findPart(memory, offset, bytes, data, own);
    if (failure || bytes == 0)
      return failure;
    CurrentContext current(*own->context);
    return own->context->stages.upload(own->buffer.pointer() + offset, data,
                                       bytes);
  });
}

pbl_code pbl_memory_download(const pbl_memory *memory, uint64_t offset,
                             void *data, uint64_t bytes, pbl_error *error) {
  return run(error, [&]() -> Status {
    std::shared_ptr<pbl_memory> own;
    Status failure = findPart(memory, offset, bytes, data, own);
    if (failure || bytes == 0)
      return failure;
    return copyAndWait(
        *own->context, "cuMemcpyDtoHAsync", [&](const Driver &driver) {
          return driver.download(data, own->buffer.pointer() + offset, bytes,
                                 nullptr);
        });
  });
}

pbl_code pbl_memory_copy(pbl_memory *target, const pbl_memory *source,
                         const pbl_copy *copies, uint32_t num_copies,
                         pbl_error *error) {
  return run(error, [&]() -> Status {
    std::shared_ptr<pbl_memory> to, from;
    if (Status failure = find(target, to))
      return failure;
    if (Status failure = find(source, from))
      return failure;
    if (!to->context->isSameDevice(*from->context))
      return fail("expected memory of one device, got that of two");
    if (num_copies)
      if (Status failure = checkGiven(copies, "copies"))
        return failure;
    for (uint32_t i = 0; i < num_copies; ++i) {
      if (Status failure = checkRange(*to, copies[i].target, copies[i].bytes))
        return failure;
      if (Status failure = checkRange(*from, copies[i].source, copies[i].bytes))
        return failure;
      if (to == from && isOverlap(copies[i]))
        return fail("expected a copy to other bytes, got " +
                    std::to_string(copies[i].bytes) + " from " +
                    std::to_string(copies[i].source) + " to " +
                    std::to_string(copies[i].target) + " of one memory");
    }
    return copyAndWait(
        *to->context, "cuMemcpyDtoDAsync", [&](const Driver &driver) {
          cuda::Result result = cuda::Success;
          for (uint32_t i = 0; i < num_copies && result == cuda::Success; ++i)
            if (copies[i].bytes &&
                (to != from || copies[i].target != copies[i].source))
              result = driver.copy(to->buffer.pointer() + copies[i].target,
                                   from->buffer.pointer() + copies[i].source,
                                   copies[i].bytes, nullptr);
          return result;
        });
  });
}
