#!/bin/sh
# Compiles the forcing code if that has not been done, and becomes it.
set -e
cd "$(dirname "$0")"
folder="${XDG_CACHE_HOME:-$HOME/.cache}/cardan"
# The name tells the sources: whoever changes a copy of them gets a program of its own.
program="$folder/elliott-glue-$(cat force.c cardan.c cardan.h | cksum | cut -d ' ' -f 1)"
if [ ! -x "$program" ]; then
  mkdir -p "$folder"
  # No product and sum in one rounding: the numbers are to be those of the same code inside Cardan.
  cc -O2 -ffp-contract=off -o "$program.$$" force.c cardan.c -lm >&2
  mv "$program.$$" "$program"
fi
exec "$program" "$@"
