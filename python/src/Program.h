//===- Program.h - functions that run on arrays -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_PYTHON_PROGRAM_H
#define PARABLOCK_PYTHON_PROGRAM_H

#include "Handles.h"
#include <optional>

namespace parablock::python {

class Memory;
class Packing;
class Tensor;
using Tensors = std::vector<const Tensor *>;

/// A program and the context that it needs.
class Program {
public:
  Program(Module &module, const std::string &function,
          const std::string &engine, const std::string &chip, uint32_t threads,
          const std::optional<std::string> &cache, const Memory *memory,
          bool keepsWeights, const Tensors &parameters,
          const std::optional<std::string> &identity);
  ~Program() { context->destroy(parablockProgramDestroy, handle); }
  Program(const Program &) = delete;

  void setParameters(const Tensors &tensors);
  /// Takes packed weights that were kept by that text, if there are any.
  bool findParameters(const Tensors &tensors, const std::string &identity);
  void keepParameters(const std::string &identity);
  std::vector<int64_t> getOutputShape(const Tensors &inputs, size_t output,
                                      size_t rank);
  std::string planMemory(const Tensors &inputs);
  void run(const Tensors &inputs, const Tensors &outputs);
  std::string report();
  std::string listSegments();

  std::shared_ptr<Context> context;
  ParablockProgram *handle = nullptr;
};

} // namespace parablock::python

#endif // PARABLOCK_PYTHON_PROGRAM_H
