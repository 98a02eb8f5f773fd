//===- DescribeHovers.cpp - inserts descriptions into hovers --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// MLIR's server returns the generic form of an op without its description,
// which only the .td files contain. Its responses are public, its classes are
// not: its output is completed before it is sent.
//
//===----------------------------------------------------------------------===//

#include "DescribeHovers.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using llvm::StringRef;

/// The documentation of all ops of two dialects, as mlir-tblgen writes it.
static constexpr llvm::StringLiteral documents[] = {
#include "BlockOps.md.inc"
    ,
#include "TileOps.md.inc"
};

/// Functions with every op of these dialects, as block-opt takes them.
static constexpr llvm::StringLiteral examples =
#include "Examples.mlir.inc"
    ;

/// The number of spaces that `line` begins with.
static size_t getIndent(StringRef line) {
  return line.size() - line.ltrim(' ').size();
}

/// Returns the first op called `name` in the examples, with its regions; empty
/// if there is none.
static std::string findExample(StringRef name) {
  std::string example;
  size_t indent = 0;
  for (StringRef rest = examples; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    rest = next;
    StringRef text = line.trim();
    if (text.starts_with("//"))
      continue;
    if (example.empty()) {
      StringRef op = text.starts_with("%") ? text.split(" = ").second : text;
      if (op.split(' ').first != name)
        continue;
      indent = getIndent(line);
    } else if (text.empty() || getIndent(line) < indent ||
               (getIndent(line) == indent && !text.starts_with("}"))) {
      break;
    }
    example += line.drop_front(std::min(indent, line.size())).str() + "\n";
    if (text.starts_with("}") && !text.ends_with("{"))
      break;
  }
  return example;
}

/// Replaces the syntax in `text` as written in .td files, which names C++
/// functions, by an example.
static std::string showExample(StringRef text, StringRef name) {
  std::string example = findExample(name);
  auto [before, syntax] = text.split("Syntax:\n\n```\n");
  if (syntax.empty() || example.empty())
    return text.str();
  StringRef after = syntax.split("\n```\n").second;
  return (before + "Example:\n\n```mlir\n" + example + "```\n" + after).str();
}

std::string describeOp(StringRef name) {
  const std::string heading = ("### `" + name + "` (").str();
  for (StringRef document : documents) {
    auto [before, rest] = document.split(heading);
    if (rest.empty())
      continue;
    // Behind the heading's line, up to the traits or the tables of operands.
    StringRef text = rest.split('\n').second;
    size_t end = text.size();
    for (StringRef next : {"\n### ", "\n#### ", "\nTraits: ", "\nInterfaces: "})
      end = std::min(end, text.find(next));
    return showExample(text.take_front(end).trim(), name);
  }
  return {};
}

std::string describeHover(std::string message) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(message);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return message;
  }
  llvm::json::Object *root = parsed->getAsObject();
  llvm::json::Object *result = root ? root->getObject("result") : nullptr;
  llvm::json::Object *contents =
      result ? result->getObject("contents") : nullptr;
  std::optional<StringRef> value =
      contents ? contents->getString("value") : std::nullopt;
  if (!value || !value->starts_with("\""))
    return message;
  std::string description = describeOp(value->drop_front().split('"').first);
  if (description.empty())
    return message;
  (*contents)["value"] = (*value + "\n" + description + "\n").str();
  return llvm::formatv("{0}", *parsed).str();
}

//===----------------------------------------------------------------------===//
// Standard output
//===----------------------------------------------------------------------===//

DescribedOutput::DescribedOutput() {
  int ends[2];
  llvm::outs().flush();
  output = dup(STDOUT_FILENO);
  if (output < 0 || pipe(ends) != 0 || dup2(ends[1], STDOUT_FILENO) < 0)
    llvm::report_fatal_error("no pipe for the language server's answers");
  close(ends[1]);
  input = ends[0];
  forwarding = std::thread([this] { forward(); });
}

DescribedOutput::~DescribedOutput() {
  llvm::outs().flush();
  dup2(output, STDOUT_FILENO);
  forwarding.join();
  close(output);
}

static void writeAll(int file, StringRef text) {
  while (!text.empty()) {
    ssize_t count = write(file, text.data(), text.size());
    if (count <= 0)
      return;
    text = text.drop_front(count);
  }
}

/// Reads headers, each ended by a line break, and as many bytes as they state.
/// Other text, such as --help, is passed on unchanged.
void DescribedOutput::forward() {
  FILE *from = fdopen(input, "r");
  char line[256];
  size_t length = 0;
  while (fgets(line, sizeof line, from)) {
    StringRef header = StringRef(line).trim();
    if (header.consume_front_insensitive("content-length:")) {
      header.trim().getAsInteger(10, length);
      continue;
    }
    if (!length) {
      writeAll(output, line);
      continue;
    }
    if (!header.empty())
      continue;
    std::string message(length, '\0');
    if (fread(message.data(), 1, length, from) != length)
      break;
    message = describeHover(std::move(message));
    writeAll(output, llvm::formatv("Content-Length: {0}\r\n\r\n{1}",
                                   message.size(), message)
                         .str());
    length = 0;
  }
  fclose(from);
}
