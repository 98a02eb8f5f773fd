//===- WarpOps.cpp - shuffles, votes and reductions -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Gather.h"
#include "OpTable.h"

#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace parablock;
using namespace parablock::emulator;

namespace {
enum ShuffleMode : int32_t { Up, Down, Butterfly, Index };
} // namespace

/// The lane that `lane` reads from; `valid` where it is inside the segment.
static uint32_t getSource(ShuffleMode mode, uint32_t lane, uint32_t by,
                          uint32_t clampAndMask, bool &valid) {
  uint32_t clamp = clampAndMask & 31, segment = clampAndMask >> 8 & 31;
  uint32_t last = (lane & segment) | (clamp & ~segment);
  uint32_t first = lane & segment;
  by &= 31;
  uint32_t source = 0;
  switch (mode) {
  case Up:
    source = lane - by;
    valid = static_cast<int32_t>(source) >= static_cast<int32_t>(last);
    break;
  case Down:
    source = lane + by;
    valid = source <= last;
    break;
  case Butterfly:
    source = lane ^ by;
    valid = source <= last;
    break;
  case Index:
    source = first | (by & ~segment);
    valid = source <= last;
    break;
  }
  return valid ? source : lane;
}

/// With a predicate, the result is a pair of 32 bits and a byte.
template <bool hasPredicate> static void shuffle(OpCall &call) {
  gatherMasked(call, call.arguments[0].u32, [&](Gathering &all) {
    auto mode = static_cast<ShuffleMode>(all.site->row->parameter);
    for (uint32_t lane = 0; lane < warpSize; ++lane) {
      if (!all.threads[lane])
        continue;
      const Slot *own = all.arguments[lane];
      bool valid = false;
      uint32_t source = getSource(mode, lane, own[2].u32, own[3].u32, valid);
      if (!all.threads[source]) {
        call.worker().report(ReportKind::BadOperand, *all.threads[lane],
                             call.site,
                             "shuffle from lane " + llvm::Twine(source) +
                                 ", which is not in the member mask");
        source = lane;
      }
      auto *result = static_cast<char *>(all.results[lane]);
      std::memcpy(result, &all.arguments[source][1].u32, 4);
      if (hasPredicate)
        result[4] = valid;
    }
  });
}

namespace {
enum VoteMode : int32_t { All, Any, Uniform, Ballot };
} // namespace

static void vote(OpCall &call) {
  gatherMasked(call, call.arguments[0].u32, [](Gathering &all) {
    uint32_t ballot = 0;
    for (uint32_t lane = 0; lane < warpSize; ++lane)
      if (all.threads[lane] && (all.arguments[lane][1].i1 & 1))
        ballot |= 1u << lane;
    bool isAll = ballot == all.mask;
    for (uint32_t lane = 0; lane < warpSize; ++lane) {
      if (!all.threads[lane])
        continue;
      auto *truth = static_cast<uint8_t *>(all.results[lane]);
      switch (static_cast<VoteMode>(all.site->row->parameter)) {
      case All:
        *truth = isAll;
        break;
      case Any:
        *truth = ballot != 0;
        break;
      case Uniform:
        *truth = isAll || ballot == 0;
        break;
      case Ballot:
        std::memcpy(truth, &ballot, 4);
        break;
      }
    }
  });
}

/// Integer reductions over the member lanes.
template <typename T, T (*combine)(T, T)> static void reduce(OpCall &call) {
  gatherMasked(call, call.arguments[1].u32, [](Gathering &all) {
    bool isFirst = true;
    T total = T();
    for (uint32_t lane = 0; lane < warpSize; ++lane) {
      if (!all.threads[lane])
        continue;
      T value;
      std::memcpy(&value, &all.arguments[lane][0], sizeof(T));
      total = isFirst ? value : combine(total, value);
      isFirst = false;
    }
    for (uint32_t lane = 0; lane < warpSize; ++lane)
      if (all.threads[lane])
        std::memcpy(all.results[lane], &total, sizeof(T));
  });
}
template <typename T> static T sum(T a, T b) { return a + b; }
template <typename T> static T conjunction(T a, T b) { return a & b; }
template <typename T> static T disjunction(T a, T b) { return a | b; }
template <typename T> static T difference(T a, T b) { return a ^ b; }
template <typename T> static T smaller(T a, T b) { return std::min(a, b); }
template <typename T> static T larger(T a, T b) { return std::max(a, b); }

