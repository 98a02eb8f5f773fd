//===- SafeTensorsReaderTest.cpp - Every lie of a file is named -----------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TemporaryFolder.h"
#include "parablock/Support/SafeTensors.h"
#include "llvm/Support/Endian.h"
#include "llvm/Testing/Support/Error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using llvm::FailedWithMessage;
using llvm::Succeeded;
using testing::HasSubstr;

namespace {
class SafeTensorsReaderTest : public testing::Test {
protected:
  /// Opens a file with this header, its true length, and `dataSize` bytes 0, 1,
  /// 2, ...
  llvm::Expected<SafeTensorsFile> open(llvm::StringRef header,
                                       size_t dataSize) {
    std::string contents(8, '\0');
    llvm::support::endian::write64le(contents.data(), header.size());
    contents += header;
    for (size_t i = 0; i < dataSize; ++i)
      contents += static_cast<char>(i);
    return SafeTensorsFile::open(folder.write("t.safetensors", contents));
  }

  /// Opens a file of one entry "a" with these fields, and 8 bytes of data.
  llvm::Expected<SafeTensorsFile> openEntry(llvm::StringRef fields) {
    return open(("{\"a\":" + fields + "}").str(), 8);
  }

  unittest::TemporaryFolder folder;
};
} // namespace

TEST_F(SafeTensorsReaderTest, ReadsEveryEntry) {
  auto file = open(R"({"__metadata__":{"format":"pt"},)"
                   R"("b":{"dtype":"U8","shape":[2,1],"data_offsets":[4,6]},)"
                   R"("empty":{"dtype":"F32","shape":[0,9],)"
                   R"("data_offsets":[4,4]},)"
                   R"("a":{"dtype":"I16","shape":[2],"data_offsets":[0,4]},)"
                   R"("scalar":{"dtype":"I8","shape":[],)"
                   R"("data_offsets":[6,7],"extra":1}}   )",
                   7);
  ASSERT_THAT_EXPECTED(file, Succeeded());
  EXPECT_EQ(file->entries().size(), 4u) << "all entries";
  EXPECT_EQ(file->entries()[0].name, "a") << "in the order of data";
  EXPECT_EQ(file->metadata().at("format"), "pt") << "metadata";
  const SafeTensorsEntry *a = file->lookup("a"), *b = file->lookup("b");
  ASSERT_TRUE(a) << "i16 data";
  EXPECT_EQ(a->decode(), std::vector<double>({256, 770})) << "i16 data";
  ASSERT_TRUE(b) << "u8 data";
  EXPECT_EQ(b->decode(), std::vector<double>({4, 5})) << "u8 data";
  EXPECT_EQ(file->lookup("empty")->getNumElements(), 0) << "empty tensor";
  EXPECT_EQ(file->lookup("scalar")->decode(), std::vector<double>{6})
      << "scalar";
  EXPECT_FALSE(file->lookup("c")) << "no such tensor";
  EXPECT_THAT_EXPECTED(file->require("b", {2, 1}), Succeeded()) << "require";
  EXPECT_THAT_EXPECTED(
      file->require("b", {1, 2}),
      FailedWithMessage(HasSubstr(
          "t.safetensors: tensor 'b': expected shape [1, 2], got [2, 1]")))
      << "require another shape";
  EXPECT_THAT_EXPECTED(file->require("h.1.c", {3}),
                       FailedWithMessage(HasSubstr(
                           "expected a tensor 'h.1.c' of shape [3], got none")))
      << "require another key";
  SafeTensorsFile moved = std::move(*file);
  EXPECT_EQ(moved.lookup("b")->bytes[1], 5) << "data survives a move";
}

