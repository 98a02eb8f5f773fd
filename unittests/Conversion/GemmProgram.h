//===- GemmProgram.h - Products written as tile kernels ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_CONVERSION_GEMMPROGRAM_H
#define PARABLOCK_UNITTESTS_CONVERSION_GEMMPROGRAM_H

#include <algorithm>
#include <cstdint>
#include <string>

namespace parablock::unittest {

/// c[m, n] = sum_k a[m, k] * b[n, k], and of a second pair of depth `k2` where
/// that is not 0.
struct GemmProgram {
  std::string type = "bf16";
  int64_t m = 128, n = 128, k = 64, k2 = 0;
  int64_t tileRows = 128, tileColumns = 128;
  /// Without braces.
  std::string schedule;
  /// The right operand comes in so many copies.
  int64_t pieces = 1;
  /// Columns that are staged at a time, and the first of them.
  int64_t stagedColumns = 128;
  /// Instead of the number of steps that the depth takes.
  int64_t steps = -1;

  int64_t stepDepth() const { return type == "f32" ? 32 : 64; }
  std::string text() const;

private:
  std::string copies(const std::string &source) const;
  std::string epilogue() const;
};

namespace detail {
inline std::string number(int64_t value) { return std::to_string(value); }
inline std::string shape(int64_t rows, int64_t columns,
                         const std::string &rest) {
  return number(rows) + "x" + number(columns) + rest;
}
/// Replaces each @name in `text`.
inline std::string
fill(std::string text,
     std::initializer_list<std::pair<const char *, std::string>> values) {
  for (const auto &[name, value] : values)
    for (size_t at; (at = text.find(name)) != std::string::npos;)
      text.replace(at, std::string(name).size(), value);
  return text;
}
} // namespace detail

inline std::string GemmProgram::copies(const std::string &source) const {
  using namespace detail;
  int64_t depth = source.empty() ? k : k2;
  int64_t piece = tileColumns / pieces;
  std::string result = fill(
      "  %k = arith.muli @local, %depth : index\n"
      "  tile.copy %a@s[%row, %k] to %left[0, @tm] : memref<@a> to @left\n",
      {{"@local", source.empty() ? "%step" : "%later"},
       {"@s", source},
       {"@tm", number(tileRows)},
       {"@a", shape(m, depth, "x" + type)},
       {"@left",
        "!tile.buffer<" + shape(tileRows, stepDepth(), "x" + type) +
            ", swizzled>"}});
  for (int64_t i = 0; i < pieces; ++i)
    result += fill(
        "  %o@i = arith.constant @first : index\n"
        "  %n@i = arith.addi %column, %o@i : index\n"
        "  tile.copy %b@s[%n@i, %k] to %right[@first, @piece]"
        " : memref<@b> to @right\n",
        {{"@i", number(i)},
         {"@first", number(i * piece)},
         {"@s", source},
         {"@piece", number(piece)},
         {"@b", shape(n, depth, "x" + type)},
         {"@right",
          "!tile.buffer<" + shape(tileColumns, stepDepth(), "x" + type) +
              ", swizzled>"}});
  return result;
}

inline std::string GemmProgram::epilogue() const {
  using namespace detail;
  std::string result;
  for (int64_t first = 0; first < tileColumns; first += stagedColumns) {
    int64_t count = std::min(stagedColumns, tileColumns - first);
    result += fill(
        "  %staged@f = tile.stage %sum[@f] : !acc to !tile.buffer<@shape, "
        "padded>\n"
        "  %f@f = arith.constant @f : index\n"
        "  %e@f = arith.constant @e : index\n"
        "  %from@f = arith.addi %column, %f@f : index\n"
        "  %end@f = arith.addi %column, %e@f : index\n"
        "  %to@f = arith.minsi %end@f, %n : index\n"
        "  tile.rows %r below %count extent @tm {\n"
        "    %gr = arith.addi %row, %r : index\n"
        "    tile.columns %c = %from@f to %to@f {\n"
        "      %lc = arith.subi %c, %from@f : index\n"
        "      %v = tile.load %staged@f[%r, %lc] : !tile.buffer<@shape, padded>"
        " to f32\n"
        "      tile.store %v, %out[%gr, %c] : f32 to memref<@out>\n"
        "    }\n"
        "  }\n",
        {{"@shape", shape(tileRows, count, "xf32")},
         {"@f", number(first)},
         {"@e", number(first + count)},
         {"@tm", number(tileRows)},
         {"@out", shape(m, n, "xf32")}});
  }
  return result;
}

inline std::string GemmProgram::text() const {
  using namespace detail;
  int64_t steps1 = (k + stepDepth() - 1) / stepDepth();
  int64_t steps2 = (k2 + stepDepth() - 1) / stepDepth();
  std::string second =
      k2 ? fill(", %a2: memref<@a>, %b2: memref<@b>",
                {{"@a", shape(m, k2, "x" + type)},
                 {"@b", shape(n, k2, "x" + type)}})
         : "";
  std::string produce = copies("");
  if (k2)
    produce = "  %now = arith.cmpi slt, %step, %steps1 : index\n"
              "  scf.if %now {\n" +
              produce +
              "  } else {\n"
              "  %later = arith.subi %step, %steps1 : index\n" +
              copies("2") + "  }\n";
  std::string buffers =
      fill("!tile.buffer<@left, swizzled>, %right: !tile.buffer<@right, "
           "swizzled>",
           {{"@left", shape(tileRows, stepDepth(), "x" + type)},
            {"@right", shape(tileColumns, stepDepth(), "x" + type)}});
  std::string result = "!acc = !tile.accumulator<@tile>\n"
                       "gpu.module @kernels {\n"
                       "tile.kernel @gemm(%a: memref<@a>, %b: memref<@b>@second,"
                       " %out: memref<@out>) attributes {outputs = 1 : i64,"
                       " schedule = #tile.schedule<@schedule>} {\n"
                       "  %tm = arith.constant @tm : index\n"
                       "  %tn = arith.constant @tn : index\n"
                       "  %m = arith.constant @m : index\n"
                       "  %n = arith.constant @n : index\n"
                       "  %rows = arith.constant @rows : index\n"
                       "  %columns = arith.constant @columns : index\n"
                       "  %depth = arith.constant @depth : index\n"
                       "  %steps1 = arith.constant @steps1 : index\n"
                       "  %steps = arith.constant @steps : index\n"
                       "  tile.tiles (%i, %j) below (%rows, %columns) band 8 {\n"
                       "  %row = arith.muli %i, %tm : index\n"
                       "  %column = arith.muli %j, %tn : index\n"
                       "  %zero = tile.zero : !acc\n"
                       "  %sum = tile.pipeline %steps init %zero : !acc produce {\n"
                       "  ^bb0(%step: index, %left: @buffers):\n"
                       "@produce"
                       "  tile.yield\n"
                       "  } consume {\n"
                       "  ^bb0(%step: index, %left: @buffers, %before: !acc):\n"
                       "  %after = tile.mma %left, %right, %before : @types, !acc\n"
                       "  tile.yield %after : !acc\n"
                       "  }\n"
                       "  %left_rows = arith.subi %m, %row : index\n"
                       "  %count = arith.minsi %left_rows, %tm : index\n"
                       "@epilogue"
                       "  }\n"
                       "  tile.return\n"
                       "}\n}\n";
  std::string types = buffers;
  types.replace(types.find("%right: "), 8, "");
  int64_t total = steps >= 0 ? steps : steps1 + steps2;
  return fill(result,
              {{"@second", second},
               {"@schedule", schedule},
               {"@produce", produce},
               {"@epilogue", epilogue()},
               {"@buffers", buffers},
               {"@types", types},
               {"@tile", shape(tileRows, tileColumns, "")},
               {"@tm", number(tileRows)},
               {"@tn", number(tileColumns)},
               {"@rows", number((m + tileRows - 1) / tileRows)},
               {"@columns", number((n + tileColumns - 1) / tileColumns)},
               {"@depth", number(stepDepth())},
               {"@steps1", number(steps1)},
               {"@steps", number(total)},
               {"@out", shape(m, n, "xf32")},
               {"@a", shape(m, k, "x" + type)},
               {"@b", shape(n, k, "x" + type)},
               {"@m", number(m)},
               {"@n", number(n)}});
}

} // namespace parablock::unittest

#endif // PARABLOCK_UNITTESTS_CONVERSION_GEMMPROGRAM_H
