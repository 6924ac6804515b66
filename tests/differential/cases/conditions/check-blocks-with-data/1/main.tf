resource "terraform_data" "a" {
  input = "missing.tfstate"
}
check "fails_to_read" {
  data "terraform_remote_state" "d" {
    backend = "local"
    config  = { path = "${path.module}/nothing-here.tfstate" }
  }
  assert {
    condition     = data.terraform_remote_state.d.outputs.x == 1
    error_message = "not 1"
  }
}
check "later" {
  data "terraform_remote_state" "e" {
    backend = "local"
    config  = { path = terraform_data.a.output }
  }
  assert {
    condition     = length(data.terraform_remote_state.e.outputs) >= 0
    error_message = "less than none"
  }
}
check "several" {
  assert {
    condition     = terraform_data.a.input == "other"
    error_message = "first: ${terraform_data.a.input}"
  }
  assert {
    condition     = terraform_data.a.output == "other"
    error_message = "second: ${terraform_data.a.output}"
  }
  assert {
    condition     = terraform_data.a.id != ""
    error_message = "third"
  }
}
