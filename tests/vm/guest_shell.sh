#!/bin/sh
# The guest's end of the test's line: runs scripts, one a line in base64, and answers each with its
# output, in base64 too, and its exit status.
port=$1
exec 3<>"$port"
echo hello >&3
while :; do
    if ! read -r script <&3; then
        sleep 0.2
        continue
    fi
    echo "$script" | base64 -d >/run/script
    sh /run/script >/run/output 2>&1 </dev/null
    status=$?
    echo "$(base64 -w0 /run/output) $status" >&3
done
