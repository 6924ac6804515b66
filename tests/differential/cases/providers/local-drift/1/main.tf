terraform {
  required_providers {
    local = { source = "hashicorp/local" }
  }
}

resource "local_file" "gone" {
  filename = "gone.txt"
  content  = "g"
}

resource "local_file" "changed" {
  filename = "changed.txt"
  content  = "c"
}

resource "local_file" "same" {
  filename = "same.txt"
  content  = "s"
}

resource "terraform_data" "reader" {
  input = local_file.gone.content_md5
}

output "gone" {
  value = local_file.gone.id
}
