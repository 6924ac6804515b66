#!/usr/bin/env bash
# Installs the conformance suite and the inspector of the Model Context Protocol, with which a test examines the server
# for agents, into a cache of their own. Prints where they are.
set -euo pipefail
cache="${XDG_CACHE_HOME:-$HOME/.cache}/terrane-servers/mcp-conformance"
packages=(@modelcontextprotocol/conformance@0.1.16 @modelcontextprotocol/inspector@2.12.0)
if [ "$(cat "$cache/versions" 2>/dev/null)" != "${packages[*]}" ]; then
  mkdir -p "$cache"
  npm install --prefix "$cache" --silent --no-audit --no-fund --ignore-scripts "${packages[@]}" >&2
  echo "${packages[*]}" >"$cache/versions"
fi
echo "$cache"
