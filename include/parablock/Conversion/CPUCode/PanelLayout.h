//===- PanelLayout.h - layouts of packed weights ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A weight [out, in] as panels of as many outputs as one step of a
// product computes: [panel][in][output], or with several inputs together,
// [panel] [in / together][output][together]. Outputs without weights are
// zeros.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_CPUCODE_PANELLAYOUT_H
#define PARABLOCK_CONVERSION_CPUCODE_PANELLAYOUT_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace parablock::cpugen {

struct PanelLayout {
  /// The outputs [first, first + count) of each panel.
  struct Panel {
    int64_t first, count;
    bool operator==(const Panel &other) const {
      return first == other.first && count == other.count;
    }
  };
  llvm::SmallVector<Panel> panels;
  /// Outputs of a panel.
  int64_t columns = 0;
  int64_t depth = 0;
  int64_t together = 1;

  bool operator==(const PanelLayout &other) const {
    return panels == other.panels && columns == other.columns &&
           depth == other.depth && together == other.together;
  }
};

} // namespace parablock::cpugen

#endif // PARABLOCK_CONVERSION_CPUCODE_PANELLAYOUT_H
