//===- BulkBox.cpp - What a bulk copy moves -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BulkBox.h"
#include "Numbers.h"

#include <algorithm>
#include <cstring>

using namespace parablock;
using namespace parablock::emulator;
using llvm::Twine;

uint32_t parablock::emulator::getBoxBytes(const BulkBox &box) {
  if (!box.map)
    return box.bytes;
  uint32_t bytes = box.map->elementSize();
  for (uint32_t i = 0; i < box.map->rank; ++i)
    bytes *= box.map->box[i];
  return bytes;
}

static void forEachPlainChunk(const BulkBox &box, uint32_t offset,
                              llvm::function_ref<void(const BoxChunk &)> visit) {
  for (uint32_t done = 0; done < box.bytes; done += chunkBytes)
    visit({offset + done, box.global + done, 0,
           std::min(chunkBytes, box.bytes - done)});
}

void parablock::emulator::forEachChunk(
    const BulkBox &box, uint32_t offset,
    llvm::function_ref<void(const BoxChunk &)> visit) {
  if (!box.map)
    return forEachPlainChunk(box, offset, visit);
  const EmulatedTensorMap &map = *box.map;
  int64_t size = map.elementSize();
  uint32_t rowBytes = map.box[0] * map.elementSize();
  uint32_t numRows = getBoxBytes(box) / rowBytes;
  int64_t rowStart = box.coordinates[0] * size;
  int64_t rowEnd = static_cast<int64_t>(map.dims[0]) * size;

  for (uint32_t row = 0; row < numRows; ++row) {
    bool isInside = true;
    int64_t global = static_cast<int64_t>(map.address);
    uint32_t rest = row;
    for (uint32_t i = 1; i < map.rank; ++i) {
      int64_t at = int64_t(box.coordinates[i]) + rest % map.box[i];
      rest /= map.box[i];
      isInside &= at >= 0 && at < static_cast<int64_t>(map.dims[i]);
      global += at * static_cast<int64_t>(map.strides[i - 1]);
    }
    for (uint32_t done = 0; done < rowBytes; done += chunkBytes) {
      int64_t start = rowStart + done;
      auto clamp = [&](int64_t position) {
        return static_cast<uint32_t>(
            std::clamp<int64_t>(position - start, 0, chunkBytes));
      };
      uint32_t first = clamp(0), last = isInside ? clamp(rowEnd) : first;
      visit({swizzleOffset(offset + row * rowBytes + done, map.swizzle),
             reinterpret_cast<char *>(global + start), first,
             std::max(first, last)});
    }
  }
}

bool parablock::emulator::decodeBox(OpCall &call, uint64_t address,
                                    const Slot *coordinates, uint32_t rank,
                                    BulkBox &box) {
  const auto *map = reinterpret_cast<const EmulatedTensorMap *>(address);
  auto complain = [&](const Twine &message) {
    call.worker().report(ReportKind::BadOperand, call.thread, call.site,
                         message);
    return false;
  };
  Place place = locate(call.thread, address, Generic);
  if (place.kind == Place::Nowhere || place.kind == Place::SharedMemory)
    return complain("the tensor map is neither a parameter nor in global "
                    "memory");
  if (address % 64 != 0)
    return complain("the tensor map is not at a multiple of 64");
  if (map->magic != EmulatedTensorMap::magicNumber)
    return complain("the operand is no tensor map");
  if (map->rank != rank)
    return complain("expected a tensor map of rank " + Twine(rank) + ", got " +
                    Twine(unsigned(map->rank)));
  box.map = map;
  for (uint32_t i = 0; i < rank; ++i)
    box.coordinates[i] = coordinates[i].s32;
  return true;
}

bool parablock::emulator::checkGlobalBox(Actor &actor, const BulkBox &box,
                                         bool isWrite) {
  bool allowed = true;
  forEachChunk(box, 0, [&](const BoxChunk &chunk) {
    uint32_t count = chunk.lastValid - chunk.firstValid;
    if (count == 0 || !allowed)
      return;
    Place place =
        locate(actor.thread,
               reinterpret_cast<uint64_t>(chunk.global) + chunk.firstValid,
               Global);
    allowed = isWrite ? checkWrite(actor, place, count)
                      : checkRead(actor, place, count);
  });
  return allowed;
}

void parablock::emulator::performLoad(Worker &worker,
                                      const PendingLoad &load) {
  char fill = load.box.map && load.box.map->fillsWithNaN ? char(0xFF) : 0;
  forEachChunk(load.box, load.offset, [&](const BoxChunk &chunk) {
    char *target = load.cta->shared + chunk.offset;
    uint32_t bytes = load.box.map ? chunkBytes : chunk.lastValid;
    std::memset(target, fill, bytes);
    std::memcpy(target + chunk.firstValid, chunk.global + chunk.firstValid,
                chunk.lastValid - chunk.firstValid);
  });
  if (worker.launch.options.checks)
    setSharedStates(*load.cta, load.offset, getBoxBytes(load.box),
                    ByteState::Initialized);
}

template <typename Get, typename Put>
static void addElements(char *target, const char *source, uint32_t bytes,
                        uint32_t size, Get get, Put put) {
  for (uint32_t i = 0; i < bytes; i += size)
    put(target + i, get(target + i) + get(source + i));
}

static void addChunk(TensorMapType type, char *target, const char *source,
                     uint32_t bytes) {
  auto get = [&](const char *at) {
    uint16_t bits;
    std::memcpy(&bits, at, 2);
    return from16(bits, type == TensorMapType::BF16 ? BF16 : F16);
  };
  auto put = [&](char *at, float value) {
    uint16_t bits = type == TensorMapType::BF16 ? toBF16(value) : toF16(value);
    std::memcpy(at, &bits, 2);
  };
  auto getAs = [](auto zero) {
    return [zero](const char *at) {
      auto value = zero;
      std::memcpy(&value, at, sizeof(value));
      return value;
    };
  };
  auto putValue = [](char *at, auto value) {
    std::memcpy(at, &value, sizeof(value));
  };
  switch (type) {
  case TensorMapType::BF16:
  case TensorMapType::F16:
    return addElements(target, source, bytes, 2, get, put);
  case TensorMapType::F32:
    return addElements(target, source, bytes, 4, getAs(0.0f), putValue);
  case TensorMapType::F64:
    return addElements(target, source, bytes, 8, getAs(0.0), putValue);
  case TensorMapType::U64:
  case TensorMapType::I64:
    return addElements(target, source, bytes, 8, getAs(uint64_t()), putValue);
  default:
    return addElements(target, source, bytes, 4, getAs(uint32_t()), putValue);
  }
}

void parablock::emulator::performStore(Cta &cta, const PendingStore &store) {
  forEachChunk(store.box, store.offset, [&](const BoxChunk &chunk) {
    const char *source = cta.shared + chunk.offset + chunk.firstValid;
    char *target = chunk.global + chunk.firstValid;
    uint32_t bytes = chunk.lastValid - chunk.firstValid;
    if (store.mode == StoreMode::Copy)
      std::memcpy(target, source, bytes);
    else
      addChunk(store.box.map->type, target, source, bytes);
  });
}
