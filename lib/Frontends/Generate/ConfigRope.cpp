//===- ConfigRope.cpp - rotary settings of a config.json ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A rotation is `b` (the base), `dim` (the rotated components of a head) and a
// type that changes the plain frequencies `b^(-2k/dim)`:
//
//   linear     divided by `factor`
//   dynamic    `b` grows with the sequence, once it is beyond the positions
//   llama3     long waves divided by `factor`, short ones kept, with a ramp
//   yarn       the same by the number of turns; cosines and sines are scaled
//   longrope   divided by a list, one for short and one for long sequences;
//              cosines and sines are scaled
//
//===----------------------------------------------------------------------===//

#include "ConfigReader.h"

#include <algorithm>
#include <cmath>

using namespace parablock;
using namespace parablock::generate;
using llvm::StringRef;
using llvm::Twine;

namespace {
constexpr double pi = 3.14159265358979323846;

struct RopeTable {
  std::vector<double> frequencies;
  double scale = 1;
};

/// One object of rotary settings, read for one type.
struct RopeForm {
  const ConfigFields &settings;
  int64_t dim;
  double base;
  int64_t positions, originalPositions;
  std::optional<int64_t> sequence;

  RopeTable plain() const;
  RopeTable linear() const;
  RopeTable dynamic() const;
  RopeTable llama3() const;
  RopeTable yarn() const;
  RopeTable longRope() const;

  /// A positive number that the type cannot do without.
  double require(StringRef key) const {
    if (!settings.has(key))
      settings.refuse(key, "a number greater than 0");
    return settings.getPositive(key, 1);
  }
  /// Returns the scale of the table, if the settings contain it.
  std::optional<double> findAttentionFactor() const {
    return settings.findReal("attention_factor");
  }
  /// Returns `factor`, or the ratio by which positions are stretched.
  double getStretch() const {
    if (!settings.has("factor"))
      return double(positions) / double(originalPositions);
    return require("factor");
  }
};
} // namespace

RopeTable RopeForm::plain() const {
  RopeTable table;
  for (int64_t k = 0; k < (dim + 1) / 2; ++k)
    table.frequencies.push_back(std::pow(base, -2.0 * k / dim));
  return table;
}

RopeTable RopeForm::linear() const {
  RopeTable table = plain();
  double factor = require("factor");
  for (double &frequency : table.frequencies)
    frequency /= factor;
  return table;
}

RopeTable RopeForm::dynamic() const {
  double factor = require("factor");
  if (dim <= 2) {
    settings.fail("rope_type", "'dynamic' expects more than 2 rotated "
                               "components, got " +
                                   Twine(dim));
    return plain();
  }
  double length = double(std::max(sequence.value_or(positions), positions));
  double growth = factor * length / positions - (factor - 1);
  RopeForm grown = *this;
  grown.base = base * std::pow(growth, double(dim) / double(dim - 2));
  return grown.plain();
}

RopeTable RopeForm::llama3() const {
  RopeTable table = plain();
  double factor = require("factor");
  double low = require("low_freq_factor"), high = require("high_freq_factor");
  for (double &frequency : table.frequencies) {
    double turns = originalPositions * frequency / (2 * pi);
    double kept = turns < low    ? 0
                  : turns > high ? 1
                                 : (turns - low) / (high - low);
    frequency = (1 - kept) * frequency / factor + kept * frequency;
  }
  return table;
}

/// Returns YaRN's factor of cosines and sines for positions that are stretched
/// that much.
static double getMagnitude(double stretch, double mscale) {
  return stretch <= 1 ? 1.0 : 0.1 * mscale * std::log(stretch) + 1.0;
}

