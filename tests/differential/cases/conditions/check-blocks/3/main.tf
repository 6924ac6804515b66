resource "terraform_data" "r" {
  input = "w"
}

check "fails" {
  assert {
    condition     = terraform_data.r.output == "w"
    error_message = "Not w but ${terraform_data.r.output}."
  }
}
