//===- TensorLayoutTest.cpp - headers of any size -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is refused, and how it is said, is in SafeTensorsReaderTest and in
// test/Files: this is about time and memory.
//
//===----------------------------------------------------------------------===//

#include "parablock/Files/TensorLayout.h"
#include "Failures.h"
#include "gtest/gtest.h"

#include <ctime>
#include <sys/resource.h>
#include <sys/wait.h>

using namespace parablock;
using files::TensorLayout;

static std::string makeFile(const std::string &header) {
  std::string file(8, '\0');
  for (unsigned i = 0; i < 8; ++i)
    file[i] = static_cast<char>(uint64_t(header.size()) >> 8 * i);
  return file + header;
}

static uint64_t getPeakMegabytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) >> 10;
}

static double getSeconds() {
  return static_cast<double>(clock()) / CLOCKS_PER_SEC;
}

/// Every key is compared with its neighbours in order, not with all others.
TEST(TensorLayoutTest, ReadsManyTensorsInSeconds) {
  std::string header = "{";
  for (unsigned i = 0; i < 200'000; ++i)
    header += (i ? ",\"t" : "\"t") + std::to_string(i) +
              "\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}";
  std::string file = makeFile(header + "}");
  TensorLayout layout;
  double begin = getSeconds();
  EXPECT_EQ(layout.read(file), std::nullopt);
  EXPECT_EQ(layout.tensors.size(), 200'000u);
  // Comparing all pairs takes minutes; the sanitizers are slow.
  EXPECT_LT(getSeconds() - begin, 20);
}

/// Reads in a process of its own, whose peak of memory is what this takes:
/// exits with the megabytes beside the file's.
[[noreturn]] static void readAndExit(const std::string &fields, bool isGood) {
  std::string list = "[";
  list.reserve(16'000'002);
  while (list.size() < 16'000'000)
    list += "0,";
  list += "0]";
  std::string header = "{\"a\":{";
  header.reserve(list.size() + fields.size() + 10);
  header += fields;
  header += list + "}}";
  std::string file = makeFile(header);
  uint64_t before = getPeakMegabytes();
  TensorLayout layout;
  if (bool(layout.read(file)) == isGood)
    exit(255);
  exit(static_cast<int>(std::min<uint64_t>(getPeakMegabytes() - before, 254)));
}

/// Values that nobody asked for do not become memory: a list of eight million
/// numbers would take 64 MB at least.
TEST(TensorLayoutTest, LongListsTakeNoMemory) {
  auto isBelow50 = [](int status) {
    return WIFEXITED(status) && WEXITSTATUS(status) < 50;
  };
  EXPECT_EXIT(
      readAndExit("\"dtype\":\"U8\",\"data_offsets\":[0,0],\"shape\":", false),
      isBelow50, "");
  EXPECT_EXIT(
      readAndExit("\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":", false),
      isBelow50, "");
  EXPECT_EXIT(readAndExit("\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,"
                          "0],\"x\":",
                          true),
              isBelow50, "");
}
