//===- Failures.h - failures of files::Status in tests ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_FAILURES_H
#define PARABLOCK_UNITTESTS_FAILURES_H

#include "parablock/Files/Status.h"
#include "gmock/gmock.h"
#include <ostream>

namespace parablock::files {

/// Prints a failure where a test expected another one, or none.
inline void PrintTo(const Failure &failure, std::ostream *os) {
  *os << "'" << failure.text << "'";
}

} // namespace parablock::files

namespace parablock::unittest {

/// Matches a status that is a failure whose text matches; of success, compare
/// with std::nullopt.
template <typename Text> auto FailsWith(Text text) {
  return testing::Optional(testing::Field("text", &files::Failure::text, text));
}

} // namespace parablock::unittest

#endif // PARABLOCK_UNITTESTS_FAILURES_H
