//===- InterestingTest.cpp - runs the user's program ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "InterestingTest.h"

#include "parablock/Support/LineWrapper.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

Expected<parablock::InterestingTest>
parablock::InterestingTest::create(StringRef program) {
  ErrorOr<std::string> path = sys::findProgramByName(program);
  if (!path || !sys::fs::can_execute(*path))
    return createStringError("the test '" + program +
                             "' is not a program that can be run");
  return InterestingTest(*path);
}

Expected<bool>
parablock::InterestingTest::holdsFor(mlir::ModuleOp module) const {
  SmallString<128> file;
  int descriptor;
  if (std::error_code error = sys::fs::createTemporaryFile(
          "block-reduce", "mlir", descriptor, file))
    return createStringError(error, "cannot make a temporary file: %s",
                             error.message().c_str());
  FileRemover remover(file);
  raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  {
    parablock::LineWrapper lines(os);
    module.print(lines); // with resources, unlike <<
  }
  os.close();
  if (std::error_code error = os.error()) {
    os.clear_error();
    return createStringError(error, "cannot write a temporary file: %s",
                             error.message().c_str());
  }

  std::optional<StringRef> silent[] = {StringRef(), StringRef(), StringRef()};
  std::string message;
  int code = sys::ExecuteAndWait(path, {path, file}, /*Env=*/std::nullopt,
                                 silent, /*SecondsToWait=*/0,
                                 /*MemoryLimit=*/0, &message);
  if (code == -1)
    return createStringError(inconvertibleErrorCode(),
                             "cannot run the test '%s': %s", path.c_str(),
                             message.c_str());
  return code == 0;
}
