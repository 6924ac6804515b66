#!/usr/bin/env bash
# Fetches the package that has the schemas of the published provider for AWS, which a test compares with ours, into a
# cache of its own. It stays packed: of its 390 MB the test reads what it needs.
set -euo pipefail
own="$(cd "$(dirname "${BASH_SOURCE[0]}")/aws-schemas" && pwd)"
name='@cdktf/provider-aws'
locked() {
  node -p "JSON.parse(fs.readFileSync(process.argv[1])).packages['node_modules/$name'].$1" "$own/package-lock.json"
}
version="$(locked version)"
cache="${XDG_CACHE_HOME:-$HOME/.cache}/terrane-servers/aws-schemas"
[ -f "$cache/$version.tgz" ] && exit 0
mkdir -p "$cache"
fetched="$(mktemp -d "$cache/fetched.XXXXXX")"
trap 'rm -rf "$fetched"' EXIT
npm pack --silent --pack-destination "$fetched" "$name@$version" >/dev/null
node -e "
  const hash = require('node:crypto').createHash('sha512').update(fs.readFileSync(process.argv[1])).digest('base64');
  if ('sha512-' + hash !== process.argv[2]) throw new Error('$name is not what the lock file says');
" "$fetched"/*.tgz "$(locked integrity)"
mv "$fetched"/*.tgz "$cache/$version.tgz"
