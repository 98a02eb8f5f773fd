//===- SafeTensorsWriterTest.cpp - Files that can be read again -----------===//
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

static TensorToWrite make(llvm::StringRef name, ElementType type,
                          llvm::ArrayRef<int64_t> shape,
                          llvm::ArrayRef<uint8_t> bytes) {
  TensorToWrite tensor;
  tensor.name = name.str();
  tensor.type = type;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.bytes = bytes;
  return tensor;
}

namespace {
class SafeTensorsWriterTest : public testing::Test {
protected:
  std::unique_ptr<SafeTensorsWriter> makeWriter() {
    return llvm::cantFail(SafeTensorsWriter::create(
        folder.path("streamed"), {make("b", ElementType::BF16, {2}, {}),
                                  make("none", ElementType::F16, {0}, {}),
                                  make("a", ElementType::F32, {2, 2}, {})}));
  }

  unittest::TemporaryFolder folder;
};
} // namespace

TEST_F(SafeTensorsWriterTest, TheOrderGivenDoesNotMatter) {
  const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
  TensorToWrite x = make("x \"y\"", ElementType::U8, {3}, {bytes, 3});
  TensorToWrite f = make("f", ElementType::F32, {1, 2}, bytes);
  TensorToWrite scalar = make("e", ElementType::F32, {}, {bytes, 4});
  SafeTensorsMetadata metadata = {{"format", "pt"}, {"a", "1"}};
  EXPECT_THAT_ERROR(
      writeSafeTensors(folder.path("1"), {x, f, scalar}, metadata), Succeeded())
      << "writes";
  EXPECT_THAT_ERROR(
      writeSafeTensors(folder.path("2"), {scalar, x, f}, metadata), Succeeded())
      << "writes in another order";
  std::string contents = folder.read("1");
  EXPECT_EQ(contents, folder.read("2")) << "the order given does not matter";
  uint64_t headerSize = llvm::support::endian::read64le(contents.data());
  EXPECT_EQ(headerSize % 8, 0u) << "header is padded to 8 bytes";
  EXPECT_EQ(llvm::StringRef(contents).substr(8, headerSize).rtrim(),
            R"({"__metadata__":{"a":"1","format":"pt"},)"
            R"("e":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
            R"("f":{"dtype":"F32","shape":[1,2],"data_offsets":[4,12]},)"
            R"("x \"y\"":{"dtype":"U8","shape":[3],"data_offsets":[12,15]}})")
      << "header";
  auto file = SafeTensorsFile::open(folder.path("1"));
  ASSERT_THAT_EXPECTED(file, Succeeded());
  EXPECT_EQ(file->metadata(), metadata) << "metadata";
  EXPECT_EQ(file->lookup("f")->bytes, llvm::ArrayRef(bytes)) << "bytes";
  EXPECT_EQ(file->lookup("x \"y\"")->bytes, llvm::ArrayRef(bytes, 3))
      << "bytes";
}

TEST_F(SafeTensorsWriterTest, ValuesMayComeInPieces) {
  {
    auto writer = makeWriter();
    EXPECT_EQ(writer->declarations()[0].name, "a") << "large elements first";
    EXPECT_THAT_ERROR(writer->appendValues("a", {1}), Succeeded()) << "a piece";
    EXPECT_THAT_ERROR(writer->appendValues("a", {2, 3, 1e-50}), Succeeded())
        << "the rest";
    EXPECT_THAT_ERROR(writer->appendValues("b", {1.00390625, -2}), Succeeded())
        << "next";
    EXPECT_THAT_ERROR(writer->appendValues("none", {}), Succeeded())
        << "an empty one";
    EXPECT_EQ(folder.read("streamed"), "<none>") << "not there before keep";
    EXPECT_THAT_ERROR(writer->keep(), Succeeded()) << "keep";
  }
  auto file = llvm::cantFail(SafeTensorsFile::open(folder.path("streamed")));
  EXPECT_EQ(file.lookup("a")->decode(), std::vector<double>({1, 2, 3, 0}))
      << "f32 values";
  EXPECT_EQ(file.lookup("b")->decode(), std::vector<double>({1, -2}))
      << "bf16 values are rounded";

  // More than one chunk of conversion.
  std::vector<double> many(200001);
  for (size_t i = 0; i < many.size(); ++i)
    many[i] = double(i);
  auto writer = llvm::cantFail(SafeTensorsWriter::create(
      folder.path("many"), {make("m", ElementType::F32, {200001}, {})}));
  EXPECT_THAT_ERROR(writer->appendValues("m", many), Succeeded())
      << "many values";
  EXPECT_THAT_ERROR(writer->keep(), Succeeded()) << "keep many";
  EXPECT_EQ(llvm::cantFail(SafeTensorsFile::open(folder.path("many")))
                .lookup("m")
                ->decode(),
            many)
      << "many values come back";
}

