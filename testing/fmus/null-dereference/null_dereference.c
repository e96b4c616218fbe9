// Writes to address zero in the step that passes `at`.
static int *volatile nowhere;
#define BREAK (*nowhere = 1)
#include "ramp.h"

const ModelType model_type = {.name = "null-dereference", RAMP};
