# Starts Octave with the client in $CARDAN_CLIENT. The protocol comes on the standard streams; it gets descriptors 3 and 4,
# and standard error takes the place of standard output, so that whatever a script prints harms nothing.
exec octave-cli --quiet --no-init-file --no-history --eval \
  'eval (getenv ("CARDAN_CLIENT")); cardan_serve (getenv ("CARDAN_SCRIPT"))' 3>&1 1>&2 4<&0 </dev/null
