terraform {
  required_providers {
    local = {
      source  = "hashicorp/local"
      version = "2.9.0"
    }
  }
}
resource "local_file" "a" {
  content  = "one"
  filename = "a.txt"
}
