terraform {
  required_providers {
    local = { source = "hashicorp/local" }
  }
}

resource "local_file" "ok" {
  filename = "ok.txt"
  content  = "ok"
}

resource "local_file" "under_a_file" {
  filename = "ok.txt/below.txt"
  content  = "x"

  depends_on = [local_file.ok]
}

resource "terraform_data" "dependent" {
  input = local_file.under_a_file.id
}
