#!/usr/bin/env bash
# Installs published programs that read what Terraform prints or run it, for tests that have them use Terrane.
# Running it again is free. Prints where they are.
set -euo pipefail
versions=(tftest==1.8.8 python-terraform==0.10.1 terraform-compliance==1.16.0 tfsumpy==0.2.1 terraplanfeed==0.9.2)
folder=${XDG_CACHE_HOME:-$HOME/.cache}/terrane-servers/consumers
if [ "$(cat "$folder/versions" 2>/dev/null)" != "${versions[*]}" ]; then
  rm -rf "$folder"
  python3 -m venv "$folder"
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "${versions[@]}" >&2
  echo "${versions[*]}" >"$folder/versions"
fi
echo "$folder"
