variable "v" {
  default = "1"
}
resource "terraform_data" "source" {
  input = var.v
}
resource "terraform_data" "tainted" {
  lifecycle {
    replace_triggered_by = [terraform_data.source]
  }
}
resource "terraform_data" "requested" {
  lifecycle {
    replace_triggered_by = [terraform_data.source]
  }
}
resource "terraform_data" "argument" {
  triggers_replace = var.v
  lifecycle {
    replace_triggered_by = [terraform_data.source]
  }
}
resource "terraform_data" "gone" {
  lifecycle {
    replace_triggered_by = [terraform_data.source]
  }
}
resource "terraform_data" "updated" {
  input = var.v
  lifecycle {
    replace_triggered_by = [terraform_data.source, terraform_data.source.input]
  }
}