TEST_F(SafeTensorsReaderTest, RefusesWhatIsNoHeader) {
  EXPECT_THAT_EXPECTED(SafeTensorsFile::open(folder.path("none")),
                       FailedWithMessage(HasSubstr("none: ")))
      << "no file";
  EXPECT_THAT_EXPECTED(SafeTensorsFile::open(folder.path("")),
                       FailedWithMessage(HasSubstr(": ")))
      << "a folder";
  EXPECT_THAT_EXPECTED(
      SafeTensorsFile::open(folder.write("short", "1234567")),
      FailedWithMessage(HasSubstr(
          "short: expected at least the 8 bytes of a header length, got 7")))
      << "seven bytes";
  EXPECT_THAT_EXPECTED(
      SafeTensorsFile::open(folder.write("s", std::string(64, '\xff'))),
      FailedWithMessage(
          HasSubstr("got a header length of 18446744073709551615")))
      << "all ones";
  std::string large("\x01\xe1\xf5\x05\0\0\0\0{}", 10); // 100 000 001
  EXPECT_THAT_EXPECTED(SafeTensorsFile::open(folder.write("s", large)),
                       FailedWithMessage(HasSubstr(
                           "expected a header of at most 100000000 bytes")))
      << "header above the limit";
  std::string cut("\x20\0\0\0\0\0\0\0{}", 10);
  EXPECT_THAT_EXPECTED(
      SafeTensorsFile::open(folder.write("s", cut)),
      FailedWithMessage(
          HasSubstr("expected a header of 32 bytes, got a file of 10 bytes")))
      << "header beyond the file";
  EXPECT_THAT_EXPECTED(open("", 0), FailedWithMessage(HasSubstr(
                                        "expected a JSON object as header")))
      << "empty header";
  EXPECT_THAT_EXPECTED(open("[]", 0),
                       FailedWithMessage(HasSubstr("expected a JSON object")))
      << "header a list";
  EXPECT_THAT_EXPECTED(open("{\"a\":", 0),
                       FailedWithMessage(HasSubstr("no valid JSON")))
      << "header not JSON";
  EXPECT_THAT_EXPECTED(open("{}{}", 0),
                       FailedWithMessage(HasSubstr("no valid JSON")))
      << "header with a tail";
  EXPECT_THAT_EXPECTED(open("{\"a\":" + std::string(99999, '['), 0),
                       FailedWithMessage(HasSubstr("nested levels")))
      << "header nested deep";
  EXPECT_THAT_EXPECTED(open("{}", 0), Succeeded()) << "no tensors";
  EXPECT_THAT_EXPECTED(
      open(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
           R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
           1),
      FailedWithMessage(HasSubstr("key 'a' is given twice")))
      << "key twice";
  EXPECT_THAT_EXPECTED(
      open("{\"__metadata__\":[]}", 0),
      FailedWithMessage(HasSubstr("__metadata__: expected an object, got []")))
      << "metadata not an object";
  EXPECT_THAT_EXPECTED(open("{\"__metadata__\":{\"x\":1}}", 0),
                       FailedWithMessage(HasSubstr(
                           "__metadata__: expected a string as 'x', got 1")))
      << "metadata not strings";
}

