variable "n" {
  default = 5
}
resource "terraform_data" "type" {
  lifecycle {
    precondition {
      condition     = [var.n]
      error_message = "x"
    }
  }
}
resource "terraform_data" "null" {
  lifecycle {
    precondition {
      condition     = var.n == 5 ? null : true
      error_message = "x"
    }
  }
}
resource "terraform_data" "message" {
  lifecycle {
    precondition {
      condition     = var.n == 6
      error_message = [var.n]
    }
  }
}
resource "terraform_data" "failing_message" {
  lifecycle {
    precondition {
      condition     = var.n == 6
      error_message = var.n.x
    }
  }
}
