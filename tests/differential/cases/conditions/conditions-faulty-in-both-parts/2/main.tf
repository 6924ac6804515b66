variable "x" {
  default = 1
}

locals {
  l = ["a"]
}

resource "terraform_data" "a" {}

output "o0" {
  value = 1
  precondition {
    condition     = var.x == 1 && each.value
    error_message = ["x"]
  }
}

output "o1" {
  value = 1
  precondition {
    condition     = var.x == 1 && local.missing
    error_message = self.id
  }
}

output "o2" {
  value = 1
  precondition {
    condition     = var.x == 1 && count.index == 1
    error_message = "a ${var.missing}"
  }
}

output "o3" {
  value = 1
  precondition {
    condition     = var.x == 1 && self.id == ""
    error_message = "${var.x}"
  }
}

output "o4" {
  value = 1
  precondition {
    condition     = var.x == 1 && terraform_data.a.bogus == 1
    error_message = "${var.x} ${local.l}"
  }
}

output "o5" {
  value = 1
  precondition {
    condition     = var.x == 1 && nofunc()
    error_message = null
  }
}

output "o6" {
  value = 1
  precondition {
    condition     = var.x == 1 && 1 + true
    error_message = sensitive("x")
  }
}

output "o7" {
  value = 1
  precondition {
    condition     = var.x == 1 && path.nope == ""
    error_message = upper(1, 2)
  }
}

output "o8" {
  value = 1
  precondition {
    condition     = var.x == 1 && terraform.nope
    error_message = "${each.key}"
  }
}

output "o9" {
  value = 1
  precondition {
    condition     = var.x == 1 && null
    error_message = ["x"]
  }
}

output "o10" {
  value = 1
  precondition {
    condition     = var.x == 1 && sensitive(false)
    error_message = sensitive("x")
  }
}

output "o11" {
  value = 1
  precondition {
    condition     = var.x == 1 && terraform_data.a.id == 1
    error_message = terraform_data.a.bogus
  }
}
