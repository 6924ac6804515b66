resource "terraform_data" "r" {
  input = "v"
}

check "known" {
  assert {
    condition     = terraform_data.r.output == "v"
    error_message = "Not v."
  }
}

check "fails" {
  assert {
    condition     = terraform_data.r.output == "w"
    error_message = "Not w but ${terraform_data.r.output}."
  }
  assert {
    condition     = length(terraform_data.r.id) == 36
    error_message = "No uuid."
  }
}
