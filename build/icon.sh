#!/bin/sh
# Draws every form of the icon from icon.svg. The results are committed, so only who changes the
# drawing needs chromium and ImageMagick. Use it as: make icon
set -eu
cd "$(dirname "$0")"
page=$(mktemp --suffix .html)
trap 'rm -f "$page"' EXIT
{
	echo '<!doctype html><style>*{margin:0}svg{display:block;width:100vw;height:100vh}</style>'
	cat icon.svg
} >"$page"
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --default-background-color=00000000 \
	--window-size=1024,1024 --screenshot=appicon.png "file://$page"
convert appicon.png -resize 128x128 linux/coppice.png
convert appicon.png -define icon:auto-resize=256,128,64,48,32,16 windows/icon.ico
