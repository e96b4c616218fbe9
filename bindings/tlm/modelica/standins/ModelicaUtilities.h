/* A stand-in for ModelicaUtilities.h of a Modelica tool: the one function that tlmforce.c calls. Never install it. */
#ifndef STANDIN_MODELICA_UTILITIES_H
#define STANDIN_MODELICA_UTILITIES_H
void ModelicaFormatError(const char *format, ...);
#endif
