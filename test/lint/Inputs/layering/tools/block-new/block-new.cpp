#include "parablock/InitAll.h"
