variable "x" {
  default = 1
}

locals {
  l = ["a"]
}

resource "terraform_data" "a" {}

resource "terraform_data" "p0" {
  lifecycle {
    postcondition {
      condition     = var.x == 1 && each.value
      error_message = ["x"]
    }
  }
}

resource "terraform_data" "p1" {
  lifecycle {
    precondition {
      condition     = var.x == 1 && local.missing
      error_message = self.id
    }
  }
}

resource "terraform_data" "p2" {
  lifecycle {
    postcondition {
      condition     = var.x == 1 && count.index == 1
      error_message = "a ${var.missing}"
    }
  }
}

resource "terraform_data" "p3" {
  lifecycle {
    precondition {
      condition     = var.x == 1 && self.id == ""
      error_message = "${var.x}"
    }
  }
}

resource "terraform_data" "p4" {
  lifecycle {
    postcondition {
      condition     = var.x == 1 && terraform_data.a.bogus == 1
      error_message = "${var.x} ${local.l}"
    }
  }
}

resource "terraform_data" "p5" {
  lifecycle {
    precondition {
      condition     = var.x == 1 && nofunc()
      error_message = null
    }
  }
}

resource "terraform_data" "p6" {
  lifecycle {
    postcondition {
      condition     = var.x == 1 && 1 + true
      error_message = sensitive("x")
    }
  }
}

resource "terraform_data" "p7" {
  lifecycle {
    precondition {
      condition     = var.x == 1 && path.nope == ""
      error_message = upper(1, 2)
    }
  }
}

resource "terraform_data" "p8" {
  lifecycle {
    postcondition {
      condition     = var.x == 1 && terraform.nope
      error_message = "${each.key}"
    }
  }
}

resource "terraform_data" "p9" {
  lifecycle {
    precondition {
      condition     = var.x == 1 && null
      error_message = ["x"]
    }
  }
}

resource "terraform_data" "p10" {
  lifecycle {
    postcondition {
      condition     = var.x == 1 && sensitive(false)
      error_message = sensitive("x")
    }
  }
}

resource "terraform_data" "p11" {
  lifecycle {
    precondition {
      condition     = var.x == 1 && terraform_data.a.id == 1
      error_message = terraform_data.a.bogus
    }
  }
}
