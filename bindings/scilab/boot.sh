# Starts Scilab with the client in $CARDAN_CLIENT. Scilab opens files by resolved names only, so the line, which comes on
# the standard streams, is led through two named pipes. What is printed goes to standard error, line by line.
export CARDAN_PIPES="$(mktemp -d)" && mkfifo "$CARDAN_PIPES/in" "$CARDAN_PIPES/out" || exit
printf '%s\n' "$CARDAN_CLIENT" >"$CARDAN_PIPES/client.sce"
exec 4<&0  # A shell gives its background jobs no input unless told to.
cat <&4 >"$CARDAN_PIPES/in" &
cat "$CARDAN_PIPES/out" &
exec stdbuf -oL scilab-cli -nb -nouserstartup -noatomsautoload -quit -f "$CARDAN_PIPES/client.sce" >&2 </dev/null 4<&-
