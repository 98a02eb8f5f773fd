#include "Graph.h"
#include "Match.h"
