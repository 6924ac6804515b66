variable "n" {
  default = 2
  validation {
    condition     = var.n < 5
    error_message = "Too many."
  }
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
}
output "o" {
  value = 1
}
