//===- Reports.h - Collected reports ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_REPORTS_H
#define PARABLOCK_EMULATOR_REPORTS_H

#include "Site.h"
#include "parablock/Judges/Emulator/Report.h"
#include <map>
#include <tuple>

namespace parablock::emulator {

/// The reports of one host thread, one per kind and pair of sites.
class ReportSink {
public:
  /// `other` is the site of the earlier access, or 0.
  void add(ReportKind kind, uint32_t cluster, Dim3 cta, uint32_t thread,
           const Site &site, uint16_t other, std::string message);
  /// Returns true if reported at these places before: then only the count
  /// grows.
  bool countAgain(ReportKind kind, uint32_t cluster, const Site &site,
                  uint16_t other);
  /// Adds another sink's reports, the earlier cluster's text first.
  void merge(ReportSink &&other);
  /// Moves up to `limit` reports into `result`, in the order of clusters: the
  /// first of every kind before others.
  void moveTo(LaunchResult &result, llvm::StringRef kernel, unsigned limit);

private:
  struct Entry {
    Report report;
    uint32_t cluster = 0;
    uint64_t order = 0;
  };
  using Key = std::tuple<ReportKind, uint16_t, uint16_t>;
  std::map<Key, Entry> entries;
  uint64_t nextOrder = 0;
};

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_REPORTS_H