TEST_F(SafeTensorsReaderTest, RefusesWrongEntries) {
  EXPECT_THAT_EXPECTED(openEntry("5"),
                       FailedWithMessage(HasSubstr(
                           "t.safetensors: tensor 'a': expected an object")))
      << "entry not an object";
  EXPECT_THAT_EXPECTED(
      openEntry(R"({"dtype":"F7","shape":[8],"data_offsets":[0,8]})"),
      FailedWithMessage(HasSubstr(
          "tensor 'a': expected dtype F64, F32, BF16, F16, I64, I32, I16, "
          "I8, U8, F8_E4M3 or BOOL, got \"F7\"")))
      << "unknown dtype";
  EXPECT_THAT_EXPECTED(
      openEntry(R"({"shape":[8],"data_offsets":[0,8]})"),
      FailedWithMessage(HasSubstr("expected a string as dtype, got nothing")))
      << "no dtype";
  EXPECT_THAT_EXPECTED(
      openEntry(R"({"dtype":"U8","data_offsets":[0,8]})"),
      FailedWithMessage(
          HasSubstr("tensor 'a': expected a list as shape, got nothing")))
      << "no shape";
  EXPECT_THAT_EXPECTED(
      openEntry(R"({"dtype":"U8","shape":[-8],"data_offsets":[0,8]})"),
      FailedWithMessage(
          HasSubstr("expected non-negative whole numbers in shape, got -8")))
      << "negative shape";
  EXPECT_THAT_EXPECTED(
      openEntry(R"({"dtype":"U8","shape":[0.5],"data_offsets":[0,8]})"),
      FailedWithMessage(
          HasSubstr("expected non-negative whole numbers in shape, got 0.5")))
      << "fraction in shape";
  EXPECT_THAT_EXPECTED(
      openEntry(R"({"dtype":"U8","shape":[99999999999,9999999999],)"
                R"("data_offsets":[0,8]})"),
      FailedWithMessage(HasSubstr(
          "tensor 'a': expected a size that 64 bits can count, got shape "
          "[99999999999, 9999999999]")))
      << "shape overflows";
  EXPECT_THAT_EXPECTED(
      openEntry(R"({"dtype":"F64","shape":[4611686018427387904],)"
                R"("data_offsets":[0,0]})"),
      FailedWithMessage(HasSubstr("64 bits can count")))
      << "bytes overflow";
  EXPECT_THAT_EXPECTED(
      openEntry(R"({"dtype":"U8","shape":[8]})"),
      FailedWithMessage(
          HasSubstr("expected data_offsets [begin, end] with begin <= end, got "
                    "nothing")))
      << "no offsets";
  EXPECT_THAT_EXPECTED(
      openEntry(R"({"dtype":"U8","shape":[8],"data_offsets":[0,8,8]})"),
      FailedWithMessage(HasSubstr("got [0,8,8]")))
      << "three offsets";
  EXPECT_THAT_EXPECTED(
      openEntry(R"({"dtype":"U8","shape":[8],"data_offsets":[-8,0]})"),
      FailedWithMessage(HasSubstr("got [-8,0]")))
      << "negative offset";
  EXPECT_THAT_EXPECTED(
      openEntry(R"({"dtype":"U8","shape":[8],"data_offsets":[8,0]})"),
      FailedWithMessage(HasSubstr("with begin <= end, got [8,0]")))
      << "begin above end";
  EXPECT_THAT_EXPECTED(
      openEntry(R"({"dtype":"F32","shape":[1,3],"data_offsets":[0,8]})"),
      FailedWithMessage(HasSubstr(
          "tensor 'a': expected 12 bytes for F32 [1, 3], got data_offsets of 8 "
          "bytes")))
      << "offsets of another size";
}

TEST_F(SafeTensorsReaderTest, RefusesGapsAndOverlaps) {
  EXPECT_THAT_EXPECTED(
      openEntry(R"({"dtype":"U8","shape":[9],"data_offsets":[0,9]})"),
      FailedWithMessage(HasSubstr(
          "tensor 'a': expected data within the file's 8 bytes of data, got "
          "data_offsets [0, 9]")))
      << "beyond the file";
  EXPECT_THAT_EXPECTED(
      openEntry(R"({"dtype":"U8","shape":[8],)"
                R"("data_offsets":[1000000000000,1000000000008]})"),
      FailedWithMessage(
          HasSubstr("tensor 'a': expected data within the file's 8 bytes")))
      << "far beyond the file";
  EXPECT_THAT_EXPECTED(
      open(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
           R"("b":{"dtype":"U8","shape":[4],"data_offsets":[3,7]}})",
           7),
      FailedWithMessage(HasSubstr(
          "tensor 'b': expected data from offset 4, got offset 3, inside "
          "tensor 'a'")))
      << "overlap";
  EXPECT_THAT_EXPECTED(
      open(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
           R"("b":{"dtype":"U8","shape":[2],"data_offsets":[6,8]}})",
           8),
      FailedWithMessage(HasSubstr(
          "tensor 'b': expected data from offset 4, got offset 6, leaving")))
      << "hole";
  EXPECT_THAT_EXPECTED(
      openEntry(R"({"dtype":"U8","shape":[7],"data_offsets":[0,7]})"),
      FailedWithMessage(HasSubstr(
          "expected the data to end at byte 7, behind the last tensor, got 8")))
      << "bytes behind the last tensor";
}
