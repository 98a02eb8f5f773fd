//===- InputFileTest.cpp - what is read of files, pipes and devices -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/InputFile.h"
#include "TemporaryFolder.h"
#include "llvm/Testing/Support/Error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace parablock;
using llvm::FailedWithMessage;

namespace {
class InputFileTest : public testing::Test {
protected:
  /// Reads a pipe that `bytes` are written to.
  auto readPipe(llvm::StringRef bytes, uint64_t most) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    std::thread writer([&] {
      EXPECT_EQ(write(ends[1], bytes.data(), bytes.size()),
                static_cast<ssize_t>(bytes.size()));
      close(ends[1]);
    });
    auto result =
        readFile("/dev/fd/" + std::to_string(ends[0]), InputForm::Text, most);
    writer.join();
    close(ends[0]);
    return result;
  }

  unittest::TemporaryFolder folder;
};
} // namespace

TEST_F(InputFileTest, ReadsFiles) {
  // A page without room behind it, and less.
  for (std::string bytes : {std::string(4096, 'a'), std::string("abc")}) {
    folder.write("file", bytes);
    for (InputForm form : {InputForm::Text, InputForm::Bytes}) {
      auto read = llvm::cantFail(readInput(folder.path("file"), form));
      EXPECT_EQ(read->getBuffer(), bytes);
      if (form == InputForm::Text) {
        EXPECT_EQ(*read->getBufferEnd(), '\0');
      }
    }
  }
  EXPECT_EQ(llvm::cantFail(readFile("/dev/null", InputForm::Text))->getBuffer(),
            "");
}

TEST_F(InputFileTest, ReadsPipesToALimit) {
  std::string bytes(100000, 'b');
  for (uint64_t most : {mostPipeBytes, uint64_t(100000)}) {
    auto read = llvm::cantFail(readPipe(bytes.substr(0, 50000), most));
    EXPECT_EQ(read->getBuffer(), bytes.substr(0, 50000));
    EXPECT_EQ(*read->getBufferEnd(), '\0');
    EXPECT_EQ(llvm::cantFail(readPipe(bytes, most))->getBuffer(), bytes);
  }
  EXPECT_THAT_EXPECTED(
      readPipe(bytes.substr(0, 1000), 999),
      FailedWithMessage("expected at most 999 bytes from a pipe, got more"));
}

TEST_F(InputFileTest, RefusesWhatIsNoFile) {
  struct {
    std::string path, message;
  } cases[] = {
      {"/dev/zero", "expected a file or a pipe, got a device"},
      {"/dev/full", "expected a file or a pipe, got a device"},
      {folder.path(""), "Is a directory"},
      {folder.path("none"), "No such file or directory"},
  };
  for (const auto &each : cases)
    EXPECT_THAT_EXPECTED(readFile(each.path, InputForm::Bytes),
                         FailedWithMessage(each.message))
        << each.path;
}
