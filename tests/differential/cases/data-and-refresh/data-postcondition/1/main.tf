data "terraform_remote_state" "other" {
  backend = "local"
  config  = { path = "other.tfstate" }
  lifecycle {
    postcondition {
      condition     = self.outputs.a == "B"
      error_message = "a is ${self.outputs.a}, not B."
    }
  }
}

resource "terraform_data" "after" {
  input = data.terraform_remote_state.other.outputs.a
}
