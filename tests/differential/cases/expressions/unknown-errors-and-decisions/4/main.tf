resource "terraform_data" "a" { input = "x" }
variable "v" {
  default = 1
  validation {
    condition     = terraform_data.a.id == "x"
    error_message = "Got ${terraform_data.a.id}."
  }
}
output "p" {
  value = 1
  precondition {
    condition     = 1 == 2
    error_message = "Got ${terraform_data.a.id}."
  }
}
resource "terraform_data" "b" {
  lifecycle {
    precondition {
      condition     = 1 == 2
      error_message = "Got ${terraform_data.a.id} ${var.v}."
    }
  }
}
