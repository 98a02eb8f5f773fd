//===- Report.h - Reports of the emulator -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_REPORT_H
#define PARABLOCK_EMULATOR_REPORT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace parablock {

/// The defects that the emulator detects.
enum class ReportKind : uint8_t {
  /// Bytes read that were never written.
  UninitializedRead,
  /// Bytes used or overwritten while an asynchronous operation without a wait
  /// may still write or read them; accumulators read early; outputs of the
  /// previous launch read before the wait of one that may start early.
  MissingWait,
  /// Two unordered accesses, at least one a write.
  Race,
  /// An access outside every allocation, or outside the CTA's shared memory.
  OutOfBounds,
  Misaligned,
  /// Threads that wait for an event that can no longer happen.
  Deadlock,
  /// Bytes written in the generic proxy and then used by the async proxy
  /// without a proxy fence in between.
  MissingProxyFence,
  /// A barrier object used asynchronously or remotely without the fence after
  /// its initialisation; a wgmma without wgmma.fence.
  MissingFence,
  /// Barriers whose participants, counts or phases do not match.
  BarrierMisuse,
  /// An operand that the instruction does not support.
  BadOperand,
  /// Asynchronous copies without a wait at the end of the CTA.
  UnfinishedCopy
};

/// "uninitialized-read", "missing-wait", "race", "out-of-bounds", "misaligned",
/// "deadlock", "missing-proxy-fence", "missing-fence", "barrier-misuse",
/// "bad-operand", "unfinished-copy".
llvm::StringRef getReportKindName(ReportKind kind);

/// Three sizes or coordinates, x first.
struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t volume() const { return uint64_t(x) * y * z; }
  bool operator==(const Dim3 &other) const {
    return x == other.x && y == other.y && z == other.z;
  }
};

/// One defect. Reports of the same kind at the same pair of places are merged
/// into the first in the order of CTAs; `count` is their number.
struct Report {
  ReportKind kind = ReportKind::Race;
  std::string kernel;
  Dim3 cta;
  /// The linear index of the thread in its CTA.
  uint32_t thread = 0;
  /// The operation: an intrinsic's name, or "load", "store", "atomicrmw", ...
  std::string op;
  /// "file:line:column" with debug information, otherwise "function+N", N being
  /// the instruction's position in the function.
  std::string location;
  std::string message;
  uint64_t count = 1;
};

/// One line: kind, kernel, CTA, thread, op, location and message.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Report &report);

/// The outcome of a launch.
struct LaunchResult {
  std::string kernel;
  Dim3 grid, block, cluster;
  /// Shared memory of each CTA, static and dynamic.
  uint32_t sharedBytes = 0;
  /// The time of the launch on the host.
  double hostSeconds = 0;
  std::vector<Report> reports;
  /// Distinct reports beyond EmulatorOptions::maxReports.
  uint64_t numDroppedReports = 0;
  /// How often each intrinsic or assembly instruction was executed, summed
  /// over threads.
  std::map<std::string, uint64_t> opCounts;

  bool clean() const { return reports.empty(); }
  /// Prints all reports, one per line, and the number of dropped ones.
  void printReports(llvm::raw_ostream &os) const;
  /// Prints one line on the launch, then one per operation with its count.
  void printStatistics(llvm::raw_ostream &os) const;
};

} // namespace parablock

#endif // PARABLOCK_EMULATOR_REPORT_H
