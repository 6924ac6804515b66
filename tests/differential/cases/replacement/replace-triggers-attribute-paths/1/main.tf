variable "step" {
  default = "one"
}
variable "secret" {
  default   = "s"
  sensitive = true
}
locals {
  one = { list = ["a", "b"], map = { "k.1" = "x", l = null }, same = "s", number = 1 }
  two = { list = ["a", "c"], map = { "k.1" = "y", l = 1 }, same = "s", number = "1" }
}
resource "terraform_data" "source" {
  input = var.step == "one" ? local.one : local.two
}
resource "terraform_data" "marked" {
  input = var.step == "one" ? "s" : var.secret
}
resource "terraform_data" "first_of_list" {
  lifecycle {
    replace_triggered_by = [terraform_data.source.input.list[0]]
  }
}
resource "terraform_data" "second_of_list" {
  lifecycle {
    replace_triggered_by = [terraform_data.source.input.list[1]]
  }
}
resource "terraform_data" "key" {
  lifecycle {
    replace_triggered_by = [terraform_data.source.input.map["k.1"]]
  }
}
resource "terraform_data" "same" {
  lifecycle {
    replace_triggered_by = [terraform_data.source.input["same"]]
  }
}
resource "terraform_data" "type" {
  lifecycle {
    replace_triggered_by = [terraform_data.source.input.number]
  }
}
resource "terraform_data" "unknown" {
  lifecycle {
    replace_triggered_by = [terraform_data.source.output.same]
  }
}
resource "terraform_data" "by_mark" {
  lifecycle {
    replace_triggered_by = [terraform_data.marked.input]
  }
}
resource "terraform_data" "by_marked" {
  lifecycle {
    replace_triggered_by = [terraform_data.marked]
  }
}
