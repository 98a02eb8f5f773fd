//===- GemmProgram.cpp - Products written as tile kernels -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GemmProgram.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

using namespace parablock::unittest;

static std::string number(int64_t value) { return std::to_string(value); }
static std::string shape(int64_t rows, int64_t columns,
                         const std::string &rest) {
  return number(rows) + "x" + number(columns) + rest;
}
/// Replaces each @name in `text`.
static std::string
fill(std::string text,
     std::initializer_list<std::pair<const char *, std::string>> values) {
  for (const auto &[name, value] : values)
    for (size_t at; (at = text.find(name)) != std::string::npos;)
      text.replace(at, std::string(name).size(), value);
  return text;
}

std::string GemmProgram::rowsType(int64_t columns,
                                  const std::string &element) const {
  if (batches == 0)
    return shape(m, columns, "x" + element);
  return number(batches) + "x?x" + number(columns) + "x" + element;
}

std::string GemmProgram::leftType(int64_t depth) const {
  return leftDepthFirst ? shape(depth, m, "x" + type) : rowsType(depth, type);
}

std::string GemmProgram::rightType(int64_t depth) const {
  return rightDepthFirst ? shape(depth, n, "x" + type)
                         : shape(n, depth, "x" + type);
}

static std::string buffer(int64_t rows, int64_t depth, bool isDepthFirst,
                          const std::string &type) {
  if (isDepthFirst)
    std::swap(rows, depth);
  return "!tile.buffer<" + shape(rows, depth, "x" + type) + ", swizzled>";
}

std::string GemmProgram::leftBuffer() const {
  return buffer(tileRows, stepDepth(), leftDepthFirst, type);
}

std::string GemmProgram::rightBuffer() const {
  return buffer(tileColumns, stepDepth(), rightDepthFirst, type);
}

std::string GemmProgram::copies(const std::string &source) const {
  int64_t depth = source.empty() ? k : k2;
  int64_t piece = tileColumns / pieces;
  std::string result = fill(
      "  %k = arith.muli @local, %depth : index\n"
      "  tile.copy %a@s[@place] to %left[0, @count] : memref<@a> to @left\n",
      {{"@local", source.empty() ? "%step" : "%later"},
       {"@s", source},
       {"@place", leftDepthFirst ? "%k, %row" : "%row, %k"},
       {"@count", number(leftDepthFirst ? stepDepth() : tileRows)},
       {"@a", leftType(depth)},
       {"@left", leftBuffer()}});
  if (rightDepthFirst)
    return result + fill("  tile.copy %b@s[%k, %column] to %right[0, @count]"
                         " : memref<@b> to @right\n",
                         {{"@s", source},
                          {"@count", number(stepDepth())},
                          {"@b", rightType(depth)},
                          {"@right", rightBuffer()}});
  for (int64_t i = 0; i < pieces; ++i)
    result += fill("  %o@i = arith.constant @first : index\n"
                   "  %n@i = arith.addi %column, %o@i : index\n"
                   "  tile.copy %b@s[%n@i, %k] to %right[@first, @piece]"
                   " : memref<@b> to @right\n",
                   {{"@i", number(i)},
                    {"@first", number(i * piece)},
                    {"@s", source},
                    {"@piece", number(piece)},
                    {"@b", rightType(depth)},
                    {"@right", rightBuffer()}});
  return result;
}

std::string GemmProgram::epilogue() const {
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
         {"@out", rowsType(n, "f32")}});
  }
  return result;
}

std::string GemmProgram::pipeline(const std::string &result,
                                  const std::string &init,
                                  const std::string &count,
                                  const std::string &produce) const {
  std::string buffers = leftBuffer() + ", %right: " + rightBuffer();
  std::string types = leftBuffer() + ", " + rightBuffer();
  return fill("  @result = tile.pipeline @count init @init : !acc produce {\n"
              "  ^bb0(%step: index, %left: @buffers):\n"
              "@produce"
              "  tile.yield\n"
              "  } consume {\n"
              "  ^bb0(%step: index, %left: @buffers, %before: !acc):\n"
              "  %after = tile.mma %left@l, %right@r, %before : @types, !acc\n"
              "  tile.yield %after : !acc\n"
              "  }\n",
              {{"@result", result},
               {"@count", count},
               {"@init", init},
               {"@produce", produce},
               {"@buffers", buffers},
               {"@types", types},
               {"@l", leftDepthFirst ? " depth_first" : ""},
               {"@r", rightDepthFirst ? " depth_first" : ""}});
}

