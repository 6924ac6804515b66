#!/usr/bin/env bash
# Installs a registry and the package managers that tests install the packages of a release with, into a cache of their
# own. Prints where they are.
set -euo pipefail
cache="${XDG_CACHE_HOME:-$HOME/.cache}/terrane-servers/package-managers"
# A package of the registry requires a tag of node-fetch, which mirrors may lack.
manifest='{"private":true,"dependencies":{"@yarnpkg/cli-dist":"4.18.1","npm":"11.19.1","pnpm":"12.21.0","verdaccio":"6.10.4"},"overrides":{"node-fetch":"2.7.0"}}'
if [ "$(cat "$cache/installed" 2>/dev/null)" != "$manifest" ]; then
  rm -rf "$cache"
  mkdir -p "$cache"
  echo "$manifest" >"$cache/package.json"
  npm install --prefix "$cache" --silent --no-audit --no-fund --ignore-scripts >&2
  echo "$manifest" >"$cache/installed"
fi
echo "$cache"
