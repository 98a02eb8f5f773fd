//===- RankFacts.cpp - hashes modules, inputs and files -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Compare/RankFacts.h"

#include "parablock/Support/TensorHash.h"
#include "llvm/Support/xxhash.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;

uint64_t runner::hashModule(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  return llvm::xxh3_64bits(os.str());
}

uint64_t runner::hashTensors(const TensorFile *file) {
  if (!file)
    return 0;
  llvm::SmallVector<const SafeTensorsEntry *> entries;
  for (const SafeTensorsEntry &entry : file->entries())
    entries.push_back(&entry);
  return parablock::hashTensors(entries, [&] { file->releasePages(); });
}

uint64_t runner::hashInputs(const BoundFunction &function,
                            ArrayRef<Tensor> arguments) {
  llvm::SmallVector<uint64_t> hashes;
  for (auto [argument, value] :
       llvm::zip_equal(function.signature.arguments, arguments)) {
    if (argument.isParameter)
      continue;
    ArrayRef<double> elements = value.data();
    hashes.push_back(llvm::xxh3_64bits(
        ArrayRef(reinterpret_cast<const uint8_t *>(elements.data()),
                 elements.size() * sizeof(double))));
  }
  return llvm::xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(hashes.data()),
               hashes.size() * sizeof(uint64_t)));
}
