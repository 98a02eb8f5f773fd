//===- TakeError.cpp - what LLVM's matchers of errors are linked with -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Packages of LLVM have llvm/Testing/Support/Error.h, and not the library with
// the one function that it declares.
//
//===----------------------------------------------------------------------===//

#include "llvm/Testing/Support/Error.h"

using namespace llvm;

detail::ErrorHolder detail::TakeError(Error error) {
  std::vector<std::shared_ptr<ErrorInfoBase>> infos;
  handleAllErrors(std::move(error), [&](std::unique_ptr<ErrorInfoBase> info) {
    infos.emplace_back(std::move(info));
  });
  return {std::move(infos)};
}
