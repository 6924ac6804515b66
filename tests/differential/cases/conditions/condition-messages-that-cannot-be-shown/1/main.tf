variable "secret" {
  default   = "s"
  sensitive = true
}
variable "no" {
  default = false
}
resource "terraform_data" "unknown" {}
resource "terraform_data" "message" {
  lifecycle {
    precondition {
      condition     = var.no
      error_message = "Sensitive ${var.secret}."
    }
    precondition {
      condition     = var.no
      error_message = var.no ? "" : null
    }
    precondition {
      condition     = var.no
      error_message = ["a", var.no]
    }
    precondition {
      condition     = var.no
      error_message = "Fails ${tonumber("x${var.no}")}."
    }
    precondition {
      condition     = var.no
      error_message = "Unknown ${terraform_data.unknown.id}."
    }
  }
}
resource "terraform_data" "condition" {
  lifecycle {
    precondition {
      condition     = var.no ? true : null
      error_message = "Null."
    }
    precondition {
      condition     = var.no ? "true" : "perhaps"
      error_message = "No bool."
    }
    precondition {
      condition     = var.secret == "other"
      error_message = "Sensitive condition."
    }
    precondition {
      condition     = terraform_data.unknown.id == ""
      error_message = "Not known yet."
    }
    precondition {
      condition     = "false"
      error_message = "${var.no}"
    }
  }
}
output "o" {
  value = 1
  precondition {
    condition     = tobool(var.no)
    error_message = "Sensitive ${var.secret}."
  }
}
check "c" {
  assert {
    condition     = var.no
    error_message = "Sensitive ${var.secret}."
  }
  assert {
    condition     = tolist([var.no])[3]
    error_message = "Fails."
  }
}
