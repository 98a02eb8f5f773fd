//===- LineWrapper.cpp - scans IR for places to break ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/LineWrapper.h"

#include "parablock/Support/SourceText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace parablock;
using llvm::SmallVector;
using llvm::StringRef;

namespace {
/// A place between two tokens where a line may end, before a blank.
struct Place {
  size_t position;
  /// Cost of a break here: by depth, and least after a comma.
  unsigned cost;
  /// True between two arguments of a function, which get a line each.
  bool isForced;
};

/// Finds the places of one line.
class LineScanner {
public:
  explicit LineScanner(StringRef line)
      : line(line), isFunction(line.ltrim(' ').starts_with("func.func ")) {}
  SmallVector<Place> scan();

private:
  void step();
  void skipString();
  void open() { ++depth; }
  void close();
  void addPlace();
  char at(size_t place) const { return place < line.size() ? line[place] : 0; }

  StringRef line;
  bool isFunction;
  size_t i = 0;
  unsigned depth = 0;
  /// The depth outside the foreign body that this is in.
  std::optional<unsigned> whole;
  /// False once the arguments of the function are closed.
  bool inArguments = true;
  SmallVector<Place> places;
};
} // namespace

SmallVector<Place> LineScanner::scan() {
  i = line.find_first_not_of(' ');
  while (i < line.size() && !line.substr(i).starts_with("//"))
    step();
  return std::move(places);
}

void LineScanner::skipString() {
  for (++i; i < line.size() && line[i] != '"'; ++i)
    if (line[i] == '\\')
      ++i;
  ++i;
}

void LineScanner::close() {
  depth -= depth > 0;
  inArguments &= depth > 0;
  if (whole && depth <= *whole)
    whole.reset();
}

/// A blank is a possible place, preferably before types and after commas; one
/// between a name and its value is worse, and one before a region's bracket the
/// worst.
void LineScanner::addPlace() {
  StringRef before = line.take_front(i), after = line.drop_front(i + 1);
  auto begins = [&](StringRef part) { return after.starts_with(part); };
  bool isPart =
      depth == 0 && (begins(": ") || begins("-> ") || begins("attributes "));
  bool isPoor = StringRef("%@#!\"=0123456789").contains(after.front()) ||
                StringRef("=:").contains(before.back()) ||
                before.ends_with("->") || before.ends_with(" attributes");
  bool isListed = before.ends_with(",");
  unsigned rank = isPart ? 0 : isListed ? 1 : isPoor ? 3 : 2;
  places.push_back({i, after == "{" ? 1000 : 4 * depth + rank,
                    isFunction && inArguments && depth == 1 && isListed});
}

void LineScanner::step() {
  StringRef rest = line.substr(i);
  if (rest.front() == '"')
    return skipString();
  if (rest.starts_with("->") || rest.starts_with(">=")) {
    i += 2;
    return;
  }
  // A reader without the dialect reads the body verbatim.
  if (rest.front() == '#' || rest.front() == '!') {
    StringRef name = rest.drop_front().take_while([](char c) {
      return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '-';
    });
    i += 1 + name.size();
    bool isOurs = name.starts_with("block.") || name.starts_with("tile.");
    if (at(i) == '<' && !isOurs && !whole)
      whole = depth;
    return;
  }
  if (StringRef("([{<").contains(rest.front()))
    open();
  else if (StringRef(")]}>").contains(rest.front()))
    close();
  else if (rest.front() == ' ' && !whole && i + 1 < line.size())
    addPlace();
  ++i;
}

LineWrapper::~LineWrapper() {
  flush();
  if (!begun.empty())
    writeLine(begun);
}

void LineWrapper::write_impl(const char *bytes, size_t size) {
  StringRef text(bytes, size);
  position += size;
  if (part == Part::Start && size)
    // Bytecode's magic number, whose bytes arrive together.
    part = isBytecodeText(text) ? Part::Whole : Part::Text;
  if (part == Part::Whole) {
    os << text;
    return;
  }
  for (size_t end; (end = text.find('\n')) != StringRef::npos;
       text = text.drop_front(end + 1)) {
    if (begun.empty()) {
      writeLine(text.take_front(end));
    } else {
      begun.append(text.take_front(end));
      writeLine(begun);
      begun.clear();
    }
    os << '\n';
  }
  begun.append(text.data(), text.size());
}

/// Returns the place up to `end` that breaks the least, and among equal
/// ones the last; one before `middle` or after `end` only if there is no
/// other.
static const Place *choose(llvm::ArrayRef<Place> places, size_t middle,
                           size_t end) {
  const Place *best = nullptr;
  for (const Place &place : places) {
    if (best && place.position > end)
      break;
    if (place.isForced)
      return &place;
    if (!best || best->position < middle || place.cost <= best->cost)
      best = &place;
  }
  return best;
}

void LineWrapper::writeLine(StringRef line) {
  // Each on a separate line, as MLIR prints them; no string has line breaks.
  if (line.ltrim(' ').starts_with("{-#"))
    part = Part::Resources;
  if (part == Part::Resources) {
    if (line.rtrim(' ').ends_with("#-}"))
      part = Part::Text;
    os << line;
    return;
  }
  if (line.size() <= longest) {
    os << line;
    return;
  }
  SmallVector<Place> scanned = LineScanner(line).scan();
  llvm::ArrayRef<Place> places = scanned;
  size_t forced =
      llvm::count_if(places, [](const Place &place) { return place.isForced; });
  size_t indent = line.find_first_not_of(' ') + 4, start = 0;
  size_t room = longest;
  while (line.size() - start > room || forced) {
    const Place *place = choose(places, start + room / 3, start + room);
    if (!place)
      break;
    os << line.slice(start, place->position) << '\n';
    os.indent(indent);
    forced -= place->isForced;
    start = place->position + 1;
    places = places.drop_front(place - places.begin() + 1);
    room = longest > indent ? longest - indent : 1;
  }
  os << line.drop_front(start);
}
