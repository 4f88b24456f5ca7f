#!/usr/bin/env bash
# Unpacks Debian's Cyrus into a folder (default /opt/askfirst-cyrus) for the tests, beside whatever mail server there
# is. As root it installs the libraries that Cyrus needs.
set -euo pipefail
into="${1:-/opt/askfirst-cyrus}"
libraries="libbrotli1 libcom-err2 libgssapi-krb5-2 libicu72 libjansson4 libldap-2.5-0 libnghttp2-14 libnsl2 libpq5
  libsasl2-2 libsasl2-modules libsqlite3-0 libtirpc3 libuuid1 libwrap0 libxapian30 libxml2 libzstd1"
if [ "$(id -u)" = 0 ]; then
  # shellcheck disable=SC2086
  apt-get install -y -qq --no-install-recommends $libraries >/dev/null
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -qq cyrus-common cyrus-caldav cyrus-imapd libical3 libpcre3 libzephyr4 libshp2
mkdir -p "$into"
for package in *.deb; do dpkg-deb -x "$package" "$into"; done
