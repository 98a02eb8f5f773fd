//===- Families.cpp - lists families and resolves sizes -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FamilyTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

namespace parablock::generate {

std::vector<llvm::StringRef> getFamilyNames() {
  std::vector<llvm::StringRef> names;
  for (const Family &family : getFamilies())
    names.push_back(family.name);
  return names;
}

/// Refuses heads whose total width differs from the stream's, if their values
/// are rows of it.
static llvm::Error checkValues(const Family &family, const Sizes &sizes) {
  int64_t width = sizes.kvHeads * sizes.headDim;
  if (!family.valuesAreRows ||
      (width == sizes.width && sizes.kvHeads == sizes.heads))
    return llvm::Error::success();
  return llvm::createStringError(
      "expected --heads times --head-dim to be --width=" +
      llvm::Twine(sizes.width) + ", and as many --kv-heads: values of '" +
      family.name + "' are rows of the stream, or begin as these; got " +
      llvm::Twine(sizes.heads) + " heads of " + llvm::Twine(sizes.headDim) +
      ", " + llvm::Twine(sizes.kvHeads) + " with values");
}

llvm::Expected<ModelSpec> makeFamily(llvm::StringRef name,
                                     const SizeFlags &flags) {
  llvm::ArrayRef<Family> families = getFamilies();
  const Family *family = llvm::find_if(
      families, [&](const Family &known) { return known.name == name; });
  if (family == families.end())
    return llvm::createStringError("unknown family '" + name +
                                   "'; --list-families lists those there are");
  auto sizes = resolveSizes(family->base, flags);
  if (!sizes)
    return sizes.takeError();
  if (llvm::Error error = checkValues(*family, *sizes))
    return error;
  ModelSpec spec = family->make(*sizes);
  spec.family = name.str();
  spec.width = sizes->width;
  if (!spec.positions)
    spec.positions = sizes->positions;
  return spec;
}

void describeFamilies(llvm::raw_ostream &os) {
  os << "| family | is | layers | width | heads | head | MLP | vocabulary |\n"
        "|---|---|---|---|---|---|---|---|\n";
  for (const Family &family : getFamilies()) {
    const Sizes &sizes = family.base;
    os << "| `" << family.name << "` | " << family.description << " | "
       << sizes.layers << " | " << sizes.width << " | " << sizes.heads;
    if (sizes.kvHeads != sizes.heads)
      os << " (" << sizes.kvHeads << ")";
    os << " | " << sizes.headDim << " | " << sizes.hidden << " | ";
    if (sizes.vocab)
      os << sizes.vocab;
    else
      os << "none";
    os << " |\n";
  }
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Returns kv_heads of a smaller model: the largest divisor of `heads` that
/// keeps the family's group size, but at least 2 if the family has groups.
static int64_t shrinkKvHeads(const Sizes &base, int64_t heads) {
  int64_t kept = heads * base.kvHeads / base.heads;
  bool hasGroups = base.kvHeads > 1 && base.kvHeads < base.heads;
  int64_t least = hasGroups && heads > 2 ? 2 : 1;
  for (int64_t count = kept; count >= least; --count)
    if (heads % count == 0)
      return count;
  while (heads % least)
    ++least;
  return least;
}

/// The family's share of the head, even and at least 2.
static int64_t shrinkRope(const Sizes &base, int64_t headDim) {
  if (!base.ropeDim)
    return 0;
  int64_t width = base.ropeDim * headDim / base.headDim / 2 * 2;
  return std::max<int64_t>(width, 2);
}

static llvm::Error requireMultiple(llvm::StringRef flag, int64_t value,
                                   llvm::StringRef divisorName,
                                   int64_t divisor) {
  if (value % divisor == 0)
    return llvm::Error::success();
  return llvm::createStringError("expected " + flag + "=" + llvm::Twine(value) +
                                 " to be a multiple of " + divisorName + ", " +
                                 llvm::Twine(divisor));
}

llvm::Expected<Sizes> resolveSizes(const Sizes &base, const SizeFlags &flags) {
  Sizes sizes = base;
  sizes.layers = flags.layers.value_or(base.layers);
  sizes.width = flags.width.value_or(base.width);
  sizes.heads = flags.heads.value_or(base.heads);
  sizes.vocab = flags.vocab.value_or(base.vocab);
  if (base.positions)
    sizes.positions = flags.positions.value_or(base.positions);

  if (flags.headDim) {
    sizes.headDim = *flags.headDim;
  } else if (flags.width || flags.heads) {
    if (llvm::Error error =
            requireMultiple("--width", sizes.width, "the heads", sizes.heads))
      return error;
    sizes.headDim = sizes.width / sizes.heads;
  }
  sizes.kvHeads = shrinkKvHeads(base, sizes.heads);
  if (flags.kvHeads) {
    sizes.kvHeads = *flags.kvHeads;
    if (llvm::Error error = requireMultiple("--heads", sizes.heads,
                                            "--kv-heads", sizes.kvHeads))
      return error;
  }
  if (flags.width)
    sizes.hidden =
        (base.hidden * sizes.width + base.width * 8 - 1) / (base.width * 8) * 8;
  sizes.hidden = flags.hidden.value_or(sizes.hidden);
  if (sizes.headDim != base.headDim)
    sizes.ropeDim = shrinkRope(base, sizes.headDim);
  if (sizes.ropeDim > sizes.headDim)
    return llvm::createStringError(
        "expected heads of at least 2 components to rotate, got " +
        llvm::Twine(sizes.headDim) + " from --width=" +
        llvm::Twine(sizes.width) + " and --heads=" + llvm::Twine(sizes.heads));
  return sizes;
}

} // namespace parablock::generate
