//===- AtomicOutputTest.cpp - Files appear whole or not at all ------------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/AtomicOutput.h"
#include "Check.h"
#include "TemporaryFolder.h"

using namespace parablock;
namespace fs = llvm::sys::fs;

int main() {
  unittest::TemporaryFolder folder;
  std::string path = folder.path("out.txt");

  CHECK_SUCCEEDS("writes", writeFile(path, "first"));
  CHECK_EQUAL("holds what was written", folder.read("out.txt"), "first");
  CHECK_FAILS("a failing writer's error is passed on",
              writeFile(path,
                        [](llvm::raw_ostream &os) {
                          os << "half of it";
                          return llvm::createStringError("out of ideas");
                        }),
              "out of ideas");
  CHECK_EQUAL("a failed write keeps the old file", folder.read("out.txt"),
              "first");
  CHECK_EQUAL("a failed write leaves no other file", folder.countFiles(), 1u);
  {
    auto output = llvm::cantFail(AtomicOutput::create(folder.path("new")));
    output->os() << "never kept";
  }
  CHECK_EQUAL("what is not kept is gone", folder.countFiles(), 1u);
  CHECK_SUCCEEDS("replaces", writeFile(path, "second"));
  CHECK_EQUAL("replaced", folder.read("out.txt"), "second");

  CHECK_SUCCEEDS("makes a link", llvm::errorCodeToError(fs::create_link(
                                     path, folder.path("link.txt"))));
  CHECK_SUCCEEDS("writes through the link",
                 writeFile(folder.path("link.txt"), "third"));
  bool isLink = false;
  (void)fs::is_symlink_file(folder.path("link.txt"), isLink);
  CHECK("the link stays", isLink);
  CHECK_EQUAL("its target is replaced", folder.read("out.txt"), "third");

  (void)fs::setPermissions(path, fs::owner_read | fs::owner_write);
  CHECK_SUCCEEDS("writes a private file", writeFile(path, "fourth"));
  CHECK("permissions stay",
        *fs::getPermissions(path) == (fs::owner_read | fs::owner_write));

  CHECK_SUCCEEDS("/dev/null", writeFile("/dev/null", "gone"));
  CHECK("/dev/null is still there",
        fs::exists("/dev/null") && !fs::is_regular_file("/dev/null"));
  CHECK_SUCCEEDS("standard output", writeFile("-", "on standard output\n"));
  CHECK("no file of that name", !fs::exists("-"));
  CHECK_FAILS("a full device", writeFile("/dev/full", "x"), "/dev/full: ");
  CHECK_FAILS("no such folder", writeFile(folder.path("no/out"), "x"),
              "no/out: ");
  CHECK_FAILS("a folder", writeFile(folder.path(""), "x"),
              "expected a file to write, got a directory");
  CHECK_FAILS("no name", writeFile("", "x"), "got an empty one");
  CHECK_EQUAL("nothing else was left", folder.countFiles(), 2u);
  return unittest::finish();
}
