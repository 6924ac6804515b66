variable "n" {
  type    = number
  default = 1
}
resource "terraform_data" "argument" {
  input = file("missing${var.n}.txt")
  lifecycle {
    precondition {
      condition     = var.n == 0
      error_message = "No file is looked at."
    }
    postcondition {
      condition     = self.input == file("missing too ${var.n}.txt")
      error_message = "Nor here."
    }
  }
}
resource "terraform_data" "count" {
  count = var.n - 2
  lifecycle {
    precondition {
      condition     = var.n == 77
      error_message = "Never looked at."
    }
  }
}
resource "terraform_data" "holds" {
  input = file("missing${var.n}.txt")
  lifecycle {
    precondition {
      condition     = var.n == 1
      error_message = "Holds."
    }
  }
}
resource "terraform_data" "each" {
  for_each = { a = 1, b = 2 }
  input    = each.value == 2 ? "fine" : file("${each.key}.txt")
  lifecycle {
    precondition {
      condition     = each.value == 2
      error_message = "Value of ${each.key} is ${each.value}."
    }
  }
}
resource "terraform_data" "dependent" {
  input = terraform_data.argument.id
  lifecycle {
    precondition {
      condition     = var.n == 77
      error_message = "What this depends on failed."
    }
  }
}
data "terraform_remote_state" "d" {
  backend = "local"
  config  = { path = "missing.tfstate" }
  lifecycle {
    precondition {
      condition     = var.n == 0
      error_message = "No state is read."
    }
  }
}
