# Starts Scilab with the client in $CARDAN_CLIENT. Scilab opens files by resolved names only, so the line, which comes on
# the standard streams, is led through two named pipes. What is printed goes to standard error, line by line.
folder="$(mktemp -d)" && mkfifo "$folder/alive" && mkdir "$folder/pipes" || exit
exec 4<&0 5<>"$folder/alive"  # A shell gives its background jobs no input unless told to.
# Scilab leaves its temporary files behind when it is killed. Once nobody has descriptor 5 any more, they are removed by
# one who is not in the group of processes that is killed.
setsid sh -c 'cat; rm -rf "$1"' sh "$folder" <"$folder/alive" >/dev/null 2>&1 4<&- 5<&- &
export TMPDIR="$folder" CARDAN_PIPES="$folder/pipes"
mkfifo "$CARDAN_PIPES/in" "$CARDAN_PIPES/out" || exit
printf '%s\n' "$CARDAN_CLIENT" >"$CARDAN_PIPES/client.sce"
cat <&4 >"$CARDAN_PIPES/in" 5<&- &
cat "$CARDAN_PIPES/out" 5<&- &
exec stdbuf -oL scilab-cli -nb -nouserstartup -noatomsautoload -quit -f "$CARDAN_PIPES/client.sce" >&2 </dev/null 4<&-
