#!/usr/bin/env bash
# Runs an example for AWS against a server on this machine that answers as AWS does: examples/on-moto.sh aws-web
# Creates everything, plans again, which must find nothing to do, and destroys all of it. TERRANE=terraform has another
# program do it, with the same provider.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
example="${1:?which example?}"
root="$(cd .. && pwd)"
program="${TERRANE:-$root/bin/terrane}"
[ -d "$root/.build/provider-aws/local" ] || npm run --silent --prefix "$root" build:aws >/dev/null
work="$(mktemp -d)"
port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
moto_server -H 127.0.0.1 -p "$port" >"$work/moto.txt" 2>&1 &
trap 'kill $!; rm -rf "$work"' EXIT
cat >"$work/terraform.rc" <<EOF
provider_installation {
  dev_overrides {
    "hashicorp/aws" = "$root/.build/provider-aws/local"
  }
  direct {}
}
EOF
export TF_CLI_CONFIG_FILE="$work/terraform.rc" CHECKPOINT_DISABLE=1
export AWS_ENDPOINT_URL="http://127.0.0.1:$port" AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test
# Names of servers on this machine have no bucket in front of them.
export TF_VAR_path_style=true
until curl --silent --output /dev/null "$AWS_ENDPOINT_URL/moto-api/"; do sleep 0.2; done
cp -R "$example" "$work/it"
cd "$work/it"
[ ! -x build.sh ] || ./build.sh
"$program" apply -input=false -auto-approve
"$program" plan -input=false -detailed-exitcode
"$program" destroy -input=false -auto-approve
