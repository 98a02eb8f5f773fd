// What kernels of rows in codes of 8 bits refuse.
// RUN: split-file %s %t
// RUN: block-opt %t/chip.mlir --convert-block-kernels-to-tile=chip=sm_80 --verify-diagnostics
// RUN: block-opt %t/forms.mlir --convert-block-kernels-to-tile=chip=sm_90a --verify-diagnostics --split-input-file

//--- chip.mlir
func.func @main(%x: tensor<1x4x256xi8>, %t: tensor<1x4x2xf32>, %c: tensor<64x256xi8>, %s: tensor<64x1xf32>) -> tensor<1x4x64xbf16> {
  %0 = block.kernel "linear" (%a = %x : tensor<1x4x256xi8>, %e = %t : tensor<1x4x2xf32>, %b = %c : tensor<64x256xi8>, %d = %s : tensor<64x1xf32>) -> tensor<1x4x64xbf16> {
    %r = block.decode_groups %a scales %e : tensor<1x4x256xi8>, tensor<1x4x2xf32> -> tensor<1x4x256xbf16>
    %w = block.unpack_weight %b, %d {form = #block.code_form<fp8>, group = 0 : i64} : tensor<64x256xi8>, tensor<64x1xf32> -> tensor<64x256xbf16>
    // expected-error @+1 {{no GPU code for chip sm_80: products of rows in codes require wgmma of sm_90a; omit activations=fp8 of block-quantize}}
    %y = block.linear %r, %w : tensor<1x4x256xbf16> -> tensor<1x4x64xbf16>
    block.yield %y : tensor<1x4x64xbf16>
  }
  return %0 : tensor<1x4x64xbf16>
}

//--- forms.mlir
func.func @main(%x: tensor<1x4x256xi8>, %t: tensor<1x4x2xf32>, %c: tensor<64x256xi8>, %s: tensor<64x4xf32>) -> tensor<1x4x64xbf16> {
  %0 = block.kernel "linear" (%a = %x : tensor<1x4x256xi8>, %e = %t : tensor<1x4x2xf32>, %b = %c : tensor<64x256xi8>, %d = %s : tensor<64x4xf32>) -> tensor<1x4x64xbf16> {
    %r = block.decode_groups %a scales %e : tensor<1x4x256xi8>, tensor<1x4x2xf32> -> tensor<1x4x256xbf16>
    %w = block.unpack_weight %b, %d {form = #block.code_form<fp8>, group = 64 : i64} : tensor<64x256xi8>, tensor<64x4xf32> -> tensor<64x256xbf16>
    // expected-error @+1 {{no code for this product of rows in codes: expected one source, scales of 128 columns of its rows, and a weight of FP8 codes in the order of columns}}
    %y = block.linear %r, %w : tensor<1x4x256xbf16> -> tensor<1x4x64xbf16>
    block.yield %y : tensor<1x4x64xbf16>
  }
  return %0 : tensor<1x4x64xbf16>
}