TEST_F(SafeTensorsWriterTest, RefusesMisuseAndLeavesNoFile) {
  unsigned files = folder.countFiles();
  EXPECT_THAT_ERROR(makeWriter()->appendValues("b", {1, 2}),
                    FailedWithMessage(HasSubstr(
                        "streamed: tensor 'b': expected data of tensor 'a'")))
      << "out of order";
  EXPECT_THAT_ERROR(
      makeWriter()->appendValues("a", {1, 2, 3, 4, 5}),
      FailedWithMessage(HasSubstr(
          "tensor 'a': expected 16 bytes for F32 [2, 2], got at least 20")))
      << "too much";
  {
    auto writer = makeWriter();
    llvm::cantFail(writer->appendValues("a", {1, 2, 3, 4}));
    EXPECT_THAT_ERROR(
        writer->appendValues("a", {1}),
        FailedWithMessage(HasSubstr("tensor 'a': expected 16 bytes")))
        << "a second time";
    EXPECT_THAT_ERROR(
        writer->keep(),
        FailedWithMessage(HasSubstr("tensor 'b': expected 4 bytes, got 0")))
        << "keep too early";
    llvm::cantFail(writer->appendValues("b", {1, 2}));
    EXPECT_THAT_ERROR(
        writer->append("c", {}),
        FailedWithMessage(HasSubstr("tensor 'c': expected no more data")))
        << "behind the last";
  }
  auto create = [&](std::vector<TensorDeclaration> tensors) {
    return SafeTensorsWriter::create(folder.path("bad"), std::move(tensors));
  };
  EXPECT_THAT_EXPECTED(
      create({make("a", ElementType::U8, {1}, {}),
              make("a", ElementType::U8, {2}, {})}),
      FailedWithMessage(HasSubstr("bad: tensor 'a': is declared twice")))
      << "declared twice";
  EXPECT_THAT_EXPECTED(
      create({make("__metadata__", ElementType::U8, {1}, {})}),
      FailedWithMessage(HasSubstr("this name is the format's own")))
      << "reserved name";
  EXPECT_THAT_EXPECTED(create({make("\xff", ElementType::U8, {1}, {})}),
                       FailedWithMessage(HasSubstr("UTF-8")))
      << "not UTF-8";
  EXPECT_THAT_EXPECTED(
      create({make("a", ElementType::U8, {-1}, {})}),
      FailedWithMessage(HasSubstr(
          "tensor 'a': expected a size that 64 bits can count, got shape "
          "[-1]")))
      << "negative shape";
  EXPECT_THAT_ERROR(writeSafeTensors(folder.path("no/where"), {}),
                    FailedWithMessage(HasSubstr("no/where: ")))
      << "no folder";
  EXPECT_THAT_ERROR(
      writeSafeTensors(folder.path("bad"),
                       {make("a", ElementType::U8, {1}, {})}),
      FailedWithMessage(HasSubstr("bad: tensor 'a': expected 1 bytes, got 0")))
      << "wrong size";
  EXPECT_EQ(folder.countFiles(), files) << "no file was left";
  EXPECT_THAT_ERROR(writeSafeTensors("/dev/null", {}), Succeeded())
      << "/dev/null";
}
