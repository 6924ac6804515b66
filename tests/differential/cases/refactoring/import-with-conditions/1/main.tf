import {
  to = terraform_data.a
  id = "wrong"
}

resource "terraform_data" "a" {
  lifecycle {
    postcondition {
      condition     = self.id == "right"
      error_message = "It is ${self.id}."
    }
  }
}

resource "terraform_data" "after" {
  input = terraform_data.a.id
}
