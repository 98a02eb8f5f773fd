//===- Program.h - code and weights on a device -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LAUNCH_PROGRAM_H
#define PARABLOCK_LIB_LAUNCH_PROGRAM_H

#include "RankGroup.h"
#include "parablock/Engines/Launch/Package.h"
#include <atomic>
#include <map>

namespace parablock::launch {

/// FNV-1a; `hash` is the hash of the preceding bytes.
uint64_t hashBytes(const void *data, size_t size,
                   uint64_t hash = 0xcbf29ce484222325);

class Program {
public:
  /// Loads the code for `chip`, or the best that the device runs if it
  /// is empty, and allocates the parameters. `group` is null with one
  /// rank.
  static Status create(const Package &package, const DeviceContext &device,
                       RankGroup *group, const std::string &chip,
                       std::unique_ptr<Program> &program);
  ~Program();
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  Status setWeight(const std::string &name, const void *data, uint64_t bytes);
  /// Parts come in order, from offset 0 on.
  Status setWeightPart(const std::string &name, uint64_t offset,
                       const void *data, uint64_t bytes);
  /// Reads a parameter from the caller's memory, until it is set again.
  Status bindWeight(const std::string &name, cuda::Pointer pointer,
                    uint64_t bytes);
  /// Returns memory of the program for a parameter, which has no value until
  /// noteWeight.
  Status reserveWeight(const std::string &name, uint64_t bytes,
                       cuda::Pointer &pointer);
  void noteWeight(const std::string &name);
  Status loadWeights(const std::string &path);
  /// A failure names a parameter that is not set.
  Status checkWeights() const;

  const Package &package;
  const DeviceContext &device;
  RankGroup *const group;
  const PackageCode *code = nullptr;
  /// This rank's.
  const LaunchPlan *plan = nullptr;
  /// The function of one of the plan's kernels.
  cuda::Function getFunction(const PlanKernel &kernel) const {
    return functions.find(kernel.kernel)->second;
  }
  /// Bytes of parameters, without those in the caller's memory.
  uint64_t getBytes() const;
  /// Changes when parameters have other addresses.
  uint64_t getVersion() const { return version; }
  /// Returns the number of CTAs of a launch: a grid that fills the
  /// multiprocessors that the code was made for is scaled to those of the
  /// device.
  unsigned getGrid(const PlanKernel &kernel) const;

  /// Finds the input `name` among the arguments.
  Status findInput(const std::string &name, unsigned &tensor) const;

  /// The address of an argument that is a parameter; 0 before it is set.
  cuda::Pointer getWeight(unsigned argument) const {
    return parameters[argument].address;
  }

private:
  Program(const Package &package, const DeviceContext &device, RankGroup *group)
      : package(package), device(device), group(group) {}
  Status setUp(const std::string &chip);
  Status checkRanks() const;
  bool isBetter(const PackageCode &candidate) const;
  Status chooseCode(const std::string &chip);
  Status loadModule();
  Status loadImage(const PackageFile &file, const std::string &image);
  Status loadMachineCode(const std::string &cubin);
  void unloadModules();
  /// Returns the module that has a function, if there is one.
  std::optional<cuda::Module> findModule(const std::string &name) const;
  Status findFunctions();
  Status findFunction(const PlanKernel &kernel, cuda::Function &function);
  Status measureWeights();
  Status reserve(size_t index);
  Status reserveAlone(size_t index);
  Status loadConstants();
  Status readWeights(const std::string &path, uint64_t &source);
  Status findParameter(const std::string &name, size_t &index) const;
  /// The same for a parameter of so many bytes.
  Status findWhole(const std::string &name, uint64_t bytes,
                   size_t &index) const;
  Status upload(size_t index, uint64_t offset, const void *data,
                uint64_t bytes);
  const PackageFile *findRecipe() const;
  size_t getRank() const {
    return group ? static_cast<size_t>(group->own.rank) : 0;
  }

  struct Parameter {
    cuda::Pointer address = 0;
    uint64_t bytes = 0;
    /// Bytes of it that parts have brought.
    uint64_t received = 0;
    bool isSet = false;
    /// The package has its value: files of weights need not.
    bool isConstant = false;
    /// It is in the caller's memory.
    bool isBound = false;
    /// Memory of this parameter alone.
    std::unique_ptr<DeviceBuffer> own;
  };
  /// One for each image of machine code, or one alone.
  std::vector<cuda::Module> modules;
  std::map<std::string, cuda::Function> functions;
  /// One per argument of the function; inputs stay empty.
  std::vector<Parameter> parameters;
  /// Memory of all that were not bound when the first one was set.
  DeviceBuffer weights;
  std::atomic<uint64_t> version{0};
};

} // namespace parablock::launch

#endif // PARABLOCK_LIB_LAUNCH_PROGRAM_H
