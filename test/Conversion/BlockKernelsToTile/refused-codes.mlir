// RUN: block-opt %s --convert-block-kernels-to-tile=chip=sm_90a --verify-diagnostics --split-input-file

// Codes of kernels are in the order of lanes, which whoever packs weights for a GPU brings about.
func.func @main(%x: tensor<1x4x64xbf16>, %c: tensor<32x64xi8>, %s: tensor<32x1xf32>) -> tensor<1x4x32xbf16> {
  %0 = block.kernel "linear" (%a = %x : tensor<1x4x64xbf16>, %b = %c : tensor<32x64xi8>, %d = %s : tensor<32x1xf32>) -> tensor<1x4x32xbf16> {
    // expected-error @+1 {{no code for a product with codes of few bits in the order of columns}}
    %w = block.unpack_weight %b, %d {form = #block.code_form<int8>} : tensor<32x64xi8>, tensor<32x1xf32> -> tensor<32x64xbf16>
    %y = block.linear %a, %w : tensor<1x4x64xbf16> -> tensor<1x4x32xbf16>
    block.yield %y : tensor<1x4x32xbf16>
  }
  return %0 : tensor<1x4x32xbf16>
}

// -----

func.func @main(%x: tensor<1x4x64xbf16>, %c: tensor<16x128xi8>, %s: tensor<1x32xf32>, %n: tensor<32x64xbf16>) -> tensor<1x4x32xf32> {
  %0 = block.kernel "linear_sum" (%a = %x : tensor<1x4x64xbf16>, %b = %c : tensor<16x128xi8>, %d = %s : tensor<1x32xf32>, %e = %n : tensor<32x64xbf16>) -> tensor<1x4x32xf32> {
    %w = block.unpack_weight %b, %d {form = #block.code_form<int8>} : tensor<16x128xi8>, tensor<1x32xf32> -> tensor<32x64xbf16>
    // expected-error @+1 {{no code for a sum of products with codes of several forms, or with codes and numbers}}
    %y = block.linear_sum(%a, %a) weights(%w, %e) : tensor<1x4x64xbf16>, tensor<1x4x64xbf16> -> tensor<1x4x32xf32>
    block.yield %y : tensor<1x4x32xf32>
  }
  return %0 : tensor<1x4x32xf32>
}
