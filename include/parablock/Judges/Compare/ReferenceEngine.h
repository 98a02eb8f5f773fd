//===- ReferenceEngine.h - the engine reference -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_COMPARE_REFERENCEENGINE_H
#define PARABLOCK_COMPARE_REFERENCEENGINE_H

#include "parablock/Execution/Engine.h"

namespace parablock::runner {

/// The float64 interpreter. Its "kernels" are the ops that ran; it supports
/// exact arithmetic and observers.
std::unique_ptr<Engine> createReferenceEngine();

} // namespace parablock::runner

#endif // PARABLOCK_COMPARE_REFERENCEENGINE_H
