// Says that it needs the tool that made it.
#include "ramp.h"

const ModelType model_type = {.name = "needs-tool", RAMP};
