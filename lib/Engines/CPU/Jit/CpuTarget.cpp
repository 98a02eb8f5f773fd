//===- CpuTarget.cpp - detects processors and chooses paths ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/CpuTarget.h"

#include "parablock/Engines/CPU/CpuCode.h"
#include "llvm/ADT/STLExtras.h"
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
using llvm::ArrayRef;
using llvm::Expected;
using llvm::StringRef;

using Subtarget = std::unique_ptr<llvm::MCSubtargetInfo>;

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// The widest first. A tile leaves registers for loads; attention has queries
/// as columns.
static constexpr CpuClass classes[] = {
    // 512 bits of integers too, not of f32 alone.
    {"x86-64-v4", "avx512f,avx512bw,avx512dq,avx512vl", 512, {6, 4}, {8, 2}},
    {"x86-64-v3", "avx2,fma", 256, {6, 2}, {4, 2}},
    {"baseline", "", 128, {4, 2}, {4, 2}}};

/// In the order of CpuPath. A single row uses dot products even if others use
/// tiles, so tiles require those.
static constexpr CpuPathInfo paths[] = {
    {"f32-fma", "", 0, ElementType::F32, 1, 0, 1},
    {"bf16-dot", "avx512bf16", 512, ElementType::BF16, 2, 0, 2},
    {"bf16-tiles", "amx-tile,amx-bf16,avx512bf16", 512, ElementType::BF16, 32,
     32, 6},
    {"f16-tiles", "amx-tile,amx-fp16,f16c", 512, ElementType::F16, 32, 32, 6}};

namespace {
/// A rate that differs from that of the path's row.
struct ModelRate {
  llvm::StringLiteral prefix;
  CpuPath path;
  double rate;
};
} // namespace

/// Intel's cores have one unit for pairs, but two for f32; those with tiles
/// were measured at half the rate of f32.
static constexpr ModelRate modelRates[] = {
    {"cooperlake", CpuPath::BF16Dot, 1},
    {"sapphirerapids", CpuPath::BF16Dot, 0.5},
    {"emeraldrapids", CpuPath::BF16Dot, 0.5},
    {"graniterapids", CpuPath::BF16Dot, 0.5},
    {"diamondrapids", CpuPath::BF16Dot, 0.5}};

namespace {
/// Prefetch distance of codes in bytes.
struct ModelAhead {
  llvm::StringLiteral prefix;
  int64_t bytes;
};
} // namespace

/// Products of bytes consume codes faster than the Zen 5 prefetches itself:
/// with this, a step of 8 bits takes 8 % less there. On the Zen 4 it costs 30
/// to 40 %, like any distance of 4 kB or more.
static constexpr ModelAhead modelAheads[] = {{"znver5", 16384}};

/// A path replaces f32 if it is faster by more than the variation of rates on
/// one machine, so that results are reproducible.
static constexpr double leastGain = 1.25;

const CpuPathInfo &parablock::getInfo(CpuPath path) {
  return paths[size_t(path)];
}

CpuPath CpuTarget::choosePath(ElementType factors,
                              ArrayRef<int64_t> depths) const {
  CpuPath best = CpuPath::Fma;
  double bestRate = leastGain * rates[size_t(best)];
  for (auto [index, info] : llvm::enumerate(paths)) {
    bool fits = info.factors == factors &&
                llvm::all_of(depths, [depth = info.depth](int64_t size) {
                  return size % depth == 0;
                });
    if (!fits || rates[index] <= bestRate)
      continue;
    best = CpuPath(index);
    bestRate = rates[index];
  }
  return best;
}

std::string CpuTarget::getClassName() const {
  std::string name = processorClass->name.str();
  for (ElementType type : {ElementType::BF16, ElementType::F16})
    if (CpuPath path = choosePath(type, {}); path != CpuPath::Fma)
      name += " " + getInfo(path).name.str();
  return name;
}

std::string parablock::describeTarget(const CpuTarget &target) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << target.triple << "\n"
     << target.cpu << "\n"
     << target.features << "\n"
     << target.processorClass->name << " " << target.vectorBits << " "
     << target.hasFma << target.hasF16C << target.hasByteProducts
     << target.emulatesTiles << " " << target.codesAhead << " " << target.needs
     << "\n";
  // The choice of paths depends on the divisors of the depths.
  for (const CpuPathInfo &path : paths)
    os << getInfo(target.choosePath(path.factors, {path.depth})).name << "\n";
  return text;
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

/// Returns the compiler's description of a processor. LLVM itself would print a
/// warning for an unknown name, and use another.
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

static llvm::StringMap<bool> findHostFeatures() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  for (auto [number, name] : llvm::enumerate(cpu::featureNames))
    if (StringRef(name).starts_with("amx-"))
      features[name] = (cpu::getFeatures() >> number & 1) != 0;
  return features;
}

