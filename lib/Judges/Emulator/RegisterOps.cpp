//===- RegisterOps.cpp - special registers --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "Worker.h"

#include "llvm/Support/MathExtras.h"

using namespace parablock;
using namespace parablock::emulator;

static uint32_t pick(Dim3 value, int32_t dimension) {
  return dimension == 0 ? value.x : dimension == 1 ? value.y : value.z;
}

static void readThread(OpCall &call) {
  call.setResult(pick(call.thread.id, call.parameter()));
}
static void readBlock(OpCall &call) {
  call.setResult(pick(call.worker().launch.config.block, call.parameter()));
}
static void readCta(OpCall &call) {
  call.setResult(pick(call.cta().id, call.parameter()));
}
static void readGrid(OpCall &call) {
  call.setResult(pick(call.worker().launch.config.grid, call.parameter()));
}
static void readCluster(OpCall &call) {
  call.setResult(pick(call.cluster().id, call.parameter()));
}
static void readClusterGrid(OpCall &call) {
  call.setResult(pick(call.worker().launch.clusterGrid(), call.parameter()));
}
static void readCtaInCluster(OpCall &call) {
  Dim3 sizes = call.worker().launch.config.cluster;
  call.setResult(pick(call.cta().id, call.parameter()) %
                 pick(sizes, call.parameter()));
}
static void readClusterSize(OpCall &call) {
  call.setResult(pick(call.worker().launch.config.cluster, call.parameter()));
}
static void readCtaRank(OpCall &call) { call.setResult(call.cta().rank); }
static void readClusterVolume(OpCall &call) {
  call.setResult(static_cast<uint32_t>(call.cluster().ctas.size()));
}
static void readIsCluster(OpCall &call) {
  call.setResult(uint8_t(call.cluster().ctas.size() > 1));
}
static void readLane(OpCall &call) { call.setResult(call.thread.lane()); }
static void readWarp(OpCall &call) {
  call.setResult(call.thread.index / warpSize);
}
static void readWarpCount(OpCall &call) {
  call.setResult(static_cast<uint32_t>(call.cta().warps.size()));
}
static void readWarpSize(OpCall &call) { call.setResult(warpSize); }
static void readDynamicBytes(OpCall &call) {
  call.setResult(call.worker().launch.config.dynamicSharedBytes);
}
static void readSharedBytes(OpCall &call) {
  call.setResult(call.worker().launch.sharedBytes);
}

namespace {
enum LaneMask : int32_t { Equal, Less, LessEqual, Greater, GreaterEqual };
} // namespace

static void readLaneMask(OpCall &call) {
  uint32_t self = 1u << call.thread.lane();
  uint32_t less = self - 1;
  switch (static_cast<LaneMask>(call.parameter())) {
  case Equal:
    return call.setResult(self);
  case Less:
    return call.setResult(less);
  case LessEqual:
    return call.setResult(less | self);
  case Greater:
    return call.setResult(~(less | self));
  case GreaterEqual:
    return call.setResult(~less);
  }
}

#define REGISTER(name) "llvm.nvvm.read.ptx.sreg." name
#define THREE(name, function)                                                  \
  {REGISTER(name ".x"), function, 0}, {REGISTER(name ".y"), function, 1},      \
      {REGISTER(name ".z"), function, 2}

llvm::ArrayRef<OpRow> parablock::emulator::getRegisterOps() {
  static const OpRow rows[] = {
      THREE("tid", readThread),
      THREE("ntid", readBlock),
      THREE("ctaid", readCta),
      THREE("nctaid", readGrid),
      THREE("clusterid", readCluster),
      THREE("nclusterid", readClusterGrid),
      THREE("cluster.ctaid", readCtaInCluster),
      THREE("cluster.nctaid", readClusterSize),
      {REGISTER("cluster.ctarank"), readCtaRank},
      {REGISTER("cluster.nctarank"), readClusterVolume},
      {"llvm.nvvm.is_explicit_cluster", readIsCluster},
      {REGISTER("laneid"), readLane},
      {REGISTER("warpid"), readWarp},
      {REGISTER("nwarpid"), readWarpCount},
      {REGISTER("warpsize"), readWarpSize},
      {REGISTER("dynamic_smem_size"), readDynamicBytes},
      {REGISTER("total_smem_size"), readSharedBytes},
      {REGISTER("lanemask.eq"), readLaneMask, Equal},
      {REGISTER("lanemask.lt"), readLaneMask, Less},
      {REGISTER("lanemask.le"), readLaneMask, LessEqual},
      {REGISTER("lanemask.gt"), readLaneMask, Greater},
      {REGISTER("lanemask.ge"), readLaneMask, GreaterEqual},
  };
  return rows;
}
