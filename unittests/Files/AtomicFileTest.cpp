//===- AtomicFileTest.cpp - files that appear whole or not ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Files/AtomicFile.h"

#include "Failures.h"
#include "TemporaryFolder.h"
#include "gtest/gtest.h"
#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace parablock;
using files::AtomicFile;
using testing::EndsWith;
using testing::HasSubstr;
using unittest::FailsWith;

/// A file that is written in many pieces, all of the same letter.
static files::Status writeLetters(const std::string &path, char letter,
                                  AtomicFile::Naming naming) {
  AtomicFile file;
  if (files::Status failure = file.create(path, naming))
    return failure;
  for (unsigned piece = 0; piece < 16; ++piece)
    if (files::Status failure = file.write(std::string(4096, letter)))
      return failure;
  return file.keep();
}

namespace {
class AtomicFileNamingTest : public testing::TestWithParam<AtomicFile::Naming> {
protected:
  files::Status write(const std::string &path, char letter) {
    return writeLetters(path, letter, GetParam());
  }

  unittest::TemporaryFolder folder;
};
} // namespace

INSTANTIATE_TEST_SUITE_P(, AtomicFileNamingTest,
                         testing::Values(AtomicFile::Late, AtomicFile::Early),
                         [](const auto &info) {
                           return info.param == AtomicFile::Late ? "Late"
                                                                 : "Early";
                         });

