terraform {
  required_providers {
    local = {
      source  = "hashicorp/local"
      version = "1.4.0"
    }
  }
}

resource "local_file" "a" {
  content  = "one"
  filename = "a.txt"
}

resource "local_file" "b" {
  content_base64       = base64encode(local_file.a.content)
  filename             = "b.txt"
  file_permission      = "0600"
  directory_permission = "0700"
}

resource "local_file" "s" {
  sensitive_content = "hidden"
  filename          = "${path.module}/deep/s.txt"
}

data "local_file" "read" {
  filename = local_file.b.filename
}

output "read" {
  value = data.local_file.read.content
}
