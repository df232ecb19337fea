#!/bin/sh
# Takes pictures of the real window with the sample library, in docs/: window-light.png and window-dark.png, and with a
# wider tree outline.png, map.png and compare.png, of a conversation of Open Assistant where TREES names a folder of its trees.
# The first picture of the README, window-running.png, shows an answer while it is written. Use it as: make screenshot TREES=FOLDER
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
	sleep 2
	xdotool type --delay 30 "$1"
	sleep 2
	xdotool key Return
	sleep 2
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

question="extension/add-on"
if [ "${TREES-}" ]; then
	build/bin/coppice import "$TREES" >/dev/null
	tree=$(build/bin/coppice sessions --query "$question" --json | grep -o '"id": *"[^"]*"' | head -n 1 | cut -d '"' -f 4)
	build/bin/coppice label "$tree" n1 "frameworks" --color teal >/dev/null
	build/bin/coppice label "$tree" n6 "one API" --color amber >/dev/null
	build/bin/coppice label "$tree" n12 "tools" >/dev/null
fi
choose "light theme"
xdotool mousemove 26 22 click 1 # without the library
xdotool mousemove 939 300 mousedown 1 mousemove 800 300 mousemove 640 300 mouseup 1
sleep 1
if [ "${TREES-}" ]; then
	choose "$question"
	settle
	# view WORDS shows the turn that begins with them.
	view() {
		xdotool key ctrl+3
		sleep 1
		xdotool type --delay 30 "$1"
		sleep 1
		xdotool key Return
	}
	view "can you suggest"
else
	view() { xdotool mousemove 900 158 click 1; } # the branch that was a dead end, beside the path to the head
	xdotool mousemove 900 382 click 1             # the head takes the focus from the line that was drawn
fi
xdotool mousemove 640 790
settle
import -window root docs/outline.png
choose "show as map"
settle
import -window root docs/map.png
choose "show as outline"
view "can you suggest"
xdotool mousemove 640 790
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
choose "light theme"
xdotool mousemove 120 205 click 1 mousemove 450 690 click 1
sleep 1
xdotool type --delay 30 "What should an operator see when the outbox is stuck?"
xdotool key Return
sleep 6
import -window root "$pictures/window-running.png"
