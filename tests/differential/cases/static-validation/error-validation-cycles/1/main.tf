variable "a" {
  default = 1
  validation {
    condition     = var.a < terraform_data.r.output
    error_message = "e"
  }
}
resource "terraform_data" "r" {
  input = var.a
}
