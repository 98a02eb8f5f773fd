//===- Program.h - code and weights on a device -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LAUNCH_PROGRAM_H
#define PARABLOCK_LIB_LAUNCH_PROGRAM_H

#include "DeviceContext.h"
#include "parablock/Launch/Package.h"

namespace parablock::launch {

class Program {
public:
  /// Loads the code for `chip`, or the best that the device runs if it is
  /// empty, and makes room for the parameters.
  static Status create(const Package &package, const DeviceContext &device,
                       const std::string &chip,
                       std::unique_ptr<Program> &program);
  ~Program();
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  Status setWeight(const std::string &name, const void *data, uint64_t bytes);
  Status loadWeights(const std::string &path);
  /// A failure names a parameter that nobody set.
  Status checkWeights() const;

  const Package &package;
  const DeviceContext &device;
  const PackageCode *code = nullptr;
  /// By launch of the plan.
  std::vector<cuda::Function> functions;
  uint64_t getBytes() const { return weights.size(); }

  /// The address of an argument that is a parameter.
  cuda::Pointer getWeight(unsigned argument) const {
    return weights.pointer() + parameters[argument].offset;
  }

private:
  Program(const Package &package, const DeviceContext &device)
      : package(package), device(device) {}
  Status chooseCode(const std::string &chip);
  Status loadModule();
  Status loadImage(const PackageFile &file);
  Status findFunctions();
  Status placeWeights();

  struct Parameter {
    uint64_t offset = 0, bytes = 0;
    bool isSet = false;
  };
  cuda::Module module = nullptr;
  /// One per argument of the function; inputs stay empty.
  std::vector<Parameter> parameters;
  DeviceBuffer weights;
};

} // namespace parablock::launch

#endif // PARABLOCK_LIB_LAUNCH_PROGRAM_H
