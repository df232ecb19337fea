#!/bin/sh
# Takes pictures of the real window with the sample library, in docs/: window-light.png and window-dark.png, with a wider
# tree outline.png, with cards map.png, and compare.png. The first picture of the README, window-running.png, shows an
# answer while it is written. Use it as: make screenshot
set -eu
cd "$(dirname "$0")/.."
if [ "${1-}" != "shown" ]; then
	exec xvfb-run -a -s "-screen 0 1280x800x24 -noreset" "$0" shown
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
	sleep 5
	xdotool key ctrl+a # the palette has the last query
	xdotool type --delay 30 "$1"
	sleep 5
	xdotool key Return
	sleep 5
}

# settle waits until the window looks the same for two seconds.
settle() {
	before=
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		sleep 2
		now=$(import -window root rgb:- | cksum)
		[ "$now" = "$before" ] && return
		before=$now
	done
}

# The window is there when it has more colours than a blank one.
until [ "$(import -window root png:- | identify -format %k -)" -gt 300 ]; do sleep 1; done
settle
xdotool mousemove 120 205 click 1 mousemove 640 780 # the first session; then out of the way
settle
choose "light theme"
settle
import -window root docs/window-light.png
choose "dark theme"
settle
import -window root docs/window-dark.png

choose "light theme"
xdotool mousemove 26 22 click 1 # without the library
xdotool mousemove 939 300 mousedown 1 mousemove 860 300 mousemove 780 300 mouseup 1
sleep 1
xdotool mousemove 900 354 click 1 mousemove 640 790 # the head takes the focus from the line that was drawn
settle
import -window root docs/outline.png

xdotool key ctrl+4
settle
xdotool mousemove 640 690 click 1 # the map takes the keys
sleep 1
xdotool key plus plus plus
xdotool mousemove 640 790
settle
import -window root docs/map.png
xdotool key ctrl+4
choose "show as outline"
settle

# The branch that was a dead end, beside the path to the head.
xdotool mousemove 1000 158 click 1 mousemove 640 790
settle
xdotool key ctrl+shift+d
settle
import -window root docs/compare.png

# An answer that is being written, in a session with branches: a script plays the model.
kill "$window" && wait "$window" || true
program=$PWD/build/bin/coppice pictures=$PWD/docs
mkdir -p "$home/.config/coppice"
echo 'model: script/answer.json' >"$home/.config/coppice/config.yaml"
cp build/screenshot-answer.json "$home/answer.json"
cd "$home"
"$program" &
window=$!
until [ "$(import -window root png:- | identify -format %k -)" -gt 300 ]; do sleep 1; done
settle
xdotool mousemove 1000 354 click 1 # the branch with the head
settle
xdotool mousemove 400 690 click 1
sleep 2
xdotool type --delay 60 "What should an operator see when the outbox is stuck?"
sleep 5
xdotool key Return
sleep 4
xdotool mousemove 390 634 click 1 mousemove 640 790 # "Jump to the answer"
sleep 4
import -window root "$pictures/window-running.png"
