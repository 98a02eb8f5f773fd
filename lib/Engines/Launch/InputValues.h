//===- InputValues.h - values of inputs that launches rely on ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LAUNCH_INPUTVALUES_H
#define PARABLOCK_LIB_LAUNCH_INPUTVALUES_H

#include "Program.h"
#include <functional>

namespace parablock::launch {

/// Checks indices and booleans that are inputs, and together the inputs that
/// say what is in caches, of which it keeps the values read last.
class InputValues {
public:
  InputValues(const Program &program, const BoundPlan &sizes)
      : program(program), sizes(sizes) {}

  /// Collects the limits of all inputs, for sizes that are bound.
  Status collect(const PlanDims &dims);
  /// Checks the values of one input, which are at `data`.
  Status check(unsigned input, const void *data);
  bool areLimited(unsigned input);
  /// Checks what is in caches, unless `isUnknown` is true of an input of them.
  Status checkCaches(const std::function<bool(unsigned)> &isUnknown) const;

private:
  /// The inputs with the number of rows in caches and of padding, their limits,
  /// and their values when last read.
  struct Caches {
    CacheRoom room;
    unsigned past;
    std::optional<unsigned> starts;
    std::vector<int64_t> pastCounts, startCounts;
    /// The inputs that are tables of pages, and their entries.
    std::vector<unsigned> tables;
    std::vector<std::vector<int64_t>> pages;

    /// Finds where the values of an input are kept; null for another one.
    std::vector<int64_t> *findValues(unsigned input);
  };
  Status collectCaches(const PlanDims &dims);
  Status collectTable(const std::vector<PlanSize> &pools, const PlanDims &dims,
                      Caches &own, CacheRoom::Table &table);
  void keepCounts(unsigned input, const void *data);

  const Program &program;
  const BoundPlan &sizes;
  /// Limits by argument, with sizes.
  std::vector<std::vector<IndexLimit>> limits;
  std::optional<Caches> caches;
};

} // namespace parablock::launch

#endif // PARABLOCK_LIB_LAUNCH_INPUTVALUES_H
