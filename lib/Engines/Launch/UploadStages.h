//===- UploadStages.h - copies from the CPU in pieces -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LAUNCH_UPLOADSTAGES_H
#define PARABLOCK_LIB_LAUNCH_UPLOADSTAGES_H

#include "parablock/Engines/Launch/Driver.h"
#include <memory>
#include <mutex>

namespace parablock::launch {

/// Page-locked memory that copies to a device go through, piece by piece: while
/// the device reads one piece, the CPU fills the next one, from a mapped file
/// at the speed of the disk. Each thread that copies has a stage of its own;
/// one is kept for the next copy.
class UploadStages {
public:
  explicit UploadStages(const Driver &driver);
  ~UploadStages();
  UploadStages(const UploadStages &) = delete;
  UploadStages &operator=(const UploadStages &) = delete;

  /// Copies on the default stream, and waits. A context must be current.
  Status upload(cuda::Pointer target, const void *source, uint64_t bytes);
  /// Frees the stage that is kept. A context must be current.
  void clear();

private:
  struct Stage;

  std::unique_ptr<Stage> take();
  Status copy(Stage &stage, cuda::Pointer target, const char *source,
              uint64_t bytes);

  const Driver &driver;
  std::mutex mutex;
  std::unique_ptr<Stage> idle;
};

} // namespace parablock::launch

#endif // PARABLOCK_LIB_LAUNCH_UPLOADSTAGES_H
