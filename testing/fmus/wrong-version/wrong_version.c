// Speaks of a version of the standard that does not exist.
#include "ramp.h"

const ModelType model_type = {.name = "wrong-version", RAMP, .version = "2.7-odd"};
