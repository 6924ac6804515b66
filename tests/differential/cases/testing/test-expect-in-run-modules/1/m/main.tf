variable "v" {
  validation {
    condition = var.v < 5
    error_message = "small"
  }
}
check "inner" {
  assert {
    condition = var.v == 2
    error_message = "inner"
  }
}
output "v" {
  value = var.v
  precondition {
    condition = var.v != 3
    error_message = "three"
  }
}
resource "terraform_data" "r" {
  input = var.v
  lifecycle {
    postcondition {
      condition = self.output != 4
      error_message = "four"
    }
  }
}
