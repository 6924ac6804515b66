variable "i" {
}
resource "terraform_data" "r" {
  input = var.i
  lifecycle {
    postcondition {
      condition     = self.output >= 0
      error_message = "negative"
    }
  }
}
check "even" {
  assert {
    condition     = terraform_data.r.output % 2 == 0
    error_message = "${var.i} is odd"
  }
}
output "i" {
  value = var.i
  precondition {
    condition     = var.i < 10
    error_message = "too many"
  }
}
