//===- TestDevice.h - Running device code in unit tests ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_EMULATOR_TESTDEVICE_H
#define PARABLOCK_UNITTESTS_EMULATOR_TESTDEVICE_H

#include "parablock/Judges/Emulator/Emulator.h"
#include "parablock/Judges/Emulator/TensorMap.h"
#include "parablock/Support/FloatFormats.h"
#include "parablock/Support/SeededRandom.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Testing/Support/Error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <string>
#include <vector>

namespace parablock {

/// Prints the reports of a launch.
inline void PrintTo(const LaunchResult &result, std::ostream *os) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const Report &report : result.reports)
    stream << "\n    " << report;
  *os << (text.empty() ? "no report" : text);
}

} // namespace parablock

namespace parablock::unittest {

/// A device with arrays on it.
class TestDevice {
public:
  TestDevice() : memory(llvm::cantFail(DeviceMemory::create())) {}

  template <typename T>
  T *put(const std::vector<T> &values, llvm::StringRef name) {
    T *address = makeRoom<T>(values.size(), name);
    llvm::cantFail(
        memory->upload(address, values.data(), values.size() * sizeof(T)));
    return address;
  }
  template <typename T> T *makeRoom(size_t count, llvm::StringRef name) {
    return static_cast<T *>(
        llvm::cantFail(memory->allocate(count * sizeof(T), name)));
  }
  template <typename T> std::vector<T> get(const T *address, size_t count) {
    std::vector<T> values(count);
    llvm::cantFail(memory->download(values.data(), address, count * sizeof(T)));
    return values;
  }

  std::unique_ptr<DeviceMemory> memory;
};

/// Compiles `text` and runs its kernel, which must go well.
inline LaunchResult run(TestDevice &device, llvm::StringRef text,
                        llvm::StringRef kernel, const LaunchConfig &config,
                        llvm::ArrayRef<KernelArgument> arguments,
                        EmulatorOptions options = {}) {
  auto emulator = Emulator::create(llvm::MemoryBufferRef(text, "test"),
                                   *device.memory, options);
  EXPECT_THAT_EXPECTED(emulator, llvm::Succeeded()) << "compiles";
  if (!emulator)
    return {};
  auto result = (*emulator)->launch(kernel, config, arguments);
  EXPECT_THAT_EXPECTED(result, llvm::Succeeded()) << "launches";
  if (!result)
    return {};
  return std::move(*result);
}

/// Matches a launch without any report.
MATCHER(IsClean, "") { return arg.clean(); }

/// Matches a launch with a report of `kind` whose op and message hold the
/// parts.
MATCHER_P3(Reports, kind, op, message,
           "has a report of kind " + getReportKindName(kind).str() + " at '" +
               op + "' with '" + message + "'") {
  return llvm::any_of(arg.reports, [&](const Report &report) {
    return report.kind == kind && llvm::StringRef(report.op).contains(op) &&
           llvm::StringRef(report.message).contains(message);
  });
}

/// A kernel of the name "k" around `body`, with %tid and %lane at hand and
/// @dyn, the dynamic shared memory.
inline std::string makeKernel(llvm::StringRef parameters,
                              const llvm::Twine &body,
                              llvm::StringRef globals = "") {
  return ("@dyn = external addrspace(3) global [0 x i8], align 1024\n" +
          globals + "\ndefine ptx_kernel void @k(" + parameters +
          ") {\n"
          "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
          "  %lane = and i32 %tid, 31\n" +
          body + "  ret void\n}\n")
      .str();
}

inline LaunchConfig oneCta(uint32_t threads, uint32_t sharedBytes = 0) {
  LaunchConfig config;
  config.block.x = threads;
  config.dynamicSharedBytes = sharedBytes;
  return config;
}

/// Uniform numbers from -1 to 1 that bf16 holds.
inline std::vector<double> drawValues(llvm::StringRef name, size_t count) {
  std::vector<double> values(count);
  SeededStream(1, name).fillNormal(0, values);
  for (double &value : values)
    value = roundToBF16(value / 4);
  return values;
}

/// `text` with one occurrence of `from` replaced: the `which`-th, from 0. There
/// must be so many.
inline std::string replaceIn(llvm::StringRef text, llvm::StringRef from,
                             llvm::StringRef to, unsigned which = 0) {
  size_t position = text.find(from);
  for (unsigned i = 0; i < which && position != llvm::StringRef::npos; ++i)
    position = text.find(from, position + from.size());
  EXPECT_NE(position, llvm::StringRef::npos)
      << ("expected '" + from + "' in the kernel").str();
  if (position == llvm::StringRef::npos)
    return text.str();
  return (text.take_front(position) + to +
          text.drop_front(position + from.size()))
      .str();
}

/// `text` without the line that holds the `which`-th occurrence of `part`.
inline std::string dropLine(llvm::StringRef text, llvm::StringRef part,
                            unsigned which = 0) {
  size_t position = text.find(part);
  for (unsigned i = 0; i < which && position != llvm::StringRef::npos; ++i)
    position = text.find(part, position + part.size());
  EXPECT_NE(position, llvm::StringRef::npos)
      << ("expected '" + part + "' in the kernel").str();
  if (position == llvm::StringRef::npos)
    return text.str();
  size_t begin = text.rfind('\n', position) + 1;
  size_t end = text.find('\n', position) + 1;
  return (text.take_front(begin) + text.drop_front(end)).str();
}

} // namespace parablock::unittest

#endif // PARABLOCK_UNITTESTS_EMULATOR_TESTDEVICE_H
