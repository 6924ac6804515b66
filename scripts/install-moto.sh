#!/usr/bin/env bash
# Installs the server that answers as Amazon S3 does, which tests of modules in buckets ask.
set -euo pipefail
command -v moto_server >/dev/null && exit 0
python3 -m pip install --quiet 'moto[server]==5.2.1'
