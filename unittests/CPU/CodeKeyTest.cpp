//===- CodeKeyTest.cpp - all that compiled code depends on ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "parablock/Engines/CPUEngine/CodeCache.h"
#include "parablock/InitAll.h"
#include "gtest/gtest.h"
#include <functional>
#include <set>

using namespace parablock;

namespace {
class CodeKeyTest : public testing::Test {
protected:
  CodeKeyTest() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  std::string makeKey(const std::string &text, const CpuTarget &target,
                      const CpuRank &rank = {},
                      llvm::StringRef function = "main") {
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    std::optional<std::string> key = makeCodeKey(
        module->lookupSymbol<mlir::func::FuncOp>(function), target, rank);
    EXPECT_TRUE(key) << "linked without a build id";
    return key.value_or("");
  }

  mlir::MLIRContext context;
  CpuTarget target = llvm::cantFail(findCpuTarget("x86-64-v3"));
};
} // namespace

/// More numbers than printing leaves out by default.
static std::string makeText(llvm::StringRef first) {
  std::string numbers = first.str();
  for (int i = 0; i < 2000; ++i)
    numbers += ", " + std::to_string(i) + ".0";
  return "func.func @main() -> tensor<2001xf32> {\n"
         "  %0 = arith.constant dense<[" +
         numbers +
         "]> : tensor<2001xf32>\n"
         "  return %0 : tensor<2001xf32>\n}\n"
         "func.func @other() { return }\n";
}

TEST_F(CodeKeyTest, EachPartChangesIt) {
  std::string text = makeText("1.0");
  std::string key = makeKey(text, target);
  EXPECT_EQ(makeKey("\n\n" + text, target), key) << "places in files do not";
  std::set<std::string> keys = {key};
  auto add = [&](const std::string &other, const char *what) {
    EXPECT_TRUE(keys.insert(other).second) << what;
  };
  add(makeKey(makeText("2.0"), target), "one number of many");
  add(makeKey(text, target, {}, "other"), "another function");
  add(makeKey(text, target, {1, 2, CpuRank::OpenMPI}), "a rank");
  add(makeKey(text, target, {0, 2, CpuRank::OpenMPI}), "another rank");
  add(makeKey(text, target, {0, 2, CpuRank::MPICH}), "another library");
  const std::pair<const char *, std::function<void(CpuTarget &)>> changes[] = {
      {"triple", [](CpuTarget &other) { other.triple += "x32"; }},
      {"processor", [](CpuTarget &other) { other.cpu = "znver3"; }},
      {"features", [](CpuTarget &other) { other.features = "-avx2"; }},
      {"class",
       [](CpuTarget &other) {
         other.processorClass =
             llvm::cantFail(findCpuTarget("x86-64")).processorClass;
       }},
      {"vectors", [](CpuTarget &other) { other.vectorBits = 128; }},
      {"FMA", [](CpuTarget &other) { other.hasFma = !other.hasFma; }},
      {"F16C", [](CpuTarget &other) { other.hasF16C = !other.hasF16C; }},
      {"bytes", [](CpuTarget &other) { other.hasByteProducts = true; }},
      {"tiles", [](CpuTarget &other) { other.emulatesTiles = true; }},
      {"needs", [](CpuTarget &other) { other.needs ^= 1; }},
      {"path",
       [](CpuTarget &other) { other.rates[size_t(CpuPath::BF16Dot)] = 100; }}};
  for (const auto &[what, change] : changes) {
    CpuTarget other = target;
    change(other);
    add(makeKey(text, other), what);
  }
  // What is measured differs a little in each process, and decides nothing.
  CpuTarget other = target;
  other.rates[size_t(CpuPath::Fma)] *= 1.01;
  EXPECT_EQ(makeKey(text, other), key) << "another rate";
}
