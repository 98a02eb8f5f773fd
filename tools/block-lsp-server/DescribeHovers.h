//===- DescribeHovers.h - descriptions in hovers ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TOOLS_BLOCKLSPSERVER_DESCRIBEHOVERS_H
#define PARABLOCK_TOOLS_BLOCKLSPSERVER_DESCRIBEHOVERS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <thread>

/// Returns summary and description of an op of this project as Markdown; empty
/// for other ops.
std::string describeOp(llvm::StringRef name);

/// Returns a message of the language server, with the description of its op if
/// it answers a hover over one.
std::string describeHover(std::string message);

/// Standard output of the process; during this object's lifetime, messages are
/// passed through `describeHover`.
class DescribedOutput {
public:
  DescribedOutput();
  ~DescribedOutput();
  DescribedOutput(const DescribedOutput &) = delete;
  DescribedOutput &operator=(const DescribedOutput &) = delete;

private:
  void forward();

  /// Where the messages go; where they come from.
  int output = -1, input = -1;
  std::thread forwarding;
};

#endif // PARABLOCK_TOOLS_BLOCKLSPSERVER_DESCRIBEHOVERS_H
