//===- BoundaryTest.cpp - nothing leaves the C API but a status -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "parablock-c/Context.h"
#include "llvm/Support/ErrorHandling.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <stdexcept>

using testing::HasSubstr;

namespace {
struct BoundaryTest : testing::Test {
  ParablockContext *context = parablockContextCreate();
  ~BoundaryTest() override { parablockContextDestroy(context); }

  ParablockStatus call(llvm::function_ref<void()> work) {
    return context->call({}, [&] {
      work();
      return llvm::createStringError("came back");
    });
  }
  const char *getError() { return parablockContextGetError(context); }
};
} // namespace

/// Has the C++ library throw, at a null text.
static void throwLogicError() {
  const char *volatile nothing = nullptr;
  std::string text(nothing);
  llvm::errs() << text;
}

TEST_F(BoundaryTest, ReturnsTheStatusOfACall) {
  EXPECT_EQ(call([] {}), ParablockBadInput);
  EXPECT_STREQ(getError(), "came back");
}

TEST_F(BoundaryTest, ContainsExceptions) {
  EXPECT_EQ(call(throwLogicError), ParablockInternalError);
  EXPECT_THAT(getError(), HasSubstr("internal error: basic_string"));
}

TEST_F(BoundaryTest, ContainsFatalErrors) {
  EXPECT_EQ(call([] { llvm::report_fatal_error("no such register"); }),
            ParablockInternalError);
  EXPECT_THAT(getError(), HasSubstr("internal error: no such register"));
}

TEST_F(BoundaryTest, ContainsLackOfMemory) {
#if LLVM_ADDRESS_SANITIZER_BUILD || LLVM_THREAD_SANITIZER_BUILD
  GTEST_SKIP() << "sanitizers end a program that lacks memory";
#endif
  EXPECT_EQ(call([] {
              volatile size_t size = size_t(1) << 60;
              std::vector<char> all(size);
              llvm::errs() << all[1];
            }),
            ParablockInternalError);
}

TEST_F(BoundaryTest, RefusesFurtherCallsOfTheContext) {
  EXPECT_EQ(call(throwLogicError), ParablockInternalError);
  EXPECT_EQ(call([] {}), ParablockInternalError);
  EXPECT_THAT(getError(), HasSubstr("make a new context"));
  ParablockContext *other = parablockContextCreate();
  EXPECT_EQ(other->call({}, [] { return llvm::Error::success(); }),
            ParablockSuccess);
  parablockContextDestroy(other);
}

TEST_F(BoundaryTest, ContainsCallsWithinCalls) {
  EXPECT_EQ(call([&] {
              EXPECT_EQ(call([] { llvm::report_fatal_error("inner"); }),
                        ParablockInternalError);
              llvm::report_fatal_error("outer");
            }),
            ParablockInternalError);
  EXPECT_THAT(getError(), HasSubstr("outer"));
}

TEST_F(BoundaryTest, ContainsFunctionsWithoutAStatus) {
  EXPECT_FALSE(parablock::capi::contain(throwLogicError));
  EXPECT_TRUE(parablock::capi::contain([] {}));
}
