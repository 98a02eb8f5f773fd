// Steps and forms that rows and attention have no code for are errors, at the op.
// RUN: block-opt %s --convert-block-kernels-to-tile --split-input-file --verify-diagnostics

func.func @projection(%w: tensor<4x4xf32>, %x: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x4xf32>, %b = %w : tensor<4x4xf32>) -> tensor<1x2x4xf32> {
    // expected-error @below {{no GPU code for 'block.linear' as a step on rows}}
    %l = block.linear %a, %b : (tensor<1x2x4xf32>, tensor<4x4xf32>) -> tensor<1x2x4xf32>
    block.yield %l : tensor<1x2x4xf32>
  }
  return %0 : tensor<1x2x4xf32>
}

// -----

func.func @table_type(%x: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
    // expected-error @below {{no GPU code for 'block.rope' with a table of 'f64': expected f32, bf16 or f16}}
    %p = block.rope %a {heads = 1 : i64, form = #block.rope<style = half, dim = 4, table_type = f64>} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
    block.yield %p : tensor<1x2x4xf32>
  }
  return %0 : tensor<1x2x4xf32>
}

// -----

func.func @wide(%x: tensor<1x2x4xf32>) -> tensor<1x2x4xf64> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x4xf32>) -> tensor<1x2x4xf64> {
    // expected-error @below {{no GPU code for 'arith.extf' with a result of type 'tensor<1x2x4xf64>' in a kernel: expected a tensor of f32, bf16, f16 or integers}}
    %p = arith.extf %a : tensor<1x2x4xf32> to tensor<1x2x4xf64>
    block.yield %p : tensor<1x2x4xf64>
  }
  return %0 : tensor<1x2x4xf64>
}

// -----

func.func @made_tables(%x: tensor<1x2x4xf32>, %t: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x4xf32>, %b = %t : tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
    %c = block.clamp %b {limit = 1.0 : f64} : tensor<1x2x4xf32>
    // expected-error @below {{no GPU code for 'block.rotate' with tables that its own kernel computes}}
    %r = block.rotate %a, %c, %b {heads = 1 : i64, dim = 4 : i64, style = #block.rope_style<half>} : (tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
    block.yield %r : tensor<1x2x4xf32>
  }
  return %0 : tensor<1x2x4xf32>
}

// -----

func.func @segment_of_heads(%x: tensor<1x2x8xf32>) -> tensor<1x2x2xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x8xf32>) -> tensor<1x2x2xf32> {
    %s = block.norm_stats %a {groups = 2 : i64} : (tensor<1x2x8xf32>) -> tensor<1x2x2xf32>
    %n = block.normalize %a moment %s {groups = 2 : i64, form = #block.norm<kind = rms, eps = 1.0e-5>} : (tensor<1x2x8xf32>, tensor<1x2x2xf32>) -> tensor<1x2x8xf32>
    // expected-error @below {{no GPU code for 'block.split' after a norm in groups of 4 columns}}
    %m:2 = block.split %n : (tensor<1x2x8xf32>) -> (tensor<1x2x6xf32>, tensor<1x2x2xf32>)
    block.yield %m#1 : tensor<1x2x2xf32>
  }
  return %0 : tensor<1x2x2xf32>
}

// -----

