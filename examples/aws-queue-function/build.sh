#!/usr/bin/env bash
# Makes function.zip, which Lambda runs, of index.mjs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
python3 -m zipfile -c function.zip index.mjs
