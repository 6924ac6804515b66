locals {
  script = <<-EOT
    #!/bin/bash
    set -euo pipefail
    apt-get update
    apt-get install -y nginx curl jq
    for host in ${join(" ", [for i in range(40) : "host-${i}.example.com"])}; do
      curl -fsS "https://$${host}/health" | jq .
    done
    systemctl enable --now nginx
  EOT
  document = jsonencode({ for i in range(300) : "key-${i}" => { id = i, even = i % 2 == 0, name = "name ${i}" } })
}

output "script" {
  value = base64gzip(local.script)
}

output "document" {
  value = sha256(base64gzip(local.document))
}

output "repeated" {
  value = base64gzip(join("", [for i in range(2000) : "line ${i % 7}\n"]))
}

output "file" {
  value = base64gzip(file("${path.module}/main.tf"))
}

output "back" {
  value = length(base64gzip(""))
}
