variable "name" {}
resource "terraform_data" "r" {
  count = 2
  input = "${var.name}${count.index}"
  lifecycle {
    precondition {
      condition     = count.index > 5
      error_message = "First of ${var.name} ${count.index}."
    }
    precondition {
      condition     = length(var.name) > 5
      error_message = "Second of ${var.name} ${count.index}."
    }
    postcondition {
      condition     = self.input == ""
      error_message = "Not looked at."
    }
  }
}
output "o" {
  value = var.name
  precondition {
    condition     = var.name != "a"
    error_message = "Output of ${var.name}."
  }
  precondition {
    condition     = var.name == "c"
    error_message = "Second of output ${var.name}."
  }
}
