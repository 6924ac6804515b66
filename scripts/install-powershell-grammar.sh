#!/usr/bin/env bash
# Installs a parser with the grammar of PowerShell, for the test of install.ps1. Prints the path of its Python.
set -euo pipefail
versions=(tree-sitter==0.26.1 tree-sitter-powershell==0.26.4)
folder=${XDG_CACHE_HOME:-$HOME/.cache}/terrane-servers/powershell-grammar
if [ "$(cat "$folder/versions" 2>/dev/null)" != "${versions[*]}" ]; then
  rm -rf "$folder"
  python3 -m venv "$folder"
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "${versions[@]}" >&2
  echo "${versions[*]}" >"$folder/versions"
fi
echo "$folder/bin/python"
