resource "terraform_data" "before" {
  input = "x"
}

data "terraform_remote_state" "other" {
  backend    = "local"
  config     = { path = "other.tfstate" }
  depends_on = [terraform_data.before]
  lifecycle {
    precondition {
      condition     = terraform_data.before.id != ""
      error_message = "No id."
    }
    postcondition {
      condition     = self.outputs.a == "B"
      error_message = "a is ${self.outputs.a}, not B."
    }
  }
}

resource "terraform_data" "after" {
  input = data.terraform_remote_state.other.outputs.a
}
