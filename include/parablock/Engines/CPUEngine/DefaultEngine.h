//===- DefaultEngine.h - an engine with a fallback --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPUENGINE_DEFAULTENGINE_H
#define PARABLOCK_CPUENGINE_DEFAULTENGINE_H

#include "parablock/Execution/Engine.h"

namespace parablock {

/// Runs functions on `first`, and on `second`, with a remark and the reason, if
/// `first` has no code for them. Its name is the name of the engine of the
/// latest run.
std::unique_ptr<runner::Engine>
createDefaultEngine(std::unique_ptr<runner::Engine> first,
                    std::unique_ptr<runner::Engine> second,
                    llvm::raw_ostream &remarks);

} // namespace parablock

#endif // PARABLOCK_CPUENGINE_DEFAULTENGINE_H