std::string GemmProgram::kernel() const {
  int64_t steps1 = (k + stepDepth() - 1) / stepDepth();
  int64_t steps2 = (k2 + stepDepth() - 1) / stepDepth();
  std::string second = k2 ? fill(", %a2: memref<@a>, %b2: memref<@b>",
                                 {{"@a", leftType(k2)}, {"@b", rightType(k2)}})
                          : "";
  std::string product;
  if (k2 && !isChained)
    product = pipeline("%sum", "%zero", "%steps",
                       "  %now = arith.cmpi slt, %step, %steps1 : index\n"
                       "  scf.if %now {\n" +
                           copies("") +
                           "  } else {\n"
                           "  %later = arith.subi %step, %steps1 : index\n" +
                           copies("2") + "  }\n");
  else if (k2)
    product =
        pipeline("%first", "%zero", "%steps1", copies("")) +
        pipeline("%sum", "%first", "%steps2",
                 "  %later = arith.addi %step, %none : index\n" + copies("2"));
  else
    product = pipeline("%sum", "%zero", "%steps", copies(""));
  std::string result =
      "tile.kernel $(%a: memref<@a>, %b: memref<@b>@second,"
      " %out: memref<@out>) attributes {outputs = 1 : i64,"
      " schedule = #tile.schedule<@schedule>} {\n"
      "  %tm = arith.constant @tm : index\n"
      "  %tn = arith.constant @tn : index\n"
      "@number_of_rows"
      "  %n = arith.constant @n : index\n"
      "  %most = arith.constant @last : index\n"
      "  %rounded = arith.addi %m, %most : index\n"
      "  %rows = arith.divui %rounded, %tm : index\n"
      "  %columns = arith.constant @columns : index\n"
      "  %depth = arith.constant @depth : index\n"
      "  %none = arith.constant 0 : index\n"
      "  %steps1 = arith.constant @steps1 : index\n"
      "  %steps2 = arith.constant @steps2 : index\n"
      "  %steps = arith.constant @steps : index\n"
      "  tile.tiles (%i, %j) below (%rows, %columns) band 8 {\n"
      "  %row = arith.muli %i, %tm : index\n"
      "  %column = arith.muli %j, %tn : index\n"
      "  %zero = tile.zero : !acc\n"
      "@product"
      "  %left_rows = arith.subi %m, %row : index\n"
      "  %count = arith.minsi %left_rows, %tm : index\n"
      "@epilogue"
      "  }\n"
      "  tile.return\n"
      "}\n";
  std::string numRows = batches == 0
                            ? "  %m = arith.constant @m : index\n"
                            : "  %batches = arith.constant @batches : index\n"
                              "  %length = tile.dim %a, 1 : memref<@a>\n"
                              "  %m = arith.muli %batches, %length : index\n";
  int64_t total = steps >= 0 ? steps : steps1 + steps2;
  return fill(result,
              {{"@epilogue", epilogue()},
               {"@product", product},
               {"!acc", "!tile.accumulator<@tile>"},
               {"@number_of_rows", numRows},
               {"@batches", number(batches)},
               {"@second", second},
               {"@schedule", schedule},
               {"@tile", shape(tileRows, tileColumns, "")},
               {"@tm", number(tileRows)},
               {"@tn", number(tileColumns)},
               {"@last", number(tileRows - 1)},
               {"@columns", number((n + tileColumns - 1) / tileColumns)},
               {"@depth", number(stepDepth())},
               {"@steps1", number(steps1)},
               {"@steps2", number(steps2)},
               {"@steps", number(total)},
               {"@out", rowsType(n, "f32")},
               {"@a", leftType(k)},
               {"@b", rightType(k)},
               {"@m", number(m)},
               {"@n", number(n)},
               {"$", "@" + name}});
}
