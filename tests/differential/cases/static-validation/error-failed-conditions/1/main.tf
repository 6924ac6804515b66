variable "n" {
  default = 5
}
resource "terraform_data" "pre" {
  input = var.n
  lifecycle {
    precondition {
      condition     = var.n > 10
      error_message = "n is ${var.n}, and must be above 10."
    }
  }
}
resource "terraform_data" "post" {
  count = 2
  input = count.index
  lifecycle {
    postcondition {
      condition     = self.input == 0
      error_message = "Must be 0."
    }
  }
}
output "pre" {
  value = 1
  precondition {
    condition     = var.n == 6
    error_message = "Not 6."
  }
}
