variable "n" {
  type = number
}

resource "terraform_data" "first" {
  input = var.n
  lifecycle {
    precondition {
      condition     = var.n < 20
      error_message = "n must be below 20, and is ${var.n}."
    }
    precondition {
      condition     = var.n < 100
      error_message = "n must be below 100."
    }
  }
}

resource "terraform_data" "second" {
  count = 2
  input = "s"
  lifecycle {
    precondition {
      condition     = terraform_data.first.output < 10 + count.index * 10
      error_message = "first is too large for ${count.index}."
    }
  }
}

output "n" {
  value = var.n
  precondition {
    condition     = var.n != 300
    error_message = "n can't be 300."
  }
}
