// Handed out as source code.
#include "ramp.h"

const ModelType model_type = {.name = "source-only", RAMP};
