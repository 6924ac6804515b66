#!/usr/bin/env bash
# Installs code-server, which is VS Code behind a web server, for tests of the extension in editors/vscode. Packages
# whose native modules would have to be compiled are installed without them; VS Code works without, apart from logs.
# Running it again is free. Prints where it is.
set -euo pipefail
version=4.139.1
folder=${XDG_CACHE_HOME:-$HOME/.cache}/terrane-servers/code-server
if [ "$(cat "$folder/version" 2>/dev/null)" != "$version" ]; then
  rm -rf "$folder"
  mkdir -p "$folder"
  echo '{"private":true}' >"$folder/package.json"
  install() { npm install --ignore-scripts --omit=dev --no-audit --no-fund --loglevel=error "$@" >&2; }
  cd "$folder"
  install --save-exact "code-server@$version"
  cd node_modules/code-server/lib/vscode
  install
  cd extensions
  install
  echo "$version" >"$folder/version"
fi
echo "$folder"
