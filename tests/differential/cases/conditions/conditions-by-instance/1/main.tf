variable "fail" {
  default = "b"
}
resource "terraform_data" "each" {
  for_each = toset(["a", "b"])
  input    = each.key
  lifecycle {
    precondition {
      condition     = each.key != var.fail
      error_message = "before: ${each.key}"
    }
  }
}
resource "terraform_data" "counted" {
  count = 2
  input = "x${count.index}"
  lifecycle {
    postcondition {
      condition     = self.input != (var.fail == "b" ? "x1" : "")
      error_message = "after: ${self.input}"
    }
  }
}
data "terraform_remote_state" "d" {
  for_each = toset(["a", "b"])
  backend  = "local"
  config   = { path = "terraform.tfstate" }
  lifecycle {
    precondition {
      condition     = each.value != var.fail
      error_message = "data: ${each.value}"
    }
  }
}
output "o" {
  value = 1
  precondition {
    condition     = var.fail != "b"
    error_message = "output"
  }
}
