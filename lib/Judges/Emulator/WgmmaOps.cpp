//===- WgmmaOps.cpp - Warpgroup matrix multiplication ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Thread t of the warpgroup, with warp w = t / 32, g = t % 32 / 4 and c = t %
// 4, holds accumulator i of row 16w + g + 8 (i / 2 % 2), column 8 (i / 4) + 2c
// + i % 2; register q of an A operand holds row 16w + g + 8 (q % 2), columns 2c
// + 8 (q / 2) and the next.
//
// The multiplication happens at issue. Defects that would show on the hardware
// are found by other means: reads of shared memory stay open until the threads
// wait for the group, and the rewritten module checks that accumulators are not
// used before that.
//
//===----------------------------------------------------------------------===//

#include "WgmmaOps.h"
#include "Gather.h"
#include "OpTable.h"
#include "WgmmaTiles.h"

#include <cstring>

using namespace parablock;
using namespace parablock::emulator;

static uint32_t getRow(uint32_t thread) {
  return thread / warpSize * 16 + thread % warpSize / 4;
}

static float &accumulator(WgmmaTiles &tiles, uint32_t thread, uint32_t i) {
  return tiles.d[getRow(thread) + 8 * (i / 2 % 2)]
                [8 * (i / 4) + 2 * (thread % 4) + i % 2];
}

/// Returns the reader of shared memory, whose reads must be ordered after all
/// accesses not known to any thread of the warpgroup.
static Actor makeReader(const Gathering &all, ClockPoint point) {
  Actor actor(*all.threads[0], *all.site, point);
  actor.self = Actor::noAgent;
  actor.views.clear();
  for (Thread *thread : all.members()) {
    const Knowledge &own = thread->knowledge;
    if (llvm::none_of(actor.views,
                      [&](const Knowledge *view) { return *view == own; }))
      actor.views.push_back(&own);
  }
  return actor;
}

static void readRegisters(const Gathering &all, uint32_t first,
                          NumberFormat format, WgmmaTiles &tiles) {
  for (uint32_t t = 0; t < warpgroupSize; ++t)
    for (uint32_t q = 0; q < 4; ++q)
      for (uint32_t half = 0; half < 2; ++half)
        tiles.a[getRow(t) + 8 * (q % 2)][2 * (t % 4) + 8 * (q / 2) + half] =
            from16(static_cast<uint16_t>(all.arguments[t][first + q].u32 >>
                                         16 * half),
                   format);
}

/// Returns the value in `immediates`, for thread 0's slots.
static bool keepsAccumulators(const Gathering &all, uint32_t slot) {
  int32_t scale = all.site->immediates[ScaleD];
  return scale == scaleIsOperand ? all.arguments[0][slot].u32 != 0 : scale != 0;
}

static void multiplyAll(OpCall &call, Gathering &all) {
  thread_local WgmmaTiles tiles;
  const auto &immediates = all.site->immediates;
  uint32_t columns = immediates[Columns], count = columns / 2;
  auto format = static_cast<NumberFormat>(immediates[Format]);
  bool inRegisters = immediates[AInRegisters];
  uint32_t slotB = count + (inRegisters ? 4 : 1);
  Cta &cta = call.cta();
  Cluster &cluster = call.cluster();
  uint32_t group = call.thread.index / warpgroupSize;
  ClockPoint point = {cluster.engineAgent(cta, Engine::Wgmma, group),
                      ++cluster.engineEpoch(cta, Engine::Wgmma, group)};
  Actor reader = makeReader(all, point);

  if (inRegisters)
    readRegisters(all, count, format, tiles);
  else
    readWgmmaTile(reader, all.arguments[0][count].u64, wgmmaRows,
                  immediates[TransposeA], format,
                  [&](uint32_t m, uint32_t k, float x) { tiles.a[m][k] = x; });
  readWgmmaTile(reader, all.arguments[0][slotB].u64, columns,
                immediates[TransposeB], format,
                [&](uint32_t n, uint32_t k, float x) { tiles.b[k][n] = x; });
  if (immediates[ScaleA] * immediates[ScaleB] < 0)
    for (auto &row : tiles.a)
      for (float &x : row)
        x = -x;

  bool keeps = keepsAccumulators(all, slotB + 1);
  for (uint32_t t = 0; t < warpgroupSize; ++t)
    for (uint32_t i = 0; i < count; ++i)
      accumulator(tiles, t, i) = keeps ? all.arguments[t][i].f32 : 0.0f;
  multiplyWgmmaTiles(tiles, columns, format);
  for (uint32_t t = 0; t < warpgroupSize; ++t) {
    auto *result = static_cast<float *>(all.results[t]);
    for (uint32_t i = 0; i < count; ++i)
      result[i] = accumulator(tiles, t, i);
    all.threads[t]->wgmmaIssued = point.epoch;
    all.threads[t]->lastWgmma = all.site;
  }
}

static void multiplyByGroup(OpCall &call) {
  if (!call.thread.wgmmaFenced)
    call.worker().report(ReportKind::MissingFence, call.thread, call.site,
                         "no wgmma.fence since the start of the kernel or the "
                         "last wgmma.wait_group");
  gatherWarpgroup(call, [&](Gathering &all) { multiplyAll(call, all); });
}

static void fence(OpCall &call) { call.thread.wgmmaFenced = true; }

static void commitProducts(OpCall &call) {
  call.thread.wgmmaGroups.push_back(call.thread.wgmmaIssued);
}

static void waitForProducts(OpCall &call) {
  Thread &thread = call.thread;
  auto &groups = thread.wgmmaGroups;
  uint64_t keep = call.arguments[0].u64;
  thread.wgmmaFenced = false;
  if (groups.size() <= keep)
    return;
  size_t count = groups.size() - keep;
  uint32_t epoch = groups[count - 1];
  groups.erase(groups.begin(), groups.begin() + count);
  if (epoch == 0)
    return; // groups of nothing
  thread.wgmmaCompleted = epoch;
  uint16_t agent = call.cluster().engineAgent(call.cta(), Engine::Wgmma,
                                              thread.index / warpgroupSize);
  thread.knowledge.seen =
      call.worker().joiner.add(thread.knowledge.seen, {{agent, epoch}});
}

llvm::ArrayRef<OpRow> parablock::emulator::getWgmmaOps() {
  static const OpRow rows[] = {
      {"asm:wgmma.mma_async", multiplyByGroup},
      {"llvm.nvvm.wgmma.fence.sync.aligned", fence},
      {"llvm.nvvm.wgmma.commit_group.sync.aligned", commitProducts},
      {"llvm.nvvm.wgmma.wait_group.sync.aligned", waitForProducts},
  };
  return rows;
}
