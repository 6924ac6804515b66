variable "v" {
  validation {
    condition     = true
    error_message = "x"
  }
}
variable "w" {
  validation {
    condition = var.w > 1
  }
}
resource "terraform_data" "r" {
  lifecycle {
    precondition {
      condition     = self.input == 1
      error_message = "x"
    }
    precondition {
      error_message = "x"
    }
  }
}
check "empty" {}
check "nothing" {
  assert {
    condition     = true
    error_message = "x"
  }
}
