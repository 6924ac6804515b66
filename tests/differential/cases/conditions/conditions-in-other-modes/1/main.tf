variable "ok" {
  default = true
}
resource "terraform_data" "r" {
  input = 1
  lifecycle {
    precondition {
      condition     = var.ok
      error_message = "Precondition of a resource."
    }
    postcondition {
      condition     = self.input == 1 && var.ok
      error_message = "Postcondition of a resource."
    }
  }
}
data "terraform_remote_state" "d" {
  backend  = "local"
  config   = { path = "other.tfstate" }
  lifecycle {
    postcondition {
      condition     = self.outputs.a == "A" && var.ok
      error_message = "Postcondition of a data source: ${self.outputs.a}."
    }
  }
}
resource "terraform_data" "beside" {}
output "o" {
  value = 1
  precondition {
    condition     = var.ok
    error_message = "Precondition of an output."
  }
}
