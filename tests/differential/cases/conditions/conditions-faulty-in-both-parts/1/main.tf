variable "x" {
  default = 1
}

locals {
  l = ["a"]
}

resource "terraform_data" "a" {}

check "c0" {
  assert {
    condition     = var.x == 1 && each.value
    error_message = ["x"]
  }
}

check "c1" {
  assert {
    condition     = var.x == 1 && local.missing
    error_message = self.id
  }
}

check "c2" {
  assert {
    condition     = var.x == 1 && count.index == 1
    error_message = "a ${var.missing}"
  }
}

check "c3" {
  assert {
    condition     = var.x == 1 && self.id == ""
    error_message = "${var.x}"
  }
}

check "c4" {
  assert {
    condition     = var.x == 1 && terraform_data.a.bogus == 1
    error_message = "${var.x} ${local.l}"
  }
}

check "c5" {
  assert {
    condition     = var.x == 1 && nofunc()
    error_message = null
  }
}

check "c6" {
  assert {
    condition     = var.x == 1 && 1 + true
    error_message = sensitive("x")
  }
}

check "c7" {
  assert {
    condition     = var.x == 1 && path.nope == ""
    error_message = upper(1, 2)
  }
}

check "c8" {
  assert {
    condition     = var.x == 1 && terraform.nope
    error_message = "${each.key}"
  }
}

check "c9" {
  assert {
    condition     = var.x == 1 && null
    error_message = ["x"]
  }
}

check "c10" {
  assert {
    condition     = var.x == 1 && sensitive(false)
    error_message = sensitive("x")
  }
}

check "c11" {
  assert {
    condition     = var.x == 1 && terraform_data.a.id == 1
    error_message = terraform_data.a.bogus
  }
}
