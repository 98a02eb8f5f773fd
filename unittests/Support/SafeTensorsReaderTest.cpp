//===- SafeTensorsReaderTest.cpp - Every lie of a file is named -----------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "TemporaryFolder.h"
#include "parablock/Support/SafeTensors.h"
#include "llvm/Support/Endian.h"

using namespace parablock;

static unittest::TemporaryFolder folder;

/// A file with this header, its true length, and `dataSize` bytes 0, 1, 2, ...
static llvm::Expected<SafeTensorsFile> open(llvm::StringRef header,
                                            size_t dataSize) {
  std::string contents(8, '\0');
  llvm::support::endian::write64le(contents.data(), header.size());
  contents += header;
  for (size_t i = 0; i < dataSize; ++i)
    contents += static_cast<char>(i);
  return SafeTensorsFile::open(folder.write("t.safetensors", contents));
}

/// A file of one entry "a" with these fields, and 8 bytes of data.
static llvm::Expected<SafeTensorsFile> openEntry(llvm::StringRef fields) {
  return open(("{\"a\":" + fields + "}").str(), 8);
}

static void testGood() {
  auto file = open(R"({"__metadata__":{"format":"pt"},)"
                   R"("b":{"dtype":"U8","shape":[2,1],"data_offsets":[4,6]},)"
                   R"("empty":{"dtype":"F32","shape":[0,9],)"
                   R"("data_offsets":[4,4]},)"
                   R"("a":{"dtype":"I16","shape":[2],"data_offsets":[0,4]},)"
                   R"("scalar":{"dtype":"I8","shape":[],)"
                   R"("data_offsets":[6,7],"extra":1}}   )",
                   7);
  if (!file) {
    CHECK_SUCCEEDS("good file", file.takeError());
    return;
  }
  CHECK_EQUAL("all entries", file->entries().size(), size_t(4));
  CHECK_EQUAL("in the order of data", file->entries()[0].name, "a");
  CHECK_EQUAL("metadata", file->metadata().at("format"), "pt");
  const SafeTensorsEntry *a = file->lookup("a"), *b = file->lookup("b");
  CHECK("i16 data", a && a->decode() == std::vector<double>({256, 770}));
  CHECK("u8 data", b && b->decode() == std::vector<double>({4, 5}));
  CHECK("empty tensor", file->lookup("empty")->getNumElements() == 0);
  CHECK("scalar", file->lookup("scalar")->decode() == std::vector<double>{6});
  CHECK("no such tensor", !file->lookup("c"));
  CHECK_SUCCEEDS("require", file->require("b", {2, 1}).takeError());
  CHECK_FAILS("require another shape", file->require("b", {1, 2}),
              "t.safetensors: tensor 'b': expected shape [1, 2], got [2, 1]");
  CHECK_FAILS("require another key", file->require("h.1.c", {3}),
              "expected a tensor 'h.1.c' of shape [3], got none");
  SafeTensorsFile moved = std::move(*file);
  CHECK("data survives a move", moved.lookup("b")->bytes[1] == 5);
}

static void testFrame() {
  CHECK_FAILS("no file", SafeTensorsFile::open(folder.path("none")), "none: ");
  CHECK_FAILS("a folder", SafeTensorsFile::open(folder.path("")), ": ");
  CHECK_FAILS("seven bytes",
              SafeTensorsFile::open(folder.write("short", "1234567")),
              "short: expected at least the 8 bytes of a header length, got 7");
  CHECK_FAILS("all ones",
              SafeTensorsFile::open(folder.write("s", std::string(64, '\xff'))),
              "got a header length of 18446744073709551615");
  std::string large("\x01\xe1\xf5\x05\0\0\0\0{}", 10); // 100 000 001
  CHECK_FAILS("header above the limit",
              SafeTensorsFile::open(folder.write("s", large)),
              "expected a header of at most 100000000 bytes");
  std::string cut("\x20\0\0\0\0\0\0\0{}", 10);
  CHECK_FAILS("header beyond the file",
              SafeTensorsFile::open(folder.write("s", cut)),
              "expected a header of 32 bytes, got a file of 10 bytes");
  CHECK_FAILS("empty header", open("", 0), "expected a JSON object as header");
  CHECK_FAILS("header a list", open("[]", 0), "expected a JSON object");
  CHECK_FAILS("header not JSON", open("{\"a\":", 0), "no valid JSON");
  CHECK_FAILS("header with a tail", open("{}{}", 0), "no valid JSON");
  CHECK_FAILS("header nested deep",
              open("{\"a\":" + std::string(99999, '['), 0), "nested levels");
  CHECK_SUCCEEDS("no tensors", open("{}", 0).takeError());
  CHECK_FAILS("key twice",
              open(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                   R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
                   1),
              "key 'a' is given twice");
  CHECK_FAILS("metadata not an object", open("{\"__metadata__\":[]}", 0),
              "__metadata__: expected an object, got []");
  CHECK_FAILS("metadata not strings", open("{\"__metadata__\":{\"x\":1}}", 0),
              "__metadata__: expected a string as 'x', got 1");
}

