variable "a" {
  default = 1
}
check "first" {
  assert {
    condition     = var.a != 7
    error_message = "first"
  }
}
resource "terraform_data" "z" {
  lifecycle {
    precondition {
      condition     = var.a == 1
      error_message = "z"
    }
  }
}
