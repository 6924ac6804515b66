terraform {
  required_providers {
    local = {
      source  = "hashicorp/local"
      version = "1.4.0"
    }
  }
}

resource "local_file" "a" {
  content  = "two"
  filename = "a.txt"
}

resource "local_file" "b" {
  content_base64 = base64encode(local_file.a.content)
  filename       = "b.txt"
}
