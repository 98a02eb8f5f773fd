//===- BytecodeVersionTest.cpp - Which versions of a file are read --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/BlockVersion.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock::block;
using testing::HasSubstr;

static const char *const source = R"(
  func.func @f(%x: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
    %0 = block.scale %x {factor = 2.0 : f64} : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    return %0 : tensor<2x5x8xf32>
  }
)";

/// The diagnostics of reading a file that claims to be of `version`; empty
/// where it is read and means what was written.
static std::string readBack(mlir::MLIRContext &context, BlockVersion version) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
  if (!module)
    return "the source does not parse";
  mlir::BytecodeWriterConfig config;
  config.setDialectVersion<BlockDialect>(
      std::make_unique<BlockVersion>(version));
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (mlir::failed(mlir::writeBytecodeToFile(*module, stream, config)))
    return "the file cannot be written";

  std::string messages;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diag) { messages += diag.str() + "\n"; });
  auto read = mlir::parseSourceString<mlir::ModuleOp>(bytes, &context);
  if (!read)
    return messages.empty() ? "refused without a word" : messages;
  std::string before, after;
  llvm::raw_string_ostream(before) << *module;
  llvm::raw_string_ostream(after) << *read;
  return before == after ? messages : "expected " + before + ", got " + after;
}

namespace {
class BytecodeVersionTest : public testing::Test {
protected:
  BytecodeVersionTest() {
    context.loadDialect<BlockDialect, mlir::func::FuncDialect>();
  }

  mlir::MLIRContext context;
  BlockVersion current = BlockVersion::getCurrent();
};
} // namespace

TEST_F(BytecodeVersionTest, ReadsNewerMinorVersions) {
  EXPECT_EQ(readBack(context, current), "");
  EXPECT_EQ(readBack(context, {current.major, current.minor + 7}), "");
}

// [VERSION-1]
TEST_F(BytecodeVersionTest, RefusesNewerMajorVersions) {
  EXPECT_THAT(readBack(context, {current.major + 1, 3}),
              testing::HasSubstr("block dialect version " +
                                 std::to_string(current.major + 1) +
                                 ".3 is newer than the supported " +
                                 std::to_string(current.major) + "." +
                                 std::to_string(current.minor)));
}
