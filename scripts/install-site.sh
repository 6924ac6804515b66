#!/usr/bin/env bash
# Installs the packages of the documentation site, from a lock file of their own. Running it again is free.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../site/docs"
cmp -s package-lock.json node_modules/.installed-lock.json && exit 0
NODE_ENV=production npm install --loglevel=error --no-save --ignore-scripts --no-audit --no-fund
cp package-lock.json node_modules/.installed-lock.json