/// Returns the actual features of the machine: a virtual machine may hide some
/// of its processor's, and a system may refuse tiles.
static std::string getHostFeatures() {
  std::vector<std::string> features;
  for (const auto &feature : findHostFeatures())
    features.push_back(
        ((feature.getValue() ? "+" : "-") + feature.getKey()).str());
  // They come from a hash map, unordered.
  llvm::sort(features);
  return llvm::join(features, ",");
}

/// Returns whether `known` has all features of a list.
static bool hasAll(const llvm::MCSubtargetInfo &known, StringRef features) {
  return llvm::all_of(llvm::split(features, ','), [&](StringRef feature) {
    return feature.empty() || known.checkFeatures(("+" + feature).str());
  });
}

static void readFeatures(const llvm::MCSubtargetInfo &known,
                         CpuTarget &target) {
  target.hasFma = hasAll(known, "fma");
  target.hasF16C = hasAll(known, "f16c");
  for (auto [number, feature] : llvm::enumerate(cpu::featureNames))
    if (hasAll(known, feature))
      target.needs |= cpu::FeatureSet(1) << number;
  target.processorClass = llvm::find_if(
      classes, [&](const CpuClass &row) { return hasAll(known, row.needs); });
  target.vectorBits = target.processorClass->vectorBits;
  target.hasByteProducts =
      target.vectorBits == 512 && hasAll(known, "avx512vnni");
  for (auto [number, path] : llvm::enumerate(paths))
    if (path.vectorBits <= target.vectorBits && hasAll(known, path.needs))
      target.rates[number] = path.rate;
  for (const ModelRate &row : modelRates)
    if (StringRef(target.cpu).starts_with(row.prefix) && target.has(row.path))
      target.rates[size_t(row.path)] = row.rate;
  for (const ModelAhead &row : modelAheads)
    if (StringRef(target.cpu).starts_with(row.prefix))
      target.codesAhead = row.bytes;
}

Expected<CpuTarget> parablock::findCpuTarget(StringRef name) {
  CpuTarget target;
  target.triple = llvm::sys::getProcessTriple();
  bool isHost = name.empty() || name == "host" || name == "native";
  if (isHost) {
    target.cpu = llvm::sys::getHostCPUName().str();
    target.features = getHostFeatures();
  } else {
    target.cpu = name.str();
  }
  Expected<Subtarget> known =
      findSubtarget(target.triple, target.cpu, target.features);
  if (!known)
    return known.takeError();
  if (llvm::Triple(target.triple).isX86()) {
    readFeatures(**known, target);
  } else {
    target.hasFma = target.hasF16C = true;
    target.processorClass = std::end(classes) - 1;
    target.rates[size_t(CpuPath::Fma)] = 1;
  }
  if (isHost) {
    static const CpuRates measured = measureCpuRates(target);
    target.rates = measured;
  }
  return target;
}

/// Returns the relevant features of `known` that this machine lacks.
static std::vector<std::string>
findMissing(const llvm::MCSubtargetInfo &known,
            llvm::function_ref<bool(StringRef)> counts) {
  // Features that the host does not report at all are for tuning.
  std::vector<std::string> missing;
  for (const auto &feature : findHostFeatures())
    if (!feature.getValue() && counts(feature.getKey()) &&
        known.checkFeatures(("+" + feature.getKey()).str()))
      missing.push_back(feature.getKey().str());
  llvm::sort(missing);
  return missing;
}

static llvm::Error makeLackError(StringRef cpu, ArrayRef<std::string> missing) {
  if (missing.empty())
    return llvm::Error::success();
  return llvm::createStringError("processor '" + cpu + "' has " +
                                 llvm::join(missing, ", ") +
                                 ", which this machine lacks");
}

llvm::Error parablock::checkRunsHere(const CpuTarget &target) {
  if (target.triple != llvm::sys::getProcessTriple())
    return llvm::createStringError("code for " + target.triple +
                                   " does not run on this machine");
  Expected<Subtarget> known =
      findSubtarget(target.triple, target.cpu, target.features);
  if (!known)
    return known.takeError();
  return makeLackError(target.cpu,
                       findMissing(**known, [](StringRef) { return true; }));
}

Expected<CpuTarget> parablock::emulateTiles(const CpuTarget &target) {
  Expected<CpuTarget> host = findCpuTarget("native");
  Expected<Subtarget> known =
      findSubtarget(target.triple, target.cpu, target.features);
  if (!host)
    return host.takeError();
  if (!known)
    return known.takeError();
  auto isTaken = [](StringRef feature) {
    auto names = [&](StringRef list) {
      return llvm::is_contained(llvm::split(list, ','), feature);
    };
    return !feature.starts_with("amx-") &&
           (llvm::any_of(classes,
                         [&](auto &row) { return names(row.needs); }) ||
            llvm::any_of(paths, [&](auto &row) { return names(row.needs); }));
  };
  if (llvm::Error error =
          makeLackError(target.cpu, findMissing(**known, isTaken)))
    return error;
  CpuTarget result = target;
  result.cpu = host->cpu;
  result.features = host->features;
  result.needs = host->needs;
  result.hasByteProducts &= host->hasByteProducts;
  result.emulatesTiles = true;
  return result;
}
