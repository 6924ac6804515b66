variable "want" {
  default = "x"
}
resource "terraform_data" "a" {
  input = "y"
  lifecycle {
    postcondition {
      condition     = self.output == var.want
      error_message = "got ${self.output}"
    }
  }
}
resource "terraform_data" "b" {
  input = terraform_data.a.output
  lifecycle {
    precondition {
      condition     = terraform_data.a.id != ""
      error_message = "no id"
    }
  }
}
output "o" {
  value = terraform_data.b.id
  precondition {
    condition     = terraform_data.b.output == "y"
    error_message = "b is ${terraform_data.b.output}"
  }
}
