//===- AtomicOutputTest.cpp - Files appear whole or not at all ------------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/AtomicOutput.h"
#include "TemporaryFolder.h"
#include "llvm/Testing/Support/Error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using llvm::FailedWithMessage;
using llvm::Succeeded;
using testing::HasSubstr;
namespace fs = llvm::sys::fs;

namespace {
class AtomicOutputTest : public testing::Test {
protected:
  unittest::TemporaryFolder folder;
  std::string path = folder.path("out.txt");
};
} // namespace

TEST_F(AtomicOutputTest, ReplacesFiles) {
  EXPECT_THAT_ERROR(writeFile(path, "first"), Succeeded());
  EXPECT_EQ(folder.read("out.txt"), "first");
  EXPECT_THAT_ERROR(writeFile(path, "second"), Succeeded());
  EXPECT_EQ(folder.read("out.txt"), "second");
  EXPECT_EQ(folder.countFiles(), 1u);
}

TEST_F(AtomicOutputTest, AFailedWriteKeepsTheOldFile) {
  folder.write("out.txt", "old");
  auto failHalfway = [](llvm::raw_ostream &os) {
    os << "half of it";
    return llvm::createStringError("out of ideas");
  };
  EXPECT_THAT_ERROR(writeFile(path, failHalfway),
                    FailedWithMessage("out of ideas"));
  EXPECT_EQ(folder.read("out.txt"), "old");
  {
    auto output = llvm::cantFail(AtomicOutput::create(folder.path("new")));
    output->os() << "never kept";
  }
  EXPECT_EQ(folder.countFiles(), 1u) << "no other file is left";
}

TEST_F(AtomicOutputTest, WritesThroughLinks) {
  folder.write("out.txt", "old");
  std::string link = folder.path("link.txt");
  ASSERT_FALSE(fs::create_link(path, link));
  EXPECT_THAT_ERROR(writeFile(link, "new"), Succeeded());
  bool isLink = false;
  (void)fs::is_symlink_file(link, isLink);
  EXPECT_TRUE(isLink) << "the link stays";
  EXPECT_EQ(folder.read("out.txt"), "new");
  EXPECT_EQ(folder.countFiles(), 2u);
}

TEST_F(AtomicOutputTest, KeepsPermissions) {
  folder.write("out.txt", "old");
  const fs::perms isPrivate = fs::owner_read | fs::owner_write;
  (void)fs::setPermissions(path, isPrivate);
  EXPECT_THAT_ERROR(writeFile(path, "new"), Succeeded());
  EXPECT_EQ(*fs::getPermissions(path), isPrivate);
}

TEST_F(AtomicOutputTest, WritesToWhatIsNoFile) {
  EXPECT_THAT_ERROR(writeFile("/dev/null", "gone"), Succeeded());
  EXPECT_TRUE(fs::exists("/dev/null"));
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
  EXPECT_THAT_ERROR(writeFile("-", "on standard output\n"), Succeeded());
  EXPECT_FALSE(fs::exists("-"));
}

TEST_F(AtomicOutputTest, SaysWhatCannotBeWritten) {
  EXPECT_THAT_ERROR(writeFile("/dev/full", "x"),
                    FailedWithMessage(HasSubstr("/dev/full: ")));
  EXPECT_THAT_ERROR(writeFile(folder.path("no/out"), "x"),
                    FailedWithMessage(HasSubstr("no/out: ")));
  EXPECT_THAT_ERROR(writeFile(folder.path(""), "x"),
                    FailedWithMessage(HasSubstr(
                        "expected a file to write, got a directory")));
  EXPECT_THAT_ERROR(writeFile("", "x"),
                    FailedWithMessage(HasSubstr("got an empty one")));
  EXPECT_EQ(folder.countFiles(), 0u);
}
