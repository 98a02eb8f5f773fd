//===- TensorLayoutTest.cpp - headers of any size -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is refused, and how it is said, is in SafeTensorsReaderTest and in
// test/Files: this is about time and memory.
//
//===----------------------------------------------------------------------===//

#include "parablock/Files/TensorLayout.h"

#include "Check.h"
#include <ctime>
#include <sys/resource.h>

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
static void testManyKeys() {
  std::string header = "{";
  for (unsigned i = 0; i < 200'000; ++i)
    header += (i ? ",\"t" : "\"t") + std::to_string(i) +
              "\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}";
  std::string file = makeFile(header + "}");
  TensorLayout layout;
  double begin = getSeconds();
  files::Status failure = layout.read(file);
  CHECK("200,000 tensors are read", !failure);
  CHECK_EQUAL("all of them", layout.tensors.size(), size_t(200'000));
  // Comparing all pairs takes minutes; the sanitizers are slow.
  CHECK("in seconds", getSeconds() - begin < 20);
}

/// Values that nobody asked for do not become memory.
static void testLongLists() {
  std::string list;
  while (list.size() < 16'000'000)
    list += "0,";
  list = "[" + list + "0]";
  uint64_t before = getPeakMegabytes() + 2 * (list.size() >> 20);
  for (const std::string &fields :
       {"\"dtype\":\"U8\",\"shape\":" + list + ",\"data_offsets\":[0,0]",
        "\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":" + list,
        "\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0],\"x\":" +
            list}) {
    std::string file = makeFile("{\"a\":{" + fields + "}}");
    TensorLayout layout;
    bool isExtra = fields.find("\"x\"") != std::string::npos;
    CHECK_EQUAL("a list of eight million numbers", bool(layout.read(file)),
                !isExtra);
  }
  CHECK("no memory but the file's", getPeakMegabytes() < before + 50);
}

int main() {
  testManyKeys();
  testLongLists();
  return unittest::finish();
}
