// What elements kernels cannot hold is named.
// RUN: block-opt %s --convert-block-kernels-to-tile --verify-diagnostics --split-input-file

func.func @indices(%x: tensor<4xf32>) -> tensor<4xindex> {
  %0 = block.kernel "elements" (%a = %x : tensor<4xf32>) -> tensor<4xindex> {
    // expected-error @below {{no GPU code for 'tensor<4xindex>' in a kernel of elements: expected f32, bf16, f16, f64, i1, i8, i16, i32 or i64}}
    %r = arith.constant dense<1> : tensor<4xindex>
    block.yield %r : tensor<4xindex>
  }
  return %0 : tensor<4xindex>
}

// -----

func.func @narrow(%x: tensor<4xi4>) -> tensor<4xi4> {
  // expected-error @below {{no GPU code for 'tensor<4xi4>' in a kernel of elements: expected f32, bf16, f16, f64, i1, i8, i16, i32 or i64}}
  %0 = block.kernel "elements" (%a = %x : tensor<4xi4>) -> tensor<4xi4> {
    block.yield %a : tensor<4xi4>
  }
  return %0 : tensor<4xi4>
}

// -----

func.func @large(%x: tensor<65536x65536xi8>) -> tensor<65536x65536xi8> {
  // expected-error @below {{no GPU code for 'tensor<65536x65536xi8>' in a kernel of elements: expected at most 2147483647 elements}}
  %0 = block.kernel "elements" (%a = %x : tensor<65536x65536xi8>) -> tensor<65536x65536xi8> {
    block.yield %a : tensor<65536x65536xi8>
  }
  return %0 : tensor<65536x65536xi8>
}

// -----