RopeTable RopeForm::yarn() const {
  double stretch = getStretch();
  auto magnitude = [&](double mscale) { return getMagnitude(stretch, mscale); };
  auto orDefault = [&](StringRef key, double fallback) {
    double value = settings.findReal(key).value_or(fallback);
    return value == 0 ? fallback : value;
  };
  RopeTable table = plain();
  double mscale = settings.findReal("mscale").value_or(0);
  double mscaleAll = settings.findReal("mscale_all_dim").value_or(0);
  if (std::optional<double> given = findAttentionFactor())
    table.scale = *given;
  else if (mscale != 0 && mscaleAll != 0)
    table.scale = magnitude(mscale) / magnitude(mscaleAll);
  else
    table.scale = magnitude(1);

  // The pair that turns that often over the original positions.
  auto pairOf = [&](double turns) {
    return dim * std::log(originalPositions / (turns * 2 * pi)) /
           (2 * std::log(base));
  };
  double low = pairOf(orDefault("beta_fast", 32));
  double high = pairOf(orDefault("beta_slow", 1));
  if (settings.findBool("truncate").value_or(true)) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, double(dim - 1));
  if (low == high)
    high += 0.001;
  for (size_t k = 0; k < table.frequencies.size(); ++k) {
    double ramp = std::clamp((double(k) - low) / (high - low), 0.0, 1.0);
    double &frequency = table.frequencies[k];
    frequency = frequency / stretch * ramp + frequency * (1 - ramp);
  }
  return table;
}

RopeTable RopeForm::longRope() const {
  double stretch = getStretch();
  RopeTable table = plain();
  bool isLong = sequence && *sequence > originalPositions;
  // Both lists are checked: the other one is wrong for another sequence.
  for (bool useLong : {false, true}) {
    StringRef key = useLong ? "long_factor" : "short_factor";
    auto factors = settings.findReals(key);
    if (!factors || factors->size() != table.frequencies.size()) {
      settings.fail(
          key, "expected a list of " + Twine(table.frequencies.size()) +
                   " numbers, got " + Twine(factors ? factors->size() : 0));
      return table;
    }
    for (size_t k = 0; useLong == isLong && k < factors->size(); ++k)
      table.frequencies[k] /= (*factors)[k];
  }
  if (std::optional<double> given = findAttentionFactor())
    table.scale = *given;
  else if (stretch > 1)
    table.scale =
        std::sqrt(1 + std::log(stretch) / std::log(double(originalPositions)));
  return table;
}

static RopeTable readTable(const RopeForm &form, StringRef typeKey,
                           StringRef type) {
  if (type == "default")
    return form.plain();
  if (type == "linear")
    return form.linear();
  if (type == "dynamic")
    return form.dynamic();
  if (type == "llama3")
    return form.llama3();
  if (type == "yarn")
    return form.yarn();
  if (type == "longrope")
    return form.longRope();
  form.settings.fail(typeKey, "rotary type '" + type + "' is not supported");
  return form.plain();
}

/// Reads the name of the type in `settings`, under `key`.
static std::string readType(const ConfigFields &settings, StringRef key,
                            bool onlyLongRope) {
  std::string type = settings.findString(key).value_or("default");
  if (!onlyLongRope)
    return type;
  if (type == "su" || type == "yarn") // Phi-3's older names
    return "longrope";
  if (type != "default" && type != "longrope")
    settings.fail(key, "rotary type '" + type + "' is not supported here");
  return type;
}

/// The settings of all layers, or of those of one kind.
static ConfigFields findSettings(const ConfigFields &fields, StringRef kind) {
  ConfigFields scaling = fields.getObject("rope_scaling");
  ConfigFields parameters = fields.getObject("rope_parameters");
  // The spelling of older releases wins where both are given.
  if (kind.empty())
    return scaling.countFields() != 0 ? scaling : parameters;
  if (scaling.countFields() != 0) {
    if (parameters.countFields() != 0)
      fields.fail("rope_scaling", "expected none beside rope_parameters");
    // transformers keeps the plain form of layers of kinds with that key.
    if (scaling.has("type") && !scaling.has("rope_type"))
      scaling.fail("type", "expected rope_type in its place");
    if (kind == "full_attention")
      return scaling;
  }
  if (parameters.has("rope_type") || parameters.has("rope_theta"))
    fields.fail("rope_parameters",
                "expected settings for each kind of layer, full_attention and "
                "sliding_attention");
  return parameters.getObject(kind);
}

