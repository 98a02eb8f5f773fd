asm "known.op.sync"
