//===- SafeTensorsWriterTest.cpp - Files that can be read again -----------===//
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

static std::unique_ptr<SafeTensorsWriter> makeWriter() {
  return llvm::cantFail(SafeTensorsWriter::create(
      folder.path("streamed"), {make("b", ElementType::BF16, {2}, {}),
                                make("none", ElementType::F16, {0}, {}),
                                make("a", ElementType::F32, {2, 2}, {})}));
}

static void testRoundTrip() {
  const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
  TensorToWrite x = make("x \"y\"", ElementType::U8, {3}, {bytes, 3});
  TensorToWrite f = make("f", ElementType::F32, {1, 2}, bytes);
  TensorToWrite scalar = make("e", ElementType::F32, {}, {bytes, 4});
  SafeTensorsMetadata metadata = {{"format", "pt"}, {"a", "1"}};
  CHECK_SUCCEEDS("writes",
                 writeSafeTensors(folder.path("1"), {x, f, scalar}, metadata));
  CHECK_SUCCEEDS("writes in another order",
                 writeSafeTensors(folder.path("2"), {scalar, x, f}, metadata));
  std::string contents = folder.read("1");
  CHECK("the order given does not matter", contents == folder.read("2"));
  uint64_t headerSize = llvm::support::endian::read64le(contents.data());
  CHECK_EQUAL("header is padded to 8 bytes", headerSize % 8, uint64_t(0));
  CHECK_EQUAL(
      "header", llvm::StringRef(contents).substr(8, headerSize).rtrim(),
      R"({"__metadata__":{"a":"1","format":"pt"},)"
      R"("e":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
      R"("f":{"dtype":"F32","shape":[1,2],"data_offsets":[4,12]},)"
      R"("x \"y\"":{"dtype":"U8","shape":[3],"data_offsets":[12,15]}})");
  auto file = SafeTensorsFile::open(folder.path("1"));
  if (!file) {
    CHECK_SUCCEEDS("reads", file.takeError());
    return;
  }
  CHECK("metadata", file->metadata() == metadata);
  CHECK("bytes",
        file->lookup("f")->bytes == llvm::ArrayRef(bytes) &&
            file->lookup("x \"y\"")->bytes == llvm::ArrayRef(bytes, 3));
}

static void testStreaming() {
  {
    auto writer = makeWriter();
    CHECK_EQUAL("large elements first", writer->declarations()[0].name, "a");
    CHECK_SUCCEEDS("a piece", writer->appendValues("a", {1}));
    CHECK_SUCCEEDS("the rest", writer->appendValues("a", {2, 3, 1e-50}));
    CHECK_SUCCEEDS("next", writer->appendValues("b", {1.00390625, -2}));
    CHECK_SUCCEEDS("an empty one", writer->appendValues("none", {}));
    CHECK_EQUAL("not there before keep", folder.read("streamed"), "<none>");
    CHECK_SUCCEEDS("keep", writer->keep());
  }
  auto file = llvm::cantFail(SafeTensorsFile::open(folder.path("streamed")));
  CHECK("f32 values",
        file.lookup("a")->decode() == std::vector<double>({1, 2, 3, 0}));
  CHECK("bf16 values are rounded",
        file.lookup("b")->decode() == std::vector<double>({1, -2}));

  // More than one chunk of conversion.
  std::vector<double> many(200001);
  for (size_t i = 0; i < many.size(); ++i)
    many[i] = double(i);
  auto writer = llvm::cantFail(SafeTensorsWriter::create(
      folder.path("many"), {make("m", ElementType::F32, {200001}, {})}));
  CHECK_SUCCEEDS("many values", writer->appendValues("m", many));
  CHECK_SUCCEEDS("keep many", writer->keep());
  CHECK("many values come back",
        llvm::cantFail(SafeTensorsFile::open(folder.path("many")))
                .lookup("m")
                ->decode() == many);
}

static void testMisuse() {
  unsigned files = folder.countFiles();
  CHECK_FAILS("out of order", makeWriter()->appendValues("b", {1, 2}),
              "streamed: tensor 'b': expected data of tensor 'a'");
  CHECK_FAILS("too much", makeWriter()->appendValues("a", {1, 2, 3, 4, 5}),
              "tensor 'a': expected 16 bytes for F32 [2, 2], got at least 20");
  {
    auto writer = makeWriter();
    llvm::cantFail(writer->appendValues("a", {1, 2, 3, 4}));
    CHECK_FAILS("a second time", writer->appendValues("a", {1}),
                "tensor 'a': expected 16 bytes");
    CHECK_FAILS("keep too early", writer->keep(),
                "tensor 'b': expected 4 bytes, got 0");
    llvm::cantFail(writer->appendValues("b", {1, 2}));
    CHECK_FAILS("behind the last", writer->append("c", {}),
                "tensor 'c': expected no more data");
  }
  auto create = [](std::vector<TensorDeclaration> tensors) {
    return SafeTensorsWriter::create(folder.path("bad"), std::move(tensors));
  };
  CHECK_FAILS("declared twice",
              create({make("a", ElementType::U8, {1}, {}),
                      make("a", ElementType::U8, {2}, {})}),
              "bad: tensor 'a': is declared twice");
  CHECK_FAILS("reserved name",
              create({make("__metadata__", ElementType::U8, {1}, {})}),
              "this name is the format's own");
  CHECK_FAILS("not UTF-8", create({make("\xff", ElementType::U8, {1}, {})}),
              "UTF-8");
  CHECK_FAILS("negative shape", create({make("a", ElementType::U8, {-1}, {})}),
              "tensor 'a': expected a size that 64 bits can count, got shape "
              "[-1]");
  CHECK_FAILS("no folder", writeSafeTensors(folder.path("no/where"), {}),
              "no/where: ");
  CHECK_FAILS("wrong size",
              writeSafeTensors(folder.path("bad"),
                               {make("a", ElementType::U8, {1}, {})}),
              "bad: tensor 'a': expected 1 bytes, got 0");
  CHECK_EQUAL("no file was left", folder.countFiles(), files);
  CHECK_SUCCEEDS("/dev/null", writeSafeTensors("/dev/null", {}));
}

int main() {
  testRoundTrip();
  testStreaming();
  testMisuse();
  return unittest::finish();
}