double generate::readLatentScale(ConfigReader &reader, int64_t headDim) {
  double scale = 1 / std::sqrt(double(headDim));
  ConfigFields settings = findSettings(reader.fields, "");
  StringRef typeKey = settings.either("rope_type", "type");
  double mscale = settings.findReal("mscale_all_dim").value_or(0);
  if (mscale == 0 ||
      settings.findString(typeKey).value_or("default") == "default")
    return scale;
  if (!settings.has("factor"))
    settings.refuse("factor", "a number greater than 0");
  double magnitude = getMagnitude(settings.getPositive("factor", 1), mscale);
  return scale * magnitude * magnitude;
}

std::optional<RopeSpec> generate::readRope(ConfigReader &reader,
                                           RopeSource source) {
  const ConfigFields &fields = reader.fields;
  ConfigFields settings = findSettings(fields, source.kind);
  if (std::string nested = settings.findNestedObject(); !nested.empty())
    settings.fail(nested,
                  "rotary settings per kind of layer are not supported");

  StringRef typeKey = settings.either("rope_type", "type");
  std::string type = readType(settings, typeKey, source.onlyLongRope);
  double base = settings.has("rope_theta")
                    ? settings.getPositive("rope_theta", source.theta)
                    : fields.getPositive(source.thetaKey, source.theta);
  const ConfigFields &partialFields =
      settings.has("partial_rotary_factor") ? settings : fields;
  StringRef partialKey = settings.has("partial_rotary_factor")
                             ? "partial_rotary_factor"
                             : source.partialKey;
  double partial = partialFields.getReal(partialKey, source.partial);
  if (!source.takesPartial) {
    if (partial != 1 && type != "default")
      partialFields.refuse(partialKey, "1 with the rotary type '" + type + "'");
    partial = 1; // and the plain type does not read it
  }

  double rotated = std::trunc(source.headDim * partial);
  bool fits = rotated >= 0 && rotated <= source.headDim;
  int64_t dim = fits ? int64_t(rotated) : 0;
  bool odd = dim % 2;
  if (!fits || dim + odd > source.headDim ||
      (odd && (!source.takesOdd || type == "yarn")))
    partialFields.refuse(partialKey,
                         "a share that makes an even number of at most " +
                             Twine(source.headDim) + " rotated components");
  if (dim == 0 || fields.failed())
    return std::nullopt;

  std::optional<int64_t> original =
      fields.findInt("original_max_position_embeddings");
  if (!original)
    original = source.originalPositions;
  if (!original)
    original = settings.findInt("original_max_position_embeddings");
  std::optional<int64_t> sequence =
      reader.sequence.given ? reader.sequence.length : source.positions;
  if (!sequence && (type == "dynamic" || type == "longrope"))
    reader.spec.remarks.push_back(
        "the rotary type '" + type +
        "' depends on the sequence length; '?' takes its form for short "
        "sequences");
  RopeForm form{settings,
                dim,
                base,
                source.positions,
                original.value_or(source.positions),
                sequence};
  RopeTable table = readTable(form, typeKey, type);
  for (double frequency : table.frequencies)
    if (!std::isfinite(frequency) || !std::isfinite(table.scale))
      settings.fail(typeKey, "these settings of the rotary type '" + type +
                                 "' give frequencies that are not finite");

  RopeSpec rope;
  rope.style = source.style;
  rope.dim = dim + odd;
  rope.base = base;
  rope.tableScale = table.scale;
  if (type != "default" || odd)
    rope.invFreq = std::move(table.frequencies);
  return rope;
}
