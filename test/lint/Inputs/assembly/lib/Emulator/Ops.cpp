      {"asm:known.op", run},