/// The leader is the lowest lane of the mask.
static void elect(OpCall &call) {
  gatherMasked(call, call.arguments[0].u32, [](Gathering &all) {
    uint32_t leader = llvm::countr_zero(all.mask);
    for (uint32_t lane = 0; lane < warpSize; ++lane)
      if (all.threads[lane]) {
        auto *result = static_cast<char *>(all.results[lane]);
        std::memcpy(result, &leader, 4);
        result[4] = lane == leader;
      }
  });
}

static void matchAny(OpCall &call) {
  gatherMasked(call, call.arguments[0].u32, [](Gathering &all) {
    for (uint32_t lane = 0; lane < warpSize; ++lane) {
      if (!all.threads[lane])
        continue;
      uint32_t same = 0;
      for (uint32_t other = 0; other < warpSize; ++other)
        if (all.threads[other] &&
            all.arguments[other][1].u32 == all.arguments[lane][1].u32)
          same |= 1u << other;
      std::memcpy(all.results[lane], &same, 4);
    }
  });
}

/// The one collective of warps that orders memory accesses.
static void synchronizeWarp(OpCall &call) {
  gatherMasked(call, call.arguments[0].u32, [&](Gathering &all) {
    Worker &worker = call.worker();
    SyncClock clock;
    for (Thread *thread : all.members())
      if (thread)
        clock.release(worker.joiner, thread->knowledge, thread->point());
    const Knowledge &total = clock.collect(worker.joiner);
    for (Thread *thread : all.members())
      if (thread) {
        thread->knowledge = total;
        ++thread->epoch;
      }
  });
}

#define SHUFFLES(name, mode)                                                   \
  {"llvm.nvvm.shfl.sync." name ".i32", shuffle<false>, mode},                  \
      {"llvm.nvvm.shfl.sync." name ".f32", shuffle<false>, mode},              \
      {"llvm.nvvm.shfl.sync." name ".i32p", shuffle<true>, mode}, {            \
    "llvm.nvvm.shfl.sync." name ".f32p", shuffle<true>, mode                   \
  }

llvm::ArrayRef<OpRow> parablock::emulator::getWarpOps() {
  static const OpRow rows[] = {
      SHUFFLES("up", Up),
      SHUFFLES("down", Down),
      SHUFFLES("bfly", Butterfly),
      SHUFFLES("idx", Index),
      {"llvm.nvvm.vote.all.sync", vote, All},
      {"llvm.nvvm.vote.any.sync", vote, Any},
      {"llvm.nvvm.vote.uni.sync", vote, Uniform},
      {"llvm.nvvm.vote.ballot.sync", vote, Ballot},
      {"llvm.nvvm.redux.sync.add", reduce<uint32_t, sum>},
      {"llvm.nvvm.redux.sync.and", reduce<uint32_t, conjunction>},
      {"llvm.nvvm.redux.sync.or", reduce<uint32_t, disjunction>},
      {"llvm.nvvm.redux.sync.xor", reduce<uint32_t, difference>},
      {"llvm.nvvm.redux.sync.min", reduce<int32_t, smaller>},
      {"llvm.nvvm.redux.sync.max", reduce<int32_t, larger>},
      {"llvm.nvvm.redux.sync.umin", reduce<uint32_t, smaller>},
      {"llvm.nvvm.redux.sync.umax", reduce<uint32_t, larger>},
      {"llvm.nvvm.elect.sync", elect},
      {"llvm.nvvm.match.any.sync.i32", matchAny},
      {"llvm.nvvm.bar.warp.sync", synchronizeWarp},
  };
  return rows;
}
