variable "n" {
  default = 2
}
resource "terraform_data" "r" {
  count = var.n
  lifecycle {
    postcondition {
      condition     = self.id != ""
      error_message = "Empty."
    }
  }
}
resource "terraform_data" "loses" {
  lifecycle {
    precondition {
      condition     = var.n > 0
      error_message = "None."
    }
  }
}
output "o" {
  value = 1
  precondition {
    condition     = terraform_data.loses.id != ""
    error_message = "Empty."
  }
}
check "c" {
  assert {
    condition     = terraform_data.r[0].id != ""
    error_message = "Empty."
  }
}
