variable "n" {
  type    = number
  default = 1
  validation {
    condition     = var.n < 10
    error_message = "n is too much"
  }
}
resource "terraform_data" "a" {
  count = 2
  input = var.n
  lifecycle {
    precondition {
      condition     = var.n != 2
      error_message = "n is two"
    }
    postcondition {
      condition     = self.output != 3
      error_message = "n is three"
    }
  }
}
output "o" {
  value = var.n
  precondition {
    condition     = var.n != 4
    error_message = "n is four"
  }
}
check "c" {
  assert {
    condition     = var.n != 5
    error_message = "n is five"
  }
}
data "terraform_remote_state" "r" {
  count   = var.n == 6 ? 1 : 0
  backend = "local"
  config  = { path = "${path.module}/some.tfstate" }
  lifecycle {
    precondition {
      condition     = var.n != 6
      error_message = "n is six"
    }
  }
}
