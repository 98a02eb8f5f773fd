//===- MissingToolError.h - error of a missing program ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TARGET_MACHINECODE_MISSINGTOOLERROR_H
#define PARABLOCK_TARGET_MACHINECODE_MISSINGTOOLERROR_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace parablock {

/// A program outside the project was not found. Tools then exit with code
/// 4.
class MissingToolError : public llvm::ErrorInfo<MissingToolError> {
public:
  static char ID;

  MissingToolError(std::string tool, std::vector<std::string> places)
      : tool(std::move(tool)), places(std::move(places)) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string tool;
  std::vector<std::string> places;
};

} // namespace parablock

#endif // PARABLOCK_TARGET_MACHINECODE_MISSINGTOOLERROR_H
