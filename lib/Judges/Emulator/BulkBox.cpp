//===- BulkBox.cpp - enumerates rows of bulk boxes ------------------------===//
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

namespace {
/// A row of the box: consecutive bytes in both memories, up to swizzling. Bytes
/// `firstValid` to `lastValid` (exclusive) are in the tensor.
struct BoxRow {
  uint32_t offset, bytes;
  int64_t global;
  uint32_t firstValid, lastValid;
};
} // namespace

template <typename Visit>
static void forEachRow(const BulkBox &box, Visit visit) {
  if (!box.map)
    return visit(BoxRow{0, box.bytes, reinterpret_cast<int64_t>(box.global), 0,
                        box.bytes});
  const EmulatedTensorMap &map = *box.map;
  int64_t size = map.elementSize();
  uint32_t rowBytes = map.box[0] * map.elementSize();
  int64_t start = box.coordinates[0] * size;
  int64_t end = static_cast<int64_t>(map.dims[0]) * size;
  auto inRow = [&](int64_t position) {
    return static_cast<uint32_t>(
        std::clamp<int64_t>(position - start, 0, rowBytes));
  };
  for (uint32_t row = 0; row < getBoxBytes(box) / rowBytes; ++row) {
    bool isInside = true;
    int64_t global = static_cast<int64_t>(map.address) + start;
    uint32_t rest = row;
    for (uint32_t i = 1; i < map.rank; ++i) {
      int64_t at = int64_t(box.coordinates[i]) + rest % map.box[i];
      rest /= map.box[i];
      isInside &= at >= 0 && at < static_cast<int64_t>(map.dims[i]);
      global += at * static_cast<int64_t>(map.strides[i - 1]);
    }
    visit(BoxRow{row * rowBytes, rowBytes, global, inRow(0),
                 isInside ? inRow(end) : inRow(0)});
  }
}

void parablock::emulator::forEachChunk(
    const BulkBox &box, uint32_t offset,
    llvm::function_ref<void(const BoxChunk &)> visit) {
  TensorMapSwizzle swizzle =
      box.map ? box.map->swizzle : TensorMapSwizzle::None;
  forEachRow(box, [&](const BoxRow &row) {
    for (uint32_t done = 0; done < row.bytes; done += chunkBytes) {
      auto inChunk = [&](uint32_t position) {
        return std::min(std::max(position, done) - done, chunkBytes);
      };
      visit({swizzleOffset(offset + row.offset + done, swizzle),
             reinterpret_cast<char *>(row.global + done),
             inChunk(row.firstValid), inChunk(row.lastValid)});
    }
  });
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
  forEachRow(box, [&](const BoxRow &row) {
    uint32_t count = row.lastValid - row.firstValid;
    if (row.lastValid <= row.firstValid || !allowed)
      return;
    Place place =
        locate(actor.thread, static_cast<uint64_t>(row.global) + row.firstValid,
               Global);
    allowed = isWrite ? checkWrite(actor, place, count)
                      : checkRead(actor, place, count);
  });
  return allowed;
}

void parablock::emulator::performLoad(Worker &worker, const PendingLoad &load) {
  char fill = load.box.map && load.box.map->fillsWithNaN ? char(0xFF) : 0;
  forEachChunk(load.box, load.offset, [&](const BoxChunk &chunk) {
    char *target = load.cta->shared + chunk.offset;
    std::memset(target, fill, chunkBytes);
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
