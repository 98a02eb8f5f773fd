//===- WeightSpec.h - layouts of checkpoints --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// In the dialect every matrix is [out, in] and every gain a plain vector. These
// records describe how a checkpoint stores them instead: fused, interleaved,
// transposed, in several pieces. The builder reads them through slices and
// reshapes, so a checkpoint's own file runs unconverted.
//
// Names inside a layer are relative to the layer's prefix: "attn.c_attn" in the
// layer "h.0" is the tensor "h.0.attn.c_attn.weight". A leading '/' makes a
// name absolute. Names elsewhere are always absolute.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATE_WEIGHTSPEC_H
#define PARABLOCK_GENERATE_WEIGHTSPEC_H

#include "parablock/Dialect/Block/BlockAttrs.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parablock::generate {

/// The matrices of a sublayer. `Gate` is the side with the activation.
enum class Role { Q, K, V, O, Gate, Up, Down };

/// W = skip * initial + residual * stored; without `initial`, the identity.
struct ReparamSpec {
  std::string initial; // full name, relative to the layer
  double skip = 1, residual = 1;
};

/// One stored matrix (and bias) that holds one or more roles.
///
/// As [out, in], its rows form `groups` equal runs, and every run contains an
/// equal share of each of `parts`, in that order:
///   q|k|v blocks      parts {Q, K, V}, groups 1
///   per head [H,3,dh] parts {Q, K, V}, groups H
///   Falcon [G,H/G+2,dh] parts {Q, K, V}, groups G (7b: G = 1)
///   CodeGen           parts {Q, V, K}, groups 4
struct StoredLinear {
  std::string name; // without ".weight" and ".bias"
  std::vector<Role> parts;
  bool bias = false;
  int64_t groups = 1;
  /// The parts are columns (output projections on concatenated inputs): the
  /// bias then belongs to their sum, and is assigned to the first part.
  bool columns = false;
  /// Stored as [in, out] (GPT-2's Conv1D).
  bool inputMajor = false;
  std::optional<ReparamSpec> reparam;
};

/// The matrices of layers as codes of few bits, as quantising libraries store
/// them: for a linear layer NAME, codes, scales and zeros replace NAME.weight.
///
///   Gptq        qweight i32 [in / n, out], qzeros i32 [groups, out / n],
///               scales [groups, out]; n codes in an i32, the first ones lowest
///   Awq         qweight i32 [in, out / 8], qzeros i32 [groups, out / 8],
///               scales [groups, out]; outputs 0, 2, 4, 6, 1, 3, 5, 7 from the
///               lowest bits on
///   Compressed  weight_packed i32 [out, in / n] with the codes of numbers plus
///               half of their range, or weight i8 [out, in]; weight_scale
///               [out, groups], weight_zero_point i32 [out / n, groups] or
///               i8 [out, groups]; of stacked experts STACK_packed and
///               STACK_scale, or STACK and STACK_scale
///   Fp8Blocks   weight f8E4M3 [out, in], weight_scale_inv
///               [out / rows, in / group]; of stacked experts, STACK and
///               STACK_scale_inv, where blocks of rows begin anew with each
///               matrix
///   MxFp4       of stacked experts alone, as [out, in]: STACK_blocks
///               u8 [experts, out, groups, 16], STACK_scales
///               u8 [experts, out, groups]
struct PackedSpec {
  enum class Kind { Gptq, Awq, Compressed, Fp8Blocks, MxFp4 };
  Kind kind = Kind::Gptq;
  int64_t bits = 4;
  /// Columns that share a scale; 0: whole rows.
  int64_t group = 0;
  /// Rows that share a scale of Fp8Blocks.
  int64_t rows = 1;
  /// Zeros are stored; else they are the middle of the codes.
  bool hasZeros = true;
  /// Zeros are stored less 1 (the first format of GPTQ).
  bool zerosLessOne = false;
  /// Codes of Compressed are packed into i32 values.
  bool arePacked = true;
  /// Modules that are not quantised, by their full names or a last part.
  std::vector<std::string> skipped;
};

/// A gain or bias vector. Several names are concatenated; `shape` is the stored
/// shape of each tensor if it is not [n], for example [1, H, 1, 1].
struct StoredVector {
  std::vector<std::string> names; // full names; may be empty
  std::vector<int64_t> shape;

  StoredVector() = default;
  StoredVector(std::string name) : names{std::move(name)} {}
  StoredVector(const char *name) : names{name} {}
  StoredVector(std::string name, std::vector<int64_t> shape)
      : names{std::move(name)}, shape(std::move(shape)) {}
  bool exists() const { return !names.empty(); }
};

struct NormSpec {
  block::NormKind kind = block::NormKind::Layer;
  double eps = 1e-5;
  block::EpsForm epsForm = block::EpsForm::InsideRoot;
  block::GammaForm gammaForm = block::GammaForm::Direct;
  block::NormRounding rounding = block::NormRounding::AfterGain;
  StoredVector gamma, beta;
};

/// LayerNorm with NAME.weight and, by default, NAME.bias.
inline NormSpec layerNorm(const std::string &name, double eps = 1e-5,
                          bool bias = true) {
  NormSpec norm;
  norm.eps = eps;
  norm.gamma = name + ".weight";
  if (bias)
    norm.beta = name + ".bias";
  return norm;
}

/// RMSNorm with NAME.weight.
inline NormSpec rmsNorm(const std::string &name, double eps = 1e-6) {
  NormSpec norm;
  norm.kind = block::NormKind::Rms;
  norm.eps = eps;
  norm.gamma = name + ".weight";
  return norm;
}

/// A separate matrix for one of Q, K, V, O, Gate, Up, Down.
inline StoredLinear linear(std::string name, Role role, bool bias = false) {
  StoredLinear stored;
  stored.name = std::move(name);
  stored.parts = {role};
  stored.bias = bias;
  return stored;
}

/// Several roles in one matrix.
inline StoredLinear fused(std::string name, std::vector<Role> parts,
                          bool bias = false, int64_t groups = 1) {
  StoredLinear stored;
  stored.name = std::move(name);
  stored.parts = std::move(parts);
  stored.bias = bias;
  stored.groups = groups;
  return stored;
}

} // namespace parablock::generate

#endif // PARABLOCK_GENERATE_WEIGHTSPEC_H
