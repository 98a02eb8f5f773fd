//===- Stream.h - hidden states of all chunks -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_STREAM_H
#define PARABLOCK_LIB_DRIFT_STREAM_H

#include "parablock/Execution/Engine.h"
#include "llvm/Support/FileSystem.h"
#include <map>
#include <mutex>

namespace parablock::drift {

/// Storage for hidden states beyond the memory limit: one temporary file, which
/// is deleted when the process ends.
class SpillFile {
public:
  /// Streams keep up to `limitBytes` in memory together.
  explicit SpillFile(uint64_t limitBytes) : limit(limitBytes) {}
  ~SpillFile();
  SpillFile(const SpillFile &) = delete;
  SpillFile &operator=(const SpillFile &) = delete;

  /// Claims memory; false where there is none left.
  bool claim(uint64_t bytes);
  void releaseMemory(uint64_t bytes);
  /// Writes values and returns where they are; release gives the place back.
  llvm::Expected<uint64_t> write(llvm::ArrayRef<double> values);
  void release(uint64_t offset, uint64_t bytes);
  llvm::Error read(uint64_t offset, llvm::MutableArrayRef<double> values);

private:
  llvm::Error open();

  std::mutex mutex;
  uint64_t limit, used = 0, end = 0;
  int descriptor = -1;
  /// Freed places, by size.
  std::map<uint64_t, std::vector<uint64_t>> unused;
};

/// The stream at one point of the chain, chunk by chunk. Chunks may be set and
/// read from several threads, each chunk from one.
class Stream {
public:
  Stream() = default;
  Stream(size_t numChunks, SpillFile &file) : file(&file), slots(numChunks) {}
  Stream(Stream &&) = default;
  Stream &operator=(Stream &&other);
  ~Stream() { clear(); }

  /// Returns an empty stream of as many chunks that shares the file.
  Stream makeLike() const { return Stream(slots.size(), *file); }

  llvm::Error set(size_t chunk, runner::Tensor tensor);
  llvm::Expected<runner::Tensor> get(size_t chunk) const;
  bool empty() const { return slots.empty(); }
  void clear();

private:
  void release(size_t chunk);
  struct Slot {
    runner::Tensor tensor;
    std::optional<uint64_t> offset;
  };
  SpillFile *file = nullptr;
  std::vector<Slot> slots;
};

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_STREAM_H
