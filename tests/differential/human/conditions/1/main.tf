variable "size" {
  type = number
  validation {
    condition     = var.size < 10
    error_message = "The size must be below 10, and a long explanation follows here so that the line must be wrapped by the renderer."
  }
}
resource "terraform_data" "r" {
  input = var.size
  lifecycle {
    precondition {
      condition     = var.size != 7
      error_message = "Not 7."
    }
    postcondition {
      condition     = self.output != 3
      error_message = "Not 3, but it is ${self.output}."
    }
  }
}
