//===- PrivateFolderTest.cpp - files that nobody else has written ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Files/PrivateFolder.h"

#include "Failures.h"
#include "TemporaryFolder.h"
#include "gtest/gtest.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace parablock;
using files::PrivateFolder;
using testing::HasSubstr;
using unittest::FailsWith;

namespace {
class PrivateFolderTest : public testing::Test {
protected:
  PrivateFolderTest() {
    EXPECT_FALSE(folder.open(outer.path("a/b/c"))) << "makes all of them";
  }

  std::string read(const std::string &name, uint64_t most = 100) {
    std::string bytes;
    return folder.read(name, most, bytes) ? bytes : "<none>";
  }
  std::string path(const std::string &name) {
    return outer.path("a/b/c/" + name);
  }

  unittest::TemporaryFolder outer;
  PrivateFolder folder;
};
} // namespace

TEST_F(PrivateFolderTest, KeepsFiles) {
  EXPECT_EQ(read("x"), "<none>") << "nothing yet";
  ASSERT_FALSE(folder.write("x", "first"));
  ASSERT_FALSE(folder.write("x", "second"));
  EXPECT_EQ(read("x"), "second");
  EXPECT_EQ(read("x", 5), "<none>") << "too large";
}

TEST_F(PrivateFolderTest, MapsFilesOfTheSizeThatIsExpected) {
  files::FileMapping mapping;
  EXPECT_FALSE(folder.map("x", 5, mapping)) << "nothing yet";
  ASSERT_FALSE(folder.write("x", {"fi", "", "rst"}));
  EXPECT_FALSE(folder.map("x", 4, mapping)) << "too large";
  EXPECT_FALSE(folder.map("x", 6, mapping)) << "too small";
  EXPECT_EQ(mapping.getBytes(), "");
  ASSERT_TRUE(folder.map("x", 5, mapping));
  ASSERT_FALSE(folder.write("x", "other"));
  files::FileMapping moved = std::move(mapping);
  EXPECT_EQ(moved.getBytes(), "first") << "what was mapped stays";
  EXPECT_EQ(read("x"), "other");
  ASSERT_FALSE(folder.write("x", ""));
  EXPECT_FALSE(folder.map("x", 0, mapping)) << "an empty file";
  ASSERT_EQ(symlink("x", path("link").c_str()), 0);
  EXPECT_FALSE(folder.map("link", 0, mapping)) << "a link";
}

TEST_F(PrivateFolderTest, ReadsNothingOfOthers) {
  ASSERT_FALSE(folder.write("x", "own"));
  ASSERT_EQ(chmod(path("x").c_str(), 0620), 0);
  EXPECT_EQ(read("x"), "<none>") << "the group's";
  ASSERT_EQ(chmod(path("x").c_str(), 0600), 0);
  ASSERT_EQ(symlink("x", path("link").c_str()), 0);
  EXPECT_EQ(read("link"), "<none>") << "a link";
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(read("pipe"), "<none>") << "a pipe";
  if (geteuid() == 0) {
    ASSERT_EQ(chown(path("x").c_str(), 12345, gid_t(-1)), 0);
    EXPECT_EQ(read("x"), "<none>") << "another user's";
  }
  // Links are replaced, not followed.
  ASSERT_FALSE(folder.write("link", "new"));
  EXPECT_EQ(read("link"), "new");
}

TEST_F(PrivateFolderTest, RefusesFoldersOfOthers) {
  PrivateFolder other;
  std::string name = outer.path("a");
  ASSERT_EQ(chmod(name.c_str(), 0702), 0);
  EXPECT_THAT(other.open(name),
              FailsWith(HasSubstr("a folder that no other user may write to")));
  if (geteuid() == 0) {
    ASSERT_EQ(chmod(name.c_str(), 0700) + chown(name.c_str(), 12345, gid_t(-1)),
              0);
  }
  EXPECT_THAT(other.open(geteuid() == 0 ? name : "/"),
              FailsWith(HasSubstr("expected a folder of the user's own")));
  outer.write("file", "");
  EXPECT_THAT(other.open(outer.path("file/folder")),
              FailsWith(HasSubstr("Not a directory")));
}

/// Gives the latest use of a file, in seconds.
static void setUsed(const std::string &path, time_t seconds) {
  timespec times[] = {{seconds, 0}, {seconds, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

TEST_F(PrivateFolderTest, RemovesWhatWasNotUsedForLongest) {
  for (const char *name : {"a.x", "b.x", "c.x", "d.y"}) {
    ASSERT_FALSE(folder.write(name, "0123456789"));
    setUsed(path(name), 1000 + name[0]);
  }
  outer.write("a/b/c/e.x.0.tmp", "");
  outer.write("a/b/c/f.x.0.tmp", "");
  setUsed(path("e.x.0.tmp"), 1000);
  EXPECT_EQ(read("a.x"), "0123456789") << "used now";
  folder.limit(".x", 20);
  EXPECT_EQ(read("a.x"), "0123456789") << "used last";
  EXPECT_EQ(read("b.x"), "<none>") << "used first";
  EXPECT_EQ(read("c.x"), "0123456789") << "fits";
  EXPECT_EQ(read("d.y"), "0123456789") << "of another ending";
  EXPECT_NE(access(path("e.x.0.tmp").c_str(), F_OK), 0) << "never finished";
  EXPECT_EQ(access(path("f.x.0.tmp").c_str(), F_OK), 0) << "being written";
}

/// Writers of one name, and readers that must see a whole file of one of them.
TEST_F(PrivateFolderTest, ReadersSeeWholeFiles) {
  ASSERT_FALSE(folder.write("x", std::string(65536, 'a')));
  std::vector<std::thread> threads;
  for (char letter : {'a', 'b'})
    threads.emplace_back([this, letter] {
      for (unsigned i = 0; i < 50; ++i)
        EXPECT_FALSE(folder.write("x", std::string(65536, letter)));
    });
  for (unsigned i = 0; i < 200; ++i) {
    std::string bytes = read("x", 65536);
    ASSERT_EQ(bytes, std::string(65536, bytes[0])) << "torn";
  }
  for (std::thread &thread : threads)
    thread.join();
  folder.limit("x", 65536);
  EXPECT_EQ(read("x", 65536).size(), 65536u);
}
