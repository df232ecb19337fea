#!/bin/sh
# Installs the Debian packages given as arguments that are not installed yet. Where it may not, it says
# which are missing. Elsewhere than on Debian and its relatives it does nothing.
set -eu
command -v dpkg >/dev/null || exit 0
missing=
for package in "$@"; do
	# Ubuntu has no package of chromium; it may have come another way.
	[ "$package" = chromium ] && [ -x "${CHROMIUM:-/usr/bin/chromium}" ] && continue
	dpkg -s "$package" 2>/dev/null | grep -q '^Status: install ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ]; then
	sudo=
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
	sudo=sudo
else
	echo "These packages are missing, and installing them takes root. As root, run:" >&2
	echo "    apt-get install --no-install-recommends$missing" >&2
	exit 1
fi
echo "installing$missing" >&2
$sudo apt-get update -qq
# shellcheck disable=SC2086 # a list of words
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing
