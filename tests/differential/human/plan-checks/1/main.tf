variable "limit" {
  type    = number
  default = 2
}
variable "name" {
  type    = string
  default = "n"
}
resource "terraform_data" "a" {
  count = 2
  input = count.index
  lifecycle {
    precondition {
      condition     = var.name != ""
      error_message = "A name is needed."
    }
    postcondition {
      condition     = self.id != ""
      error_message = "No id."
    }
  }
}
check "count" {
  assert {
    condition     = length(terraform_data.a) <= var.limit
    error_message = "There are ${length(terraform_data.a)}, which is more than ${var.limit}."
  }
  assert {
    condition     = terraform_data.a[0].id != "x"
    error_message = "An id is x."
  }
}
check "name" {
  assert {
    condition     = var.limit > 0
    error_message = "The limit is too low."
  }
}
output "n" {
  value = var.name
  precondition {
    condition     = var.limit < 100
    error_message = "Too much."
  }
}
