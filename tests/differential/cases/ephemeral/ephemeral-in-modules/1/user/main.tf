variable "secret" {
  type      = string
  ephemeral = true
}
variable "all" {
  type      = list(string)
  ephemeral = true
}
resource "terraform_data" "r" {
  input = "fixed"
  lifecycle {
    precondition {
      condition     = length(var.secret) == 9 && length(var.all) == 2
      error_message = "Not what was sent."
    }
  }
}
output "plain" {
  value = terraform_data.r.output
}
