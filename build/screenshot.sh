#!/bin/sh
# Takes pictures of the real window with the sample library, in both themes: docs/window-light.png and
# docs/window-dark.png. Use it as: make screenshot
set -eu
cd "$(dirname "$0")/.."
if [ "${1-}" != "shown" ]; then
	exec xvfb-run -a -s "-screen 0 1280x800x24" "$0" shown
fi
home=$(mktemp -d)
export HOME="$home" XDG_DATA_HOME="$home" XDG_STATE_HOME="$home" XDG_CACHE_HOME="$home" COPPICE_DB="$home/coppice.db" TZ=UTC
build/bin/coppice import --samples >/dev/null
build/bin/coppice &
window=$!
trap 'kill "$window" 2>/dev/null; wait; rm -rf "$home"' EXIT

# choose NAME runs a command by the palette.
choose() {
	xdotool key ctrl+k
	sleep 1
	xdotool type --delay 30 "$1"
	sleep 1
	xdotool key Return
	sleep 1
}

# settle waits until the window looks the same for a second.
settle() {
	before=
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		sleep 1
		now=$(import -window root rgb:- | cksum)
		[ "$now" = "$before" ] && return
		before=$now
	done
}

sleep 3
settle
xdotool mousemove 120 230 click 1 mousemove 640 780 # the first session; then out of the way
settle
choose "light theme"
settle
import -window root docs/window-light.png
choose "dark theme"
settle
import -window root docs/window-dark.png