/// Writers of several threads, each with a letter of its own, and readers that
/// must always see a whole file of one.
TEST_P(AtomicFileNamingTest, ReadersSeeWholeFiles) {
  std::string path = folder.path("shared");
  (void)write(path, 'a');
  std::atomic<unsigned> torn{0}, failed{0}, reads{0}, writing{4};
  std::vector<std::thread> threads;
  for (char letter : {'a', 'b', 'c', 'd'})
    threads.emplace_back([&, letter] {
      for (unsigned round = 0; round < 50; ++round)
        failed += bool(write(path, letter));
      --writing;
    });
  for (unsigned reader = 0; reader < 2; ++reader)
    threads.emplace_back([&] {
      for (; writing || reads == 0; ++reads) {
        std::string text;
        bool bad = bool(files::readWhole(path, 1 << 20, text));
        torn += bad || text.size() != 16 * 4096 ||
                text.find_first_not_of(text[0]) != std::string::npos;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failed.load(), 0u) << "no writer fails";
  EXPECT_EQ(torn.load(), 0u) << "no read is torn";
  EXPECT_GT(reads.load(), 0u) << "there were reads";
  EXPECT_EQ(folder.countFiles(), 1u) << "nothing is left beside it";
}

TEST_P(AtomicFileNamingTest, TheOldFileStaysWhereTheWriterDies) {
  std::string path = folder.write("out", "old");
  auto dieHalfway = [&] {
    AtomicFile file;
    (void)file.create(path, GetParam());
    (void)file.write("half");
    kill(getpid(), SIGKILL);
  };
  EXPECT_EXIT(dieHalfway(), testing::KilledBySignal(SIGKILL), "");
  EXPECT_EQ(folder.read("out"), "old");
  if (GetParam() == AtomicFile::Late)
    EXPECT_EQ(folder.countFiles(), 1u) << "nothing without a name remains";
}

TEST_P(AtomicFileNamingTest, TheOldFileStaysWhereThereIsNoMoreRoom) {
  std::string path = folder.write("out", "old");
  auto writeTooMuch = [&] {
    signal(SIGXFSZ, SIG_IGN);
    rlimit limit = {10'000, 10'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    files::Status failure = write(path, 'x');
    llvm::errs() << (failure ? failure->text : "success");
    exit(0);
  };
  EXPECT_EXIT(writeTooMuch(), testing::ExitedWithCode(0),
              EndsWith("out: File too large"));
  EXPECT_EQ(folder.read("out"), "old");
  EXPECT_EQ(folder.countFiles(), 1u);
}

TEST_P(AtomicFileNamingTest, PlantedLinksAreNotFollowed) {
  std::string path = folder.path("out"), victim = folder.write("victim", "v");
  // The names that the process number gave once.
  std::string number = std::to_string(getpid());
  for (const std::string &planted :
       {path + ".partial" + number, path + "." + number + ".partial"})
    ASSERT_EQ(symlink(victim.c_str(), planted.c_str()), 0) << planted;
  EXPECT_EQ(write(path, 'x'), std::nullopt);
  EXPECT_EQ(folder.read("victim"), "v");
  EXPECT_EQ(folder.countFiles(), 4u) << "the links stay";
}

TEST_P(AtomicFileNamingTest, PermissionsStay) {
  mode_t before = umask(027);
  std::string path = folder.path("private");
  EXPECT_EQ(write(path, 'x'), std::nullopt);
  umask(before);
  struct stat info = {};
  stat(path.c_str(), &info);
  EXPECT_EQ(info.st_mode & 07777, 0640u) << "what the umask leaves";
  chmod(path.c_str(), 0604);
  EXPECT_EQ(write(path, 'y'), std::nullopt);
  stat(path.c_str(), &info);
  EXPECT_EQ(info.st_mode & 07777, 0604u) << "what it had";
}

TEST_P(AtomicFileNamingTest, LinksOfTheUserAreWrittenThrough) {
  std::string link = folder.path("link");
  ASSERT_EQ(symlink("target", link.c_str()), 0) << "a link to nothing yet";
  EXPECT_EQ(write(link, 'z'), std::nullopt);
  struct stat info = {};
  ASSERT_EQ(lstat(link.c_str(), &info), 0);
  EXPECT_TRUE(S_ISLNK(info.st_mode)) << "it stays";
  EXPECT_EQ(folder.read("target").size(), 65536u);
  ASSERT_EQ(symlink("circle", folder.path("circle").c_str()), 0);
  EXPECT_THAT(write(folder.path("circle"), 'z'),
              FailsWith(HasSubstr("circle: ")));
}

TEST(AtomicFileTest, WritesToPipesAtOnce) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(files::writeWhole("/dev/fd/" + std::to_string(ends[1]), "through"),
            std::nullopt);
  char text[16] = {};
  EXPECT_EQ(read(ends[0], text, sizeof(text)), 7);
  EXPECT_STREQ(text, "through");
}

TEST(AtomicFileTest, WritesBehindWhatAnOpenFileHas) {
  unittest::TemporaryFolder folder;
  int open = ::open(folder.path("open").c_str(), O_CREAT | O_WRONLY, 0666);
  ASSERT_EQ(write(open, "a", 1), 1);
  EXPECT_EQ(files::writeWhole("/dev/fd/" + std::to_string(open), "b"),
            std::nullopt);
  EXPECT_EQ(folder.read("open"), "ab");
}

TEST(AtomicFileTest, AFullDeviceIsAnError) {
  EXPECT_THAT(files::writeWhole("/dev/full", "x"),
              FailsWith(std::string("/dev/full: No space left on device")));
}

TEST(AtomicFileTest, ReadsRegularFilesUpToALimit) {
  unittest::TemporaryFolder folder;
  std::string bytes, path = folder.write("file", "bytes");
  EXPECT_EQ(files::readWhole(path, 5, bytes), std::nullopt);
  EXPECT_EQ(bytes, "bytes");

  path = folder.path("sparse");
  close(::open(path.c_str(), O_CREAT | O_WRONLY, 0666));
  ASSERT_EQ(truncate(path.c_str(), 1LL << 42), 0) << "a file of 4 TB";
  EXPECT_THAT(files::readWhole(path, 1 << 20, bytes),
              FailsWith(path + ": expected at most 1048576 bytes, got "
                               "4398046511104"));

  path = folder.path("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0666), 0) << "a pipe without a writer";
  EXPECT_THAT(files::readWhole(path, 1 << 20, bytes),
              FailsWith(path + ": expected a regular file"));
  EXPECT_THAT(files::readWhole(folder.path(""), 1 << 20, bytes),
              FailsWith(HasSubstr("Is a directory")));
}
