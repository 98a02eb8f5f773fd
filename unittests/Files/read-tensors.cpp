//===- read-tensors.cpp - what the readers say of files -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For each file a line of the compiler's reader and one of the launcher's:
// "ok", or why the file is refused. Called by test/Files/hostile.py.
//
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Launch/TensorStore.h"
#include "parablock/Support/SafeTensors.h"
#include "llvm/Support/raw_ostream.h"

using namespace parablock;

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    llvm::Expected<SafeTensorsFile> file = SafeTensorsFile::open(argv[i]);
    llvm::outs() << (file ? "ok" : llvm::toString(file.takeError())) << "\n";
    launch::TensorStore store;
    launch::Status failure = store.open(argv[i]);
    llvm::outs() << (failure ? failure->text : "ok") << "\n";
  }
  return 0;
}
