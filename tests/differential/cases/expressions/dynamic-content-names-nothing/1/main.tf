terraform {
  required_providers {
    tls = { source = "hashicorp/tls" }
  }
}

variable "on" {
  default = ["x", "y"]
}

resource "terraform_data" "many" {
  count = 2
}

module "m" {
  source = "./m"
}

resource "tls_self_signed_cert" "c0" {
  private_key_pem       = "x"
  validity_period_hours = 1
  allowed_uses          = []

  dynamic "subject" {
    for_each = var.on
    iterator = it
    content {
      common_name  = it.value
      organization = subject.value
    }
  }
}

resource "tls_self_signed_cert" "c1" {
  private_key_pem       = "x"
  validity_period_hours = 1
  allowed_uses          = []

  dynamic "subject" {
    for_each = var.on
    iterator = it
    content {
      common_name  = it.value
      organization = var.missing
    }
  }
}

resource "tls_self_signed_cert" "c2" {
  private_key_pem       = "x"
  validity_period_hours = 1
  allowed_uses          = []

  dynamic "subject" {
    for_each = var.on
    iterator = it
    content {
      common_name  = it.value
      organization = local.missing
    }
  }
}

resource "tls_self_signed_cert" "c3" {
  private_key_pem       = "x"
  validity_period_hours = 1
  allowed_uses          = []

  dynamic "subject" {
    for_each = var.on
    iterator = it
    content {
      common_name  = it.value
      organization = module.nope.x
    }
  }
}

resource "tls_self_signed_cert" "c4" {
  private_key_pem       = "x"
  validity_period_hours = 1
  allowed_uses          = []

  dynamic "subject" {
    for_each = var.on
    iterator = it
    content {
      common_name  = it.value
      organization = module.m.nope
    }
  }
}

resource "tls_self_signed_cert" "c5" {
  private_key_pem       = "x"
  validity_period_hours = 1
  allowed_uses          = []

  dynamic "subject" {
    for_each = var.on
    iterator = it
    content {
      common_name  = it.value
      organization = terraform_data.many.id
    }
  }
}

resource "tls_self_signed_cert" "c6" {
  private_key_pem       = "x"
  validity_period_hours = 1
  allowed_uses          = []

  dynamic "subject" {
    for_each = var.on
    iterator = it
    content {
      common_name  = it.value
      organization = terraform_data.many[0].nope
    }
  }
}

resource "tls_self_signed_cert" "c7" {
  private_key_pem       = "x"
  validity_period_hours = 1
  allowed_uses          = []

  dynamic "subject" {
    for_each = var.on
    iterator = it
    content {
      common_name  = it.value
      organization = each.key
    }
  }
}

resource "tls_self_signed_cert" "c8" {
  private_key_pem       = "x"
  validity_period_hours = 1
  allowed_uses          = []

  dynamic "subject" {
    for_each = var.on
    iterator = it
    content {
      common_name  = it.value
      organization = self.id
    }
  }
}

resource "tls_self_signed_cert" "c9" {
  private_key_pem       = "x"
  validity_period_hours = 1
  allowed_uses          = []

  dynamic "subject" {
    for_each = var.on
    iterator = it
    content {
      common_name  = it.value
      organization = path.nope
    }
  }
}

resource "tls_self_signed_cert" "c10" {
  private_key_pem       = "x"
  validity_period_hours = 1
  allowed_uses          = []

  dynamic "subject" {
    for_each = var.on
    iterator = it
    content {
      common_name  = it.value
      organization = subject
    }
  }
}

resource "tls_self_signed_cert" "c11" {
  private_key_pem       = "x"
  validity_period_hours = 1
  allowed_uses          = []

  dynamic "subject" {
    for_each = var.on
    iterator = it
    content {
      common_name  = it.value
      organization = try(local.missing, "x")
    }
  }
}
