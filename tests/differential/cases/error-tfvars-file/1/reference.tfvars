v = var.other
