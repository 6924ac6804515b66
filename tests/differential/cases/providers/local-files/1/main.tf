terraform {
  required_providers {
    local = { source = "hashicorp/local" }
  }
}

variable "text" {
  default = "Hello\n"
}

resource "local_file" "plain" {
  filename = "${path.module}/out/plain.txt"
  content  = var.text
}

resource "local_file" "base64" {
  filename       = "out/base64.bin"
  content_base64 = base64encode("from base64")
}

resource "local_file" "copy" {
  filename             = "out/copy.txt"
  source               = "source.txt"
  file_permission      = "0640"
  directory_permission = "0755"
}

resource "local_file" "deep" {
  filename = "deep/er/dir/file"
  content  = ""
}

resource "local_sensitive_file" "secret" {
  filename = "secret.txt"
  content  = "secret ${local_file.plain.id}"
}

data "local_file" "source" {
  filename = "source.txt"
}

data "local_file" "made" {
  filename = local_file.plain.filename
}

data "local_sensitive_file" "source" {
  filename = "source.txt"
}

output "source" {
  value = data.local_file.source.content
}

output "digests" {
  value = [data.local_file.source.content_md5, local_file.plain.content_sha1, local_file.copy.content_base64sha256, data.local_file.made.content_sha256]
}

output "sensitive" {
  value     = data.local_sensitive_file.source.content
  sensitive = true
}
