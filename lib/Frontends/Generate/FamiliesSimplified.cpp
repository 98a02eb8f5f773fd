//===- FamiliesSimplified.cpp - sas, sas-p, v-skipinit, shaped, no-norm ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Blocks without an attention skip. Matrices are stored [in, out]; RMSNorm adds
// its epsilon to the root; gains of the attention matrix are one per head.
//
//===----------------------------------------------------------------------===//

#include "FamilyParts.h"

using parablock::block::Activation;

namespace parablock::generate {

namespace {
/// How values and outputs are projected.
enum class Values {
  Identity,     // not at all, but for the value of layer 0: I + dW
  FromIdentity, // I + dW
  FromStored    // W0 + dW
};
} // namespace

static NormSpec rootNorm(const std::string &name) {
  NormSpec norm;
  norm.kind = block::NormKind::Rms;
  norm.epsForm = block::EpsForm::OutsideRoot;
  norm.gamma = name + ".scale";
  return norm;
}

static StoredLinear conv(std::string name, std::vector<Role> parts, bool bias) {
  StoredLinear stored = fused(std::move(name), std::move(parts), bias);
  stored.inputMajor = true;
  return stored;
}

/// A value or output projection kept as a change of its start.
static StoredLinear reparametrised(const std::string &name, Role role,
                                   Values values) {
  StoredLinear stored = conv(name, {role}, /*bias=*/false);
  stored.reparam.emplace();
  if (values == Values::FromStored)
    stored.reparam->initial = name + ".id";
  return stored;
}

static BranchSpec shapedAttention(const Sizes &sizes, int64_t index,
                                  Values values, bool centred) {
  AttentionSpec attention = selfAttention(sizes, /*causal=*/true);
  attention.linears = {conv("attn.qk_attn", {Role::Q, Role::K}, /*bias=*/true)};
  if (values != Values::Identity || index == 0)
    attention.linears.push_back(reparametrised("attn.v_attn", Role::V, values));
  if (values != Values::Identity)
    attention.linears.push_back(reparametrised("attn.c_proj", Role::O, values));
  std::vector<int64_t> shape = {1, sizes.heads, 1, 1};
  attention.alpha = StoredVector("attn.attn_mat_skip_gain", shape);
  attention.beta = StoredVector("attn.attn_mat_resid_gain", shape);
  if (centred)
    attention.gamma = StoredVector("attn.centre_attn_gain", shape);
  return branch(attention);
}

static BranchSpec reluMlp(const Sizes &sizes) {
  MlpSpec mlp = plainMlp(sizes, Activation::Relu);
  mlp.linears = {conv("mlp.c_fc", {Role::Up}, /*bias=*/false),
                 conv("mlp.c_proj", {Role::Down}, /*bias=*/false)};
  BranchSpec result = branch(mlp);
  result.gain = "mlp_block_resid_gain";
  result.scalarGain = true;
  result.gainMean = 0.1;
  return result;
}

static ModelSpec
makeSimplified(const Sizes &sizes,
               llvm::function_ref<std::vector<StepSpec>(int64_t)> makeSteps) {
  ModelSpec spec;
  spec.stack.embedding = tokens(sizes, "transformer.wte.weight");
  addPositions(*spec.stack.embedding, sizes, "transformer.wpe.weight");
  spec.stack.layers = repeatLayers(sizes, "transformer.h.", makeSteps);
  spec.stack.finalNorm = layerNorm("transformer.ln_f");
  spec.head = head(sizes, "transformer.wte.weight");
  return spec;
}

/// h = A(N1 x); y = h + gain F(N2 h).
static ModelSpec makeSerial(const Sizes &sizes, Values values, bool centred) {
  return makeSimplified(sizes, [&](int64_t index) -> std::vector<StepSpec> {
    StepSpec attention = preNormStep(
        rootNorm("ln_1"), shapedAttention(sizes, index, values, centred));
    attention.inputScale = 0;
    return {attention, preNormStep(rootNorm("ln_2"), reluMlp(sizes))};
  });
}

static ModelSpec makeSas(const Sizes &sizes) {
  return makeSerial(sizes, Values::Identity, /*centred=*/true);
}

static ModelSpec makeVSkipInit(const Sizes &sizes) {
  return makeSerial(sizes, Values::FromIdentity, /*centred=*/false);
}

static ModelSpec makeShaped(const Sizes &sizes) {
  return makeSerial(sizes, Values::FromStored, /*centred=*/true);
}

/// y = A(N x) + gain F(N x), where only layer 0 may have a norm.
static ModelSpec makeParallel(const Sizes &sizes, bool normed) {
  return makeSimplified(sizes, [&](int64_t index) -> std::vector<StepSpec> {
    StepSpec step;
    if (normed)
      step.norm = rootNorm("ln_1");
    else if (index == 0)
      step.norm = layerNorm("ln_1");
    step.inputScale = 0;
    step.branches = {
        shapedAttention(sizes, index, Values::Identity, /*centred=*/true),
        reluMlp(sizes)};
    return {step};
  });
}

static ModelSpec makeSasP(const Sizes &sizes) {
  return makeParallel(sizes, /*normed=*/true);
}

static ModelSpec makeNoNorm(const Sizes &sizes) {
  return makeParallel(sizes, /*normed=*/false);
}

llvm::ArrayRef<Family> getSimplifiedFamilies() {
  static constexpr Sizes published = {18, 768, 12, 12, 64, 3072, 50000, 1024};
  static constexpr Family families[] = {
      {"sas", published, makeSas, /*valuesAreRows=*/true},
      {"sas-p", published, makeSasP, /*valuesAreRows=*/true},
      {"v-skipinit", published, makeVSkipInit, /*valuesAreRows=*/true},
      {"shaped", published, makeShaped},
      {"no-norm", published, makeNoNorm, /*valuesAreRows=*/true}};
  return families;
}

} // namespace parablock::generate
