#include "parablock/Dialect/Block/BlockOps.h"