func.func @number(%x: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  // expected-error @below {{no GPU code for a kernel of elements with an operand of type 'index': expected a ranked tensor}}
  %0 = block.kernel "elements" (%a = %x : tensor<4xf32>, %b = %i : index) -> tensor<4xf32> {
    block.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @function(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = block.kernel "elements" (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @below {{no GPU code for 'math.acos' of 'f32' in a kernel of elements}}
    %r = math.acos %a : tensor<4xf32>
    block.yield %r : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @wide(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = block.kernel "elements" (%a = %x : tensor<4xf64>) -> tensor<4xf64> {
    // expected-error @below {{no GPU code for 'math.exp' of 'f64' in a kernel of elements}}
    %r = math.exp %a : tensor<4xf64>
    block.yield %r : tensor<4xf64>
  }
  return %0 : tensor<4xf64>
}

// -----

func.func @rest(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = block.kernel "elements" (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @below {{no GPU code for 'arith.remf' of 'f32' in a kernel of elements}}
    %r = arith.remf %a, %a : tensor<4xf32>
    block.yield %r : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @rounding(%x: tensor<4xf32>) -> tensor<4xbf16> {
  %0 = block.kernel "elements" (%a = %x : tensor<4xf32>) -> tensor<4xbf16> {
    // expected-error @below {{no GPU code for 'arith.truncf' of 'f32' in a kernel of elements: expected to round to the nearest even number}}
    %r = arith.truncf %a toward_zero : tensor<4xf32> to tensor<4xbf16>
    block.yield %r : tensor<4xbf16>
  }
  return %0 : tensor<4xbf16>
}

// -----

func.func @bits(%x: tensor<4xi64>) -> tensor<4xi64> {
  %0 = block.kernel "elements" (%a = %x : tensor<4xi64>) -> tensor<4xi64> {
    %e = tensor.empty() : tensor<4xi64>
    %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xi64>) outs(%e : tensor<4xi64>) {
    ^bb0(%p: i64, %o: i64):
      // expected-error @below {{no GPU code for 'arith.trunci' of 'i64' in a kernel of elements: expected f32, bf16, f16, f64, index, i1, i8, i16, i32 or i64}}
      %t = arith.trunci %p : i64 to i48
      %u = arith.extsi %t : i48 to i64
      linalg.yield %u : i64
    } -> tensor<4xi64>
    block.yield %r : tensor<4xi64>
  }
  return %0 : tensor<4xi64>
}

// -----

func.func @other(%x: tensor<8x2x4xf32>, %i: tensor<3x1xi32>) -> tensor<3x2x4xf32> {
  %0 = block.kernel "elements" (%a = %x : tensor<8x2x4xf32>, %b = %i : tensor<3x1xi32>) -> tensor<3x2x4xf32> {
    // expected-error @below {{no GPU code for 'tensor.gather' in a kernel of elements}}
    %r = tensor.gather %a[%b] gather_dims([0]) : (tensor<8x2x4xf32>, tensor<3x1xi32>) -> tensor<3x2x4xf32>
    block.yield %r : tensor<3x2x4xf32>
  }
  return %0 : tensor<3x2x4xf32>
}

// -----

func.func @branch(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = block.kernel "elements" (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%p: f32, %o: f32):
      %z = arith.constant 0.0 : f32
      %c = arith.cmpf olt, %p, %z : f32
      // expected-error @below {{no GPU code for 'scf.if' in a kernel of elements}}
      %t = scf.if %c -> f32 {
        scf.yield %z : f32
      } else {
        scf.yield %p : f32
      }
      linalg.yield %t : f32
    } -> tensor<4xf32>
    block.yield %r : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @size(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = block.kernel "elements" (%a = %x : tensor<?xf32>) -> tensor<?xf32> {
    %i = arith.constant 0 : index
    %d = tensor.dim %a, %i : tensor<?xf32>
    %c = arith.constant 16 : index
    // expected-error @below {{no GPU code for 'arith.minsi' in the size of a tensor: expected sums, differences, products and quotients of sizes}}
    %m = arith.minsi %d, %c : index
    %r = tensor.extract_slice %a[0] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    block.yield %r : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

func.func @data(%x: tensor<4xf32>, %n: tensor<1xi64>) -> tensor<?xf32> {
  %0 = block.kernel "elements" (%a = %x : tensor<4xf32>, %b = %n : tensor<1xi64>) -> tensor<?xf32> {
    %i = arith.constant 0 : index
    // expected-error @below {{no GPU code for 'tensor.extract' in the size of a tensor: expected sums, differences, products and quotients of sizes}}
    %d = tensor.extract %b[%i] : tensor<1xi64>
    %m = arith.index_cast %d : i64 to index
    %r = tensor.extract_slice %a[0] [%m] [1] : tensor<4xf32> to tensor<?xf32>
    block.yield %r : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

func.func @resource(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = block.kernel "elements" (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @below {{no GPU code for a constant of this kind in a kernel of elements: expected dense values}}
    %c = arith.constant dense_resource<numbers> : tensor<4xf32>
    %r = arith.addf %a, %c : tensor<4xf32>
    block.yield %r : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

{-# dialect_resources: { builtin: { numbers: "0x040000000000803f000000400000404000008040" } } #-}

// -----

func.func @lost_loop(%x: tensor<4x5xf32>) -> tensor<4xf32> {
  %0 = block.kernel "elements" (%a = %x : tensor<4x5xf32>) -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    // expected-error @below {{no GPU code for 'linalg.generic' with a parallel loop that its result does not have as an index: affine_map<(d0, d1) -> (d0)>}}
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x5xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%p: f32, %o: f32):
      linalg.yield %p : f32
    } -> tensor<4xf32>
    block.yield %r : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @made_size(%x: tensor<4xf32>, %s: tensor<1xi64>) -> tensor<?xf32> {
  %0 = block.kernel "elements" (%a = %x : tensor<4xf32>, %b = %s : tensor<1xi64>) -> tensor<?xf32> {
    // expected-error @below {{no GPU code for a size that 'tensor.reshape' leaves open in a kernel of elements}}
    %r = tensor.reshape %a(%b) : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
    block.yield %r : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

func.func @two_results(%x: tensor<1x2x8xf32>) -> (tensor<1x2x8xf32>, tensor<1x2x8xf32>) {
  // expected-error @below {{expected one 'block.sdpa' and its result}}
  %0:2 = block.kernel "sdpa" (%a = %x : tensor<1x2x8xf32>) -> (tensor<1x2x8xf32>, tensor<1x2x8xf32>) {
    %1 = block.sdpa %a, %a, %a {heads = 2 : i64, scores = #block.scores<scale = 0.5>} : tensor<1x2x8xf32>
    block.yield %1, %1 : tensor<1x2x8xf32>, tensor<1x2x8xf32>
  }
  return %0#0, %0#1 : tensor<1x2x8xf32>, tensor<1x2x8xf32>
}


// -----

// Twice as many elements with each step.
func.func @many_elements(%x: tensor<64xf32>) -> tensor<4xf32> {
  %0 = block.kernel "elements" (%a0 = %x : tensor<64xf32>) -> tensor<4xf32> {
    %l0 = tensor.extract_slice %a0[0] [63] [1] : tensor<64xf32> to tensor<63xf32>
    %r0 = tensor.extract_slice %a0[1] [63] [1] : tensor<64xf32> to tensor<63xf32>
    %a1 = arith.addf %l0, %r0 : tensor<63xf32>
    %l1 = tensor.extract_slice %a1[0] [62] [1] : tensor<63xf32> to tensor<62xf32>
    // expected-error @below {{no GPU code for a kernel of elements that needs more than 4096 different elements for one}}
    %r1 = tensor.extract_slice %a1[1] [62] [1] : tensor<63xf32> to tensor<62xf32>
    %a2 = arith.addf %l1, %r1 : tensor<62xf32>
    %l2 = tensor.extract_slice %a2[0] [61] [1] : tensor<62xf32> to tensor<61xf32>
    %r2 = tensor.extract_slice %a2[1] [61] [1] : tensor<62xf32> to tensor<61xf32>
    %a3 = arith.addf %l2, %r2 : tensor<61xf32>
    %l3 = tensor.extract_slice %a3[0] [60] [1] : tensor<61xf32> to tensor<60xf32>
    %r3 = tensor.extract_slice %a3[1] [60] [1] : tensor<61xf32> to tensor<60xf32>
    %a4 = arith.addf %l3, %r3 : tensor<60xf32>
    %l4 = tensor.extract_slice %a4[0] [59] [1] : tensor<60xf32> to tensor<59xf32>
    %r4 = tensor.extract_slice %a4[1] [59] [1] : tensor<60xf32> to tensor<59xf32>
    %a5 = arith.addf %l4, %r4 : tensor<59xf32>
    %l5 = tensor.extract_slice %a5[0] [58] [1] : tensor<59xf32> to tensor<58xf32>
    %r5 = tensor.extract_slice %a5[1] [58] [1] : tensor<59xf32> to tensor<58xf32>
    %a6 = arith.addf %l5, %r5 : tensor<58xf32>
    %l6 = tensor.extract_slice %a6[0] [57] [1] : tensor<58xf32> to tensor<57xf32>
    %r6 = tensor.extract_slice %a6[1] [57] [1] : tensor<58xf32> to tensor<57xf32>
    %a7 = arith.addf %l6, %r6 : tensor<57xf32>
    %l7 = tensor.extract_slice %a7[0] [56] [1] : tensor<57xf32> to tensor<56xf32>
    %r7 = tensor.extract_slice %a7[1] [56] [1] : tensor<57xf32> to tensor<56xf32>
    %a8 = arith.addf %l7, %r7 : tensor<56xf32>
    %l8 = tensor.extract_slice %a8[0] [55] [1] : tensor<56xf32> to tensor<55xf32>
    %r8 = tensor.extract_slice %a8[1] [55] [1] : tensor<56xf32> to tensor<55xf32>
    %a9 = arith.addf %l8, %r8 : tensor<55xf32>
    %l9 = tensor.extract_slice %a9[0] [54] [1] : tensor<55xf32> to tensor<54xf32>
    %r9 = tensor.extract_slice %a9[1] [54] [1] : tensor<55xf32> to tensor<54xf32>
    %a10 = arith.addf %l9, %r9 : tensor<54xf32>
    %l10 = tensor.extract_slice %a10[0] [53] [1] : tensor<54xf32> to tensor<53xf32>
    %r10 = tensor.extract_slice %a10[1] [53] [1] : tensor<54xf32> to tensor<53xf32>
    %a11 = arith.addf %l10, %r10 : tensor<53xf32>
    %l11 = tensor.extract_slice %a11[0] [52] [1] : tensor<53xf32> to tensor<52xf32>
    %r11 = tensor.extract_slice %a11[1] [52] [1] : tensor<53xf32> to tensor<52xf32>
    %a12 = arith.addf %l11, %r11 : tensor<52xf32>
    %l12 = tensor.extract_slice %a12[0] [51] [1] : tensor<52xf32> to tensor<51xf32>
    %r12 = tensor.extract_slice %a12[1] [51] [1] : tensor<52xf32> to tensor<51xf32>
    %a13 = arith.addf %l12, %r12 : tensor<51xf32>
    %l13 = tensor.extract_slice %a13[0] [50] [1] : tensor<51xf32> to tensor<50xf32>
    %r13 = tensor.extract_slice %a13[1] [50] [1] : tensor<51xf32> to tensor<50xf32>
    %a14 = arith.addf %l13, %r13 : tensor<50xf32>
    %e = tensor.extract_slice %a14[0] [4] [1] : tensor<50xf32> to tensor<4xf32>
    block.yield %e : tensor<4xf32>
}
  return %0 : tensor<4xf32>
}

// -----

func.func @many_sizes(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = block.kernel "elements" (%a0 = %x : tensor<?xf32>) -> tensor<?xf32> {
    %a1 = tensor.concat dim(0) %a0, %a0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %a2 = tensor.concat dim(0) %a1, %a1 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %a3 = tensor.concat dim(0) %a2, %a2 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %a4 = tensor.concat dim(0) %a3, %a3 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %a5 = tensor.concat dim(0) %a4, %a4 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %a6 = tensor.concat dim(0) %a5, %a5 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %a7 = tensor.concat dim(0) %a6, %a6 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %a8 = tensor.concat dim(0) %a7, %a7 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %a9 = tensor.concat dim(0) %a8, %a8 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    // expected-error @below {{no GPU code for a size that is computed in more than 1024 steps}}
    %a10 = tensor.concat dim(0) %a9, %a9 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %a11 = tensor.concat dim(0) %a10, %a10 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %a12 = tensor.concat dim(0) %a11, %a11 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    block.yield %a12 : tensor<?xf32>
}
  return %0 : tensor<?xf32>
}
