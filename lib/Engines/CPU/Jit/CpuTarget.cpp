//===- CpuTarget.cpp - the processor that code is made for ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/CpuTarget.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <memory>
#include <mutex>

using namespace parablock;
using llvm::Expected;
using llvm::StringRef;

using Subtarget = std::unique_ptr<llvm::MCSubtargetInfo>;

/// The compiler's knowledge of a processor. LLVM itself would print a warning
/// for an unknown name, and take another.
static Expected<Subtarget> findSubtarget(StringRef triple, StringRef cpu,
                                         StringRef features) {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  std::string message;
  llvm::Triple parsed(triple);
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(parsed, message);
  if (!target)
    return llvm::createStringError("no code for this machine: " + message);
  Subtarget generic(target->createMCSubtargetInfo(parsed, "", ""));
  if (!generic->isCPUStringValid(cpu))
    return llvm::createStringError(
        "unknown processor '" + cpu +
        "': expected native, x86-64, x86-64-v3, x86-64-v4 or another that LLVM "
        "knows");
  return Subtarget(target->createMCSubtargetInfo(parsed, cpu, features));
}

/// Gives what the machine really has: a virtual one may hide some of its
/// processor's.
static std::string getHostFeatures() {
  std::vector<std::string> features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features.push_back(
        ((feature.getValue() ? "+" : "-") + feature.getKey()).str());
  // Of a hash map, in no order.
  llvm::sort(features);
  return llvm::join(features, ",");
}

static void readFeatures(const llvm::MCSubtargetInfo &known,
                         CpuTarget &target) {
  auto has = [&](StringRef feature) {
    return known.checkFeatures(("+" + feature).str());
  };
  target.hasFma = has("fma");
  target.hasF16C = has("f16c");
  // 512 bits of integers too, not of f32 alone.
  if (has("avx512f") && has("avx512bw") && has("avx512dq") && has("avx512vl"))
    target.vectorBits = 512;
  else if (has("avx2") && target.hasFma)
    target.vectorBits = 256;
  target.hasBF16Dot = target.vectorBits == 512 && has("avx512bf16");
}

Expected<CpuTarget> parablock::findCpuTarget(StringRef name) {
  CpuTarget target;
  target.triple = llvm::sys::getProcessTriple();
  if (name.empty() || name == "host" || name == "native") {
    target.cpu = llvm::sys::getHostCPUName().str();
    target.features = getHostFeatures();
  } else {
    target.cpu = name.str();
  }
  Expected<Subtarget> known =
      findSubtarget(target.triple, target.cpu, target.features);
  if (!known)
    return known.takeError();
  if (llvm::Triple(target.triple).isX86())
    readFeatures(**known, target);
  else
    target.hasFma = target.hasF16C = true;
  return target;
}

llvm::Error parablock::checkRunsHere(const CpuTarget &target) {
  if (target.triple != llvm::sys::getProcessTriple())
    return llvm::createStringError("code for " + target.triple +
                                   " does not run on this machine");
  Expected<Subtarget> known =
      findSubtarget(target.triple, target.cpu, target.features);
  if (!known)
    return known.takeError();
  // What the host does not report at all is about tuning.
  std::vector<std::string> missing;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    if (!feature.getValue() &&
        (*known)->checkFeatures(("+" + feature.getKey()).str()))
      missing.push_back(feature.getKey().str());
  if (missing.empty())
    return llvm::Error::success();
  llvm::sort(missing);
  return llvm::createStringError("processor '" + target.cpu + "' has " +
                                 llvm::join(missing, ", ") +
                                 ", which this machine lacks");
}
