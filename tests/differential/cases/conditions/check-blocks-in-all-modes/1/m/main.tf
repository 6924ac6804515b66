variable "v" {}

resource "terraform_data" "in" {
  input = var.v
}

check "inside" {
  assert {
    condition     = terraform_data.in.output == 1
    error_message = "Not one but ${terraform_data.in.output}."
  }
}
