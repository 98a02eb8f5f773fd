//===- Stream.cpp - stores chunks in memory or a file ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Stream.h"

#include "llvm/ADT/SmallString.h"
#include <cerrno>
#include <unistd.h>

using namespace parablock;
using namespace parablock::drift;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// SpillFile
//===----------------------------------------------------------------------===//

static Error makeError(llvm::StringRef what) {
  return llvm::createStringError(
      "temporary file for hidden states: " + what + ": " +
      std::error_code(errno, std::generic_category()).message());
}

SpillFile::~SpillFile() {
  if (descriptor >= 0)
    ::close(descriptor);
}

Error SpillFile::open() {
  llvm::SmallString<128> path;
  if (std::error_code code = llvm::sys::fs::createTemporaryFile(
          "parablock-drift", "tmp", descriptor, path)) {
    descriptor = -1;
    return llvm::createStringError("temporary file for hidden states: " +
                                   code.message());
  }
  // The file exists until it is closed.
  (void)llvm::sys::fs::remove(path);
  return Error::success();
}

bool SpillFile::claim(uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  if (used + bytes > limit)
    return false;
  used += bytes;
  return true;
}

void SpillFile::releaseMemory(uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  used -= bytes;
}

void SpillFile::release(uint64_t offset, uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  unused[bytes].push_back(offset);
}

Expected<uint64_t> SpillFile::write(ArrayRef<double> values) {
  uint64_t offset;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (descriptor < 0)
      if (Error error = open())
        return error;
    std::vector<uint64_t> &places = unused[values.size() * sizeof(double)];
    if (places.empty()) {
      offset = end;
      end += values.size() * sizeof(double);
    } else {
      offset = places.back();
      places.pop_back();
    }
  }
  const char *bytes = reinterpret_cast<const char *>(values.data());
  for (uint64_t done = 0, size = values.size() * sizeof(double); done < size;) {
    ssize_t count =
        ::pwrite(descriptor, bytes + done, size - done, offset + done);
    if (count <= 0)
      return makeError("cannot write");
    done += static_cast<uint64_t>(count);
  }
  return offset;
}

Error SpillFile::read(uint64_t offset, llvm::MutableArrayRef<double> values) {
  char *bytes = reinterpret_cast<char *>(values.data());
  for (uint64_t done = 0, size = values.size() * sizeof(double); done < size;) {
    ssize_t count =
        ::pread(descriptor, bytes + done, size - done, offset + done);
    if (count <= 0)
      return makeError("cannot read");
    done += static_cast<uint64_t>(count);
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Stream
//===----------------------------------------------------------------------===//

/// Counts by the shape: a tensor in the file has no values.
static uint64_t countNumbers(const runner::Tensor &tensor) {
  uint64_t count = 1;
  for (int64_t size : tensor.shape)
    count *= static_cast<uint64_t>(size);
  return count;
}

static uint64_t getBytes(const runner::Tensor &tensor) {
  return countNumbers(tensor) * sizeof(double);
}

Stream &Stream::operator=(Stream &&other) {
  clear();
  file = other.file;
  slots = std::move(other.slots);
  other.slots.clear();
  return *this;
}

void Stream::release(size_t chunk) {
  Slot &slot = slots[chunk];
  if (slot.offset)
    file->release(*slot.offset, getBytes(slot.tensor));
  else if (slot.tensor.values)
    file->releaseMemory(getBytes(slot.tensor));
  slot = {};
}

void Stream::clear() {
  for (size_t chunk = 0; chunk < slots.size(); ++chunk)
    release(chunk);
  slots.clear();
}

Error Stream::set(size_t chunk, runner::Tensor tensor) {
  release(chunk);
  Slot &slot = slots[chunk];
  if (!file->claim(getBytes(tensor))) {
    Expected<uint64_t> offset = file->write(tensor.data());
    if (!offset)
      return offset.takeError();
    slot.offset = *offset;
    tensor.values.reset();
  }
  slot.tensor = std::move(tensor);
  return Error::success();
}

Expected<runner::Tensor> Stream::get(size_t chunk) const {
  const Slot &slot = slots[chunk];
  if (!slot.offset)
    return slot.tensor;
  std::vector<double> values(countNumbers(slot.tensor));
  if (Error error = file->read(*slot.offset, values))
    return error;
  runner::Tensor tensor = slot.tensor;
  tensor.values =
      std::make_shared<const std::vector<double>>(std::move(values));
  return tensor;
}
