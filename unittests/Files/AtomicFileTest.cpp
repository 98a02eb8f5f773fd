//===- AtomicFileTest.cpp - files that appear whole or not ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Files/AtomicFile.h"

#include "Check.h"
#include "TemporaryFolder.h"
#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace parablock;
using files::AtomicFile;

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

/// Writers of several threads, each with a letter of its own, and readers that
/// must always see a whole file of one.
static void testThreads(AtomicFile::Naming naming) {
  unittest::TemporaryFolder folder;
  std::string path = folder.path("shared");
  (void)writeLetters(path, 'a', naming);
  std::atomic<unsigned> torn{0}, failed{0}, reads{0}, writing{4};
  std::vector<std::thread> threads;
  for (char letter : {'a', 'b', 'c', 'd'})
    threads.emplace_back([&, letter] {
      for (unsigned round = 0; round < 50; ++round)
        failed += bool(writeLetters(path, letter, naming));
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
  CHECK_EQUAL("no writer fails", failed.load(), 0u);
  CHECK_EQUAL("no read is torn", torn.load(), 0u);
  CHECK("there were reads", reads > 0);
  CHECK_EQUAL("nothing is left beside it", folder.countFiles(), 1u);
}

/// Runs `body` in a child; what it ends with.
template <typename Body> static int runInChild(Body body) {
  llvm::outs().flush();
  pid_t child = fork();
  if (child == 0)
    _exit(body() ? 1 : 0);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

static void testEnds(AtomicFile::Naming naming) {
  unittest::TemporaryFolder folder;
  std::string path = folder.write("out", "old");
  int status = runInChild([&] {
    AtomicFile file;
    (void)file.create(path, naming);
    (void)file.write("half");
    return kill(getpid(), SIGKILL);
  });
  CHECK("the child was killed",
        WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  CHECK_EQUAL("the old file stays", folder.read("out"), "old");
  if (naming == AtomicFile::Late)
    CHECK_EQUAL("nothing without a name remains", folder.countFiles(), 1u);

  unittest::TemporaryFolder full;
  path = full.write("out", "old");
  status = runInChild([&] {
    signal(SIGXFSZ, SIG_IGN);
    rlimit limit = {10'000, 10'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    files::Status failure = writeLetters(path, 'x', naming);
    return !failure || failure->text != path + ": File too large";
  });
  CHECK_EQUAL("no more room is an error", status, 0);
  CHECK_EQUAL("and the old file stays", full.read("out"), "old");
  CHECK_EQUAL("alone", full.countFiles(), 1u);
}

static void testLinksAndPermissions(AtomicFile::Naming naming) {
  unittest::TemporaryFolder folder;
  std::string path = folder.path("out"), victim = folder.write("victim", "v");
  // The names that the process number gave once.
  std::string number = std::to_string(getpid());
  for (const std::string &planted :
       {path + ".partial" + number, path + "." + number + ".partial"})
    CHECK_EQUAL("plants a link", symlink(victim.c_str(), planted.c_str()), 0);
  CHECK("writes beside links", !writeLetters(path, 'x', naming));
  CHECK_EQUAL("that are not followed", folder.read("victim"), "v");
  CHECK_EQUAL("and stay", folder.countFiles(), 4u);

  mode_t before = umask(027);
  path = folder.path("private");
  CHECK("writes a new file", !writeLetters(path, 'x', naming));
  umask(before);
  struct stat info = {};
  stat(path.c_str(), &info);
  CHECK_EQUAL("with what the umask leaves", info.st_mode & 07777, 0640u);
  chmod(path.c_str(), 0604);
  CHECK("writes it again", !writeLetters(path, 'y', naming));
  stat(path.c_str(), &info);
  CHECK_EQUAL("with the permissions it had", info.st_mode & 07777, 0604u);

  std::string link = folder.path("link");
  CHECK_EQUAL("a link to nothing yet", symlink("target", link.c_str()), 0);
  CHECK("is written through", !writeLetters(link, 'z', naming));
  CHECK("and stays", lstat(link.c_str(), &info) == 0 && S_ISLNK(info.st_mode));
  CHECK_EQUAL("its target is there", folder.read("target").size(),
              size_t(65536));
  CHECK_EQUAL("a circle", symlink("circle", folder.path("circle").c_str()), 0);
  files::Status failure = writeLetters(folder.path("circle"), 'z', naming);
  CHECK("is an error",
        failure && failure->text.find("circle: ") != std::string::npos);
}

/// Checks that what has no name to take is written to as it is.
static void testSpecial() {
  int ends[2];
  CHECK_EQUAL("a pipe", pipe(ends), 0);
  CHECK("is written to",
        !files::writeWhole("/dev/fd/" + std::to_string(ends[1]), "through"));
  char text[16] = {};
  CHECK_EQUAL("at once", read(ends[0], text, sizeof(text)), 7);
  CHECK_EQUAL("with all", std::string(text), "through");
  unittest::TemporaryFolder folder;
  int open = ::open(folder.path("open").c_str(), O_CREAT | O_WRONLY, 0666);
  CHECK_EQUAL("an open file", write(open, "a", 1), 1);
  CHECK("is written to",
        !files::writeWhole("/dev/fd/" + std::to_string(open), "b"));
  CHECK_EQUAL("behind what it has", folder.read("open"), "ab");
  files::Status failure = files::writeWhole("/dev/full", "x");
  CHECK("a full device",
        failure && failure->text == "/dev/full: No space left on device");
}

static void testReading() {
  unittest::TemporaryFolder folder;
  std::string path = folder.path("sparse"), bytes;
  close(::open(path.c_str(), O_CREAT | O_WRONLY, 0666));
  CHECK_EQUAL("a file of 4 TB", truncate(path.c_str(), 1LL << 42), 0);
  files::Status failure = files::readWhole(path, 1 << 20, bytes);
  CHECK("is not read",
        failure && failure->text == path + ": expected at most 1048576 "
                                           "bytes, got 4398046511104");
  path = folder.path("pipe");
  CHECK_EQUAL("a pipe without a writer", mkfifo(path.c_str(), 0666), 0);
  failure = files::readWhole(path, 1 << 20, bytes);
  CHECK("is not waited for",
        failure && failure->text == path + ": expected a regular file");
  failure = files::readWhole(folder.path(""), 1 << 20, bytes);
  CHECK("a folder",
        failure && failure->text.find("Is a directory") != std::string::npos);
  path = folder.write("file", "bytes");
  CHECK("a file", !files::readWhole(path, 5, bytes) && bytes == "bytes");
}

int main() {
  for (AtomicFile::Naming naming : {AtomicFile::Late, AtomicFile::Early}) {
    testThreads(naming);
    testEnds(naming);
    testLinksAndPermissions(naming);
  }
  testSpecial();
  testReading();
  return unittest::finish();
}
