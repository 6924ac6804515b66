variable "revision" {
  default = 1
}

resource "terraform_data" "revision" {
  count = 2
  input = count.index == 0 ? var.revision : 0
}

resource "terraform_data" "by_attribute" {
  input = "a"
  lifecycle {
    replace_triggered_by = [terraform_data.revision[0].output]
  }
}

resource "terraform_data" "by_instance" {
  count = 2
  input = "i"
  lifecycle {
    replace_triggered_by = [terraform_data.revision[count.index]]
  }
}

resource "terraform_data" "by_resource" {
  input = "r"
  lifecycle {
    replace_triggered_by = [terraform_data.revision]
  }
}
