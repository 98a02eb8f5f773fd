//===- UploadStages.cpp - page-locked memory for copies -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "UploadStages.h"

#include <algorithm>
#include <cstring>

using namespace parablock;
using namespace parablock::launch;

/// Large enough that a bus needs longer for it than the driver for a call.
static constexpr uint64_t pieceBytes = uint64_t(4) << 20;
/// The driver copies smaller ones through memory of its own.
static constexpr uint64_t fewBytes = uint64_t(64) << 10;

/// Two pieces, and an event each that the device has read it.
struct UploadStages::Stage {
  struct Piece {
    void *memory = nullptr;
    cuda::Event wasRead = nullptr;
  };

  explicit Stage(const Driver &driver) : driver(driver) {}
  ~Stage() {
    for (Piece &piece : pieces) {
      if (piece.wasRead)
        driver.destroyEvent(piece.wasRead);
      if (piece.memory)
        driver.releaseHost(piece.memory);
    }
  }

  bool allocate() {
    for (Piece &piece : pieces)
      if (driver.allocateHost(&piece.memory, pieceBytes) != cuda::Success ||
          driver.createEvent(&piece.wasRead, cuda::DisableTiming) !=
              cuda::Success)
        return false;
    return true;
  }

  const Driver &driver;
  Piece pieces[2];
};

UploadStages::UploadStages(const Driver &driver) : driver(driver) {}
UploadStages::~UploadStages() = default;

void UploadStages::clear() { idle.reset(); }

/// Returns null if there is no page-locked memory left.
std::unique_ptr<UploadStages::Stage> UploadStages::take() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (idle)
      return std::move(idle);
  }
  auto made = std::make_unique<Stage>(driver);
  return made->allocate() ? std::move(made) : nullptr;
}

Status UploadStages::copy(Stage &stage, cuda::Pointer target,
                          const char *source, uint64_t bytes) {
  for (uint64_t done = 0, number = 0; done < bytes; ++number) {
    Stage::Piece &piece = stage.pieces[number % 2];
    if (number >= 2)
      if (Status failure = driver.check(driver.waitForEvent(piece.wasRead),
                                        "cuEventSynchronize"))
        return failure;
    uint64_t count = std::min(pieceBytes, bytes - done);
    std::memcpy(piece.memory, source + done, static_cast<size_t>(count));
    if (Status failure =
            driver.check(driver.upload(target + done, piece.memory,
                                       static_cast<size_t>(count), nullptr),
                         "cuMemcpyHtoDAsync"))
      return failure;
    if (Status failure = driver.check(
            driver.recordEvent(piece.wasRead, nullptr), "cuEventRecord"))
      return failure;
    done += count;
  }
  return {};
}

Status UploadStages::upload(cuda::Pointer target, const void *source,
                            uint64_t bytes) {
  std::unique_ptr<Stage> stage = bytes > fewBytes ? take() : nullptr;
  Status failure =
      stage ? copy(*stage, target, static_cast<const char *>(source), bytes)
            : driver.check(driver.upload(target, source,
                                         static_cast<size_t>(bytes), nullptr),
                           "cuMemcpyHtoDAsync");
  // Pieces may be in use, whatever has failed.
  Status waited =
      driver.check(driver.waitForStream(nullptr), "cuStreamSynchronize");
  if (stage) {
    std::lock_guard<std::mutex> lock(mutex);
    if (!idle)
      idle = std::move(stage);
  }
  return failure ? failure : waited;
}