func.func @two_group_sizes(%x: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
    %s = block.norm_stats %a {groups = 2 : i64} : (tensor<1x2x8xf32>) -> tensor<1x2x2xf32>
    %n = block.normalize %a moment %s {groups = 2 : i64, form = #block.norm<kind = rms, eps = 1.0e-5>} : (tensor<1x2x8xf32>, tensor<1x2x2xf32>) -> tensor<1x2x8xf32>
    // expected-error @below {{no GPU code for 'block.norm_stats' in groups of 2 columns next to groups of 4}}
    %t = block.norm_stats %n {groups = 4 : i64} : (tensor<1x2x8xf32>) -> tensor<1x2x4xf32>
    %m = block.normalize %n moment %t {groups = 4 : i64, form = #block.norm<kind = rms, eps = 1.0e-5>} : (tensor<1x2x8xf32>, tensor<1x2x4xf32>) -> tensor<1x2x8xf32>
    block.yield %m : tensor<1x2x8xf32>
  }
  return %0 : tensor<1x2x8xf32>
}

// -----

func.func @after_attention(%x: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
  %0 = block.kernel "sdpa" (%a = %x : tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
    %s = block.sdpa %a, %a, %a {heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 1.0>} : (tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
    // expected-error @below {{no GPU code for 'block.clamp' in a kernel of attention}}
    %c = block.clamp %s {limit = 1.0 : f64} : tensor<1x2x8xf32>
    block.yield %c : tensor<1x2x8xf32>
  }
  return %0 : tensor<1x2x8xf32>
}

// -----

func.func @codes_and_their_numbers(%x: tensor<1x2x128xbf16>) -> (tensor<1x2x128xi8>, tensor<1x2x128xbf16>) {
  %0:2 = block.kernel "sdpa" (%a = %x : tensor<1x2x128xbf16>) -> (tensor<1x2x128xi8>, tensor<1x2x128xbf16>) {
    %y = block.sdpa %a, %a, %a {heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 1.0>} : (tensor<1x2x128xbf16>, tensor<1x2x128xbf16>, tensor<1x2x128xbf16>) -> tensor<1x2x128xbf16>
    // expected-error @below {{no GPU code for 'block.group_scales' in a kernel of attention}}
    %s = block.group_scales %y {group = 128 : i64} : tensor<1x2x128xbf16>
    %e = block.encode_groups %y scales %s : tensor<1x2x128xbf16>, tensor<1x2x1xf32>
    %r = block.decode_groups %e scales %s : tensor<1x2x128xi8>, tensor<1x2x1xf32> -> tensor<1x2x128xbf16>
    block.yield %e, %r : tensor<1x2x128xi8>, tensor<1x2x128xbf16>
  }
  return %0#0, %0#1 : tensor<1x2x128xi8>, tensor<1x2x128xbf16>
}

// -----

func.func @buckets(%x: tensor<1x2x8xf32>, %r: tensor<8x1xf32>) -> tensor<1x2x8xf32> {
  %0 = block.kernel "sdpa" (%a = %x : tensor<1x2x8xf32>, %b = %r : tensor<8x1xf32>) -> tensor<1x2x8xf32> {
    // expected-error @below {{no GPU code for buckets up to distance 100000: expected more than 4 and at most 65536}}
    %s = block.sdpa %a, %a, %a relative %b {buckets = #block.buckets<max_distance = 100000>, heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 1.0>} : (tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<8x1xf32>) -> tensor<1x2x8xf32>
    block.yield %s : tensor<1x2x8xf32>
  }
  return %0 : tensor<1x2x8xf32>
}

// -----

func.func @alibi_type(%x: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
  %0 = block.kernel "sdpa" (%a = %x : tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
    // expected-error @below {{no GPU code for 'block.sdpa' with an alibi_type of 'f64': expected f32, bf16 or f16}}
    %s = block.sdpa %a, %a, %a {heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 1.0, causal = true, alibi_max = 8.0, alibi_type = f64>} : (tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
    block.yield %s : tensor<1x2x8xf32>
  }
  return %0 : tensor<1x2x8xf32>
}

// -----

func.func @types(%q: tensor<1x2x8xbf16>, %k: tensor<1x2x8xf32>) -> tensor<1x2x8xbf16> {
  %0 = block.kernel "sdpa" (%a = %q : tensor<1x2x8xbf16>, %b = %k : tensor<1x2x8xf32>) -> tensor<1x2x8xbf16> {
    // expected-error @below {{no GPU code for attention in several types: expected keys and values of 'bf16', as queries are, got 'f32'}}
    %s = block.sdpa %a, %b, %a {heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 1.0>} : (tensor<1x2x8xbf16>, tensor<1x2x8xf32>, tensor<1x2x8xbf16>) -> tensor<1x2x8xbf16>
    block.yield %s : tensor<1x2x8xbf16>
  }
  return %0 : tensor<1x2x8xbf16>
}

// -----

// Pairs of columns do not divide groups of three.
func.func @pairs_across_groups(%x: tensor<1x2x12xf32>) -> tensor<1x2x12xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x12xf32>) -> tensor<1x2x12xf32> {
    %s = block.norm_stats %a {groups = 4 : i64} : (tensor<1x2x12xf32>) -> tensor<1x2x4xf32>
    %n = block.normalize %a moment %s {groups = 4 : i64, form = #block.norm<kind = rms, eps = 1.0e-5>} : (tensor<1x2x12xf32>, tensor<1x2x4xf32>) -> tensor<1x2x12xf32>
    // expected-error @below {{no GPU code for 'block.rope' after a norm in groups of 3 columns}}
    %r = block.rope %n {heads = 2 : i64, form = #block.rope<style = interleaved, dim = 6>} : (tensor<1x2x12xf32>) -> tensor<1x2x12xf32>
    block.yield %r : tensor<1x2x12xf32>
  }
  return %0 : tensor<1x2x12xf32>
}

// -----

func.func @main(%x: tensor<1x2x8xf32>, %y: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x2x8xf32>, %b = %y : tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
    %p:2 = block.partial_stats %a centered {tile = 4 : i64} : tensor<1x2x8xf32>
    %q:2 = block.partial_stats %b centered {tile = 4 : i64} : tensor<1x2x8xf32>
    // expected-error @below {{no GPU code for 'block.merge_stats' of what its own kernel computes: expected all results of one block.partial_stats with its width and tile}}
    %m:2 = block.merge_stats mean %p#0 moment %q#1 {tile = 4 : i64, width = 8 : i64} : tensor<1x2x2xf32>
    %n = block.normalize %a mean %m#0 moment %m#1 {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<1x2x8xf32>
    block.yield %n : tensor<1x2x8xf32>
  }
  return %0 : tensor<1x2x8xf32>
}

// -----

// A product that computes its rows merges statistics, too.
func.func @main(%x: tensor<1x2x64xf32>, %w: tensor<32x64xf32>) -> tensor<1x2x32xf32> {
  %0 = block.kernel "linear" (%a = %x : tensor<1x2x64xf32>, %d = %w : tensor<32x64xf32>) -> tensor<1x2x32xf32> {
    %p:2 = block.partial_stats %a centered {tile = 64 : i64} : tensor<1x2x64xf32>
    // expected-error @below {{no GPU code for 'block.merge_stats' of what its own kernel computes: expected all results of one block.partial_stats with its width and tile}}
    %m = block.merge_stats moment %p#1 {tile = 64 : i64, width = 64 : i64} : tensor<1x2x1xf32>
    %n = block.normalize %a moment %m {form = #block.norm<kind = rms, eps = 1.0e-05>} : tensor<1x2x64xf32>
    %l = block.linear %n, %d : tensor<1x2x64xf32> -> tensor<1x2x32xf32>
    block.yield %l : tensor<1x2x32xf32>
  }
  return %0 : tensor<1x2x32xf32>
}
