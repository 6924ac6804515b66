variable "n" {
  default = "x"
  validation {
    condition = var.n != "bad"
    error_message = "Bad n."
  }
}
resource "terraform_data" "a" {
  input = var.n
}
output "o" {
  value = terraform_data.a.output
}
check "c" {
  assert {
    condition = var.n != "warn"
    error_message = "Warn."
  }
}
