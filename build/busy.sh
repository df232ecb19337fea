#!/bin/sh
# Runs a command some times in a row while a busy loop occupies each processor: build/busy.sh 3 make test
# It stops at the first failure, and ends the loops by their ids.
set -eu
times=$1
shift
loops=
trap 'kill $loops 2>/dev/null || true' EXIT INT TERM
for _ in $(seq "$(nproc)"); do
	while :; do :; done &
	loops="$loops $!"
done
for run in $(seq "$times"); do
	echo "== run $run of $times, $(nproc) busy loops: $*"
	"$@"
done
echo "$times runs passed beside $(nproc) busy loops"
