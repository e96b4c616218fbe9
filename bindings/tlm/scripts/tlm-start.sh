# What all start scripts have in common; not a program. A manager calls a start script as
#   StartTLMxyz NAME START END MAXSTEP HOST:PORT MODELFILE

tlm_fail() {
    echo "${0##*/}: $1" >&2
    exit 2
}

tlm_number() {
    printf '%s\n' "$2" | grep -Eq '^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$' || tlm_fail "the $1 must be a number, not \`$2\`"
}

# Checks the arguments, goes into the folder of the component if there is one, and gives them names.
tlm_arguments() {
    [ $# -eq 6 ] || tlm_fail "a TLM manager calls this as: ${0##*/} name start end maxstep host:port modelfile (got $# arguments, not 6)"
    name=$1 start=$2 end=$3 step=$4 server=$5 model=$6
    tlm_number "start time" "$start"
    tlm_number "end time" "$end"
    tlm_number "largest step" "$step"
    case $server in ?*:[0-9]*) ;; *) tlm_fail "the server must be host:port, not \`$server\`" ;; esac
    case $name$model in *[[:space:]]*) tlm_fail "names of components and model files must have no blanks: \`$name\`, \`$model\`" ;; esac
    [ -n "$name" ] && [ -n "$model" ] || tlm_fail "the names of component and model file must not be empty"
    if [ -d "$name" ]; then cd "$name" || tlm_fail "cannot go into the folder $name"; fi
}

# Writes what the plugin reads: name, server, start, end, largest step.
tlm_config() {
    printf '%s\n' "$name" "$server" "$start" "$end" "$step" > "${1:-tlm.config}" || tlm_fail "cannot write ${1:-tlm.config} in $PWD"
}

# Steps of at most the largest step.
tlm_intervals() {
    awk -v a="$start" -v b="$end" -v h="$step" 'BEGIN { if (h <= 0 || b <= a) exit 1; n = (b - a) / h; k = int(n); if (k < n * (1 - 1e-9)) k++; print k < 1 ? 1 : k }' \
        || tlm_fail "there are no steps of $step s between $start s and $end s"
}

tlm_has() { command -v "$1" > /dev/null 2>&1 || tlm_fail "\`$1\` is not on the PATH; adapt the first lines of this script, or set $2"; }