static void testEntries() {
  CHECK_FAILS("entry not an object", openEntry("5"),
              "t.safetensors: tensor 'a': expected an object");
  CHECK_FAILS("unknown dtype",
              openEntry(R"({"dtype":"F7","shape":[8],"data_offsets":[0,8]})"),
              "tensor 'a': expected dtype F64, F32, BF16, F16, I64, I32, I16, "
              "I8, U8 or BOOL, got \"F7\"");
  CHECK_FAILS("no dtype", openEntry(R"({"shape":[8],"data_offsets":[0,8]})"),
              "expected a string as dtype, got nothing");
  CHECK_FAILS("no shape", openEntry(R"({"dtype":"U8","data_offsets":[0,8]})"),
              "tensor 'a': expected a list as shape, got nothing");
  CHECK_FAILS("negative shape",
              openEntry(R"({"dtype":"U8","shape":[-8],"data_offsets":[0,8]})"),
              "expected non-negative whole numbers in shape, got -8");
  CHECK_FAILS("fraction in shape",
              openEntry(R"({"dtype":"U8","shape":[0.5],"data_offsets":[0,8]})"),
              "expected non-negative whole numbers in shape, got 0.5");
  CHECK_FAILS("shape overflows",
              openEntry(R"({"dtype":"U8","shape":[99999999999,9999999999],)"
                        R"("data_offsets":[0,8]})"),
              "tensor 'a': expected a size that 64 bits can count, got shape "
              "[99999999999, 9999999999]");
  CHECK_FAILS("bytes overflow",
              openEntry(R"({"dtype":"F64","shape":[4611686018427387904],)"
                        R"("data_offsets":[0,0]})"),
              "64 bits can count");
  CHECK_FAILS("no offsets", openEntry(R"({"dtype":"U8","shape":[8]})"),
              "expected data_offsets [begin, end] with begin <= end, got "
              "nothing");
  CHECK_FAILS("three offsets",
              openEntry(R"({"dtype":"U8","shape":[8],"data_offsets":[0,8,8]})"),
              "got [0,8,8]");
  CHECK_FAILS("negative offset",
              openEntry(R"({"dtype":"U8","shape":[8],"data_offsets":[-8,0]})"),
              "got [-8,0]");
  CHECK_FAILS("begin above end",
              openEntry(R"({"dtype":"U8","shape":[8],"data_offsets":[8,0]})"),
              "with begin <= end, got [8,0]");
  CHECK_FAILS(
      "offsets of another size",
      openEntry(R"({"dtype":"F32","shape":[1,3],"data_offsets":[0,8]})"),
      "tensor 'a': expected 12 bytes for F32 [1, 3], got data_offsets of 8 "
      "bytes");
}

static void testPlacement() {
  CHECK_FAILS(
      "beyond the file",
      openEntry(R"({"dtype":"U8","shape":[9],"data_offsets":[0,9]})"),
      "tensor 'a': expected data within the file's 8 bytes of data, got "
      "data_offsets [0, 9]");
  CHECK_FAILS("far beyond the file",
              openEntry(R"({"dtype":"U8","shape":[8],)"
                        R"("data_offsets":[1000000000000,1000000000008]})"),
              "tensor 'a': expected data within the file's 8 bytes");
  CHECK_FAILS("overlap",
              open(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
                   R"("b":{"dtype":"U8","shape":[4],"data_offsets":[3,7]}})",
                   7),
              "tensor 'b': expected data from offset 4, got offset 3, inside "
              "tensor 'a'");
  CHECK_FAILS("hole",
              open(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
                   R"("b":{"dtype":"U8","shape":[2],"data_offsets":[6,8]}})",
                   8),
              "tensor 'b': expected data from offset 4, got offset 6, leaving");
  CHECK_FAILS(
      "bytes behind the last tensor",
      openEntry(R"({"dtype":"U8","shape":[7],"data_offsets":[0,7]})"),
      "expected the data to end at byte 7, behind the last tensor, got 8");
}

int main() {
  testGood();
  testFrame();
  testEntries();
  testPlacement();
  return unittest::finish();
}
