terraform {
  required_providers {
    local = { source = "hashicorp/local" }
  }
}

data "local_file" "absent" {
  filename = "absent.txt"
}
