variable "value" {
  default   = "first"
  ephemeral = true
}

variable "plain" {
  default = { a = [1, true] }
}

variable "number" {
  type    = number
  default = null
}

variable "sensitive" {
  type    = bool
  default = null
}

variable "replace" {
  type    = bool
  default = false
}

resource "terraform_data" "ephemeral" {
  input = "input"
  store {
    input   = var.value
    version = 1
  }
}

resource "terraform_data" "versioned" {
  store {
    input     = var.value
    version   = var.number
    sensitive = var.sensitive
    replace   = var.replace
  }
}

resource "terraform_data" "triggered" {
  triggers_replace = var.number
  store {
    input = var.plain
  }
}

resource "terraform_data" "late" {
  store {
    input   = terraform_data.triggered.id
    replace = var.replace
  }
}

resource "terraform_data" "dynamic" {
  dynamic "store" {
    for_each = var.replace ? [] : [1]
    content {
      input     = "dynamic"
      sensitive = true
    }
  }
}

resource "terraform_data" "empty" {
  store {}
}

resource "terraform_data" "without" {
  input = 1
}

output "plain" {
  value = terraform_data.triggered.store.output
}

output "secret" {
  value     = terraform_data.dynamic.store
  sensitive = true
}
