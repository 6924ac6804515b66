terraform {
  required_providers {
    local = {
      source = "hashicorp/local"
    }
  }
}
data "local_file" "f" {
  filename = "${path.module}/nope.txt"
}
output "content" {
  value = data.local_file.f.content
}
