import {
  to = terraform_data.a
  id = "right"
}

moved {
  from = terraform_data.old
  to   = terraform_data.a
}

resource "terraform_data" "a" {
  input = "x"
  lifecycle {
    ignore_changes = [input]
    postcondition {
      condition     = self.id == "right"
      error_message = "It is ${self.id}."
    }
  }
}
