//===- RaiseEpsilon.h - a pass of another project ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef DOWNSTREAM_RAISEEPSILON_H
#define DOWNSTREAM_RAISEEPSILON_H

namespace downstream {
/// Registers --downstream-raise-epsilon.
void registerRaiseEpsilonPass();
} // namespace downstream

#endif // DOWNSTREAM_RAISEEPSILON_H
