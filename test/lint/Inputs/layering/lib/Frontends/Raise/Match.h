#include "Graph.h"
