//===- Reports.cpp - merges and prints reports ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Reports.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <set>

using namespace parablock;
using namespace parablock::emulator;

llvm::StringRef parablock::getReportKindName(ReportKind kind) {
  switch (kind) {
  case ReportKind::UninitializedRead:
    return "uninitialized-read";
  case ReportKind::MissingWait:
    return "missing-wait";
  case ReportKind::Race:
    return "race";
  case ReportKind::OutOfBounds:
    return "out-of-bounds";
  case ReportKind::Misaligned:
    return "misaligned";
  case ReportKind::Deadlock:
    return "deadlock";
  case ReportKind::MissingProxyFence:
    return "missing-proxy-fence";
  case ReportKind::MissingFence:
    return "missing-fence";
  case ReportKind::BarrierMisuse:
    return "barrier-misuse";
  case ReportKind::BadOperand:
    return "bad-operand";
  case ReportKind::UnfinishedCopy:
    return "unfinished-copy";
  }
  return "unknown";
}

llvm::raw_ostream &parablock::operator<<(llvm::raw_ostream &os,
                                         const Report &report) {
  os << getReportKindName(report.kind) << ": kernel " << report.kernel
     << ", CTA (" << report.cta.x << ", " << report.cta.y << ", "
     << report.cta.z << "), thread " << report.thread << ", " << report.op
     << " at " << report.location << ": " << report.message;
  if (report.count > 1)
    os << " (" << report.count << " times)";
  return os;
}

void LaunchResult::printReports(llvm::raw_ostream &os) const {
  for (const Report &report : reports)
    os << report << "\n";
  if (numDroppedReports != 0)
    os << numDroppedReports << " more reports of kernel " << kernel << "\n";
}

static void printDimensions(llvm::raw_ostream &os, llvm::StringRef name,
                            Dim3 value) {
  os << ", " << name << " (" << value.x << ", " << value.y << ", " << value.z
     << ")";
}

void LaunchResult::printStatistics(llvm::raw_ostream &os) const {
  os << "kernel " << kernel;
  printDimensions(os, "grid", grid);
  printDimensions(os, "block", block);
  printDimensions(os, "cluster", cluster);
  os << ", " << sharedBytes << " bytes of shared memory, "
     << llvm::format("%.3f", hostSeconds) << " s\n";
  for (const auto &[name, count] : opCounts)
    os << "  " << name << ": " << count << "\n";
}

bool ReportSink::countAgain(ReportKind kind, uint32_t cluster, const Site &site,
                            uint16_t other) {
  auto found = entries.find({kind, site.index, other});
  if (found == entries.end() || cluster < found->second.cluster)
    return false;
  ++found->second.report.count;
  return true;
}

void ReportSink::add(ReportKind kind, uint32_t cluster, Dim3 cta,
                     uint32_t thread, const Site &site, uint16_t other,
                     std::string message) {
  if (countAgain(kind, cluster, site, other))
    return;
  Entry &entry = entries[{kind, site.index, other}];
  uint64_t count = entry.order == 0 ? 1 : entry.report.count + 1;
  entry.cluster = cluster;
  entry.order = ++nextOrder;
  entry.report = {
      kind, "", cta, thread, site.op, site.location, std::move(message), count};
}

void ReportSink::merge(ReportSink &&other) {
  for (auto &[key, entry] : other.entries) {
    auto [place, isNew] = entries.try_emplace(key, entry);
    if (isNew)
      continue;
    uint64_t count = place->second.report.count + entry.report.count;
    if (entry.cluster < place->second.cluster)
      place->second = std::move(entry);
    place->second.report.count = count;
  }
}

void ReportSink::moveTo(LaunchResult &result, llvm::StringRef kernel,
                        unsigned limit) {
  std::vector<std::pair<Key, Entry *>> sorted;
  for (auto &[key, entry] : entries)
    sorted.push_back({key, &entry});
  // Host threads number their reports independently, so the order matters only
  // within a cluster; the key determines the rest.
  llvm::stable_sort(sorted, [](const auto &a, const auto &b) {
    return std::tie(a.second->cluster, a.second->order, a.first) <
           std::tie(b.second->cluster, b.second->order, b.first);
  });
  // The first of each kind is kept before the second of any.
  std::set<ReportKind> kinds;
  std::vector<bool> keep(sorted.size());
  size_t numKept = 0;
  for (bool onlyFirsts : {true, false})
    for (size_t i = 0; i < sorted.size() && numKept < limit; ++i) {
      bool isFirst = kinds.insert(std::get<0>(sorted[i].first)).second;
      if (keep[i] || (onlyFirsts && !isFirst))
        continue;
      keep[i] = true;
      ++numKept;
    }
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (!keep[i])
      continue;
    Report &report = sorted[i].second->report;
    report.kernel = kernel.str();
    result.reports.push_back(std::move(report));
  }
  result.numDroppedReports = sorted.size() - numKept;
}
