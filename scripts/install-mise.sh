#!/usr/bin/env bash
# Installs mise into a cache of its own, for the test of the release's mise.toml. Prints its path.
set -euo pipefail
version=2026.9.15
case $(uname -m) in
  x86_64) name=@jdxcode/mise-linux-x64 ;;
  aarch64) name=@jdxcode/mise-linux-arm64 ;;
  *) echo "there is no mise for $(uname -m)" >&2; exit 1 ;;
esac
cache="${XDG_CACHE_HOME:-$HOME/.cache}/terrane-servers/mise"
if [ "$(cat "$cache/installed" 2>/dev/null)" != "$name@$version" ]; then
  rm -rf "$cache"
  mkdir -p "$cache"
  echo '{"private":true}' >"$cache/package.json"
  npm install --prefix "$cache" --silent --no-audit --no-fund --ignore-scripts "$name@$version" >&2
  echo "$name@$version" >"$cache/installed"
fi
echo "$cache/node_modules/$name/bin/mise"
