resource "terraform_data" "r" {
  input {
    a = 1
  }
  triggers_replace = 1
  timeouts {}
}

nonsense "x" {}

resource "terraform_data" {
}

terraform {
  unknown = 1
}
