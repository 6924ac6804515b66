#!/usr/bin/env bash
# Installs the server that answers as Azure Storage does, which tests of the azurerm backend ask, into a cache of its own.
set -euo pipefail
cache="${XDG_CACHE_HOME:-$HOME/.cache}/terrane-servers/azurite"
[ -x "$cache/node_modules/.bin/azurite-blob" ] && exit 0
mkdir -p "$cache"
npm install --prefix "$cache" --silent --no-audit --no-fund --ignore-scripts azurite@3.35.0
