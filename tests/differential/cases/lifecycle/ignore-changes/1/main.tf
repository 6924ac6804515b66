variable "v" {
  type = number
}

resource "terraform_data" "attribute" {
  input            = { a = var.v }
  triggers_replace = "same"
  lifecycle {
    ignore_changes = [input]
  }
}

resource "terraform_data" "part" {
  input = { a = var.v, b = { c = var.v } }
  lifecycle {
    ignore_changes = [input.a]
  }
}

resource "terraform_data" "everything" {
  input            = var.v
  triggers_replace = var.v
  lifecycle {
    ignore_changes = all
  }
}
