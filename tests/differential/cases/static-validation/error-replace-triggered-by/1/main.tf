variable "x" {
  default = 1
}
resource "terraform_data" "a" {
}
resource "terraform_data" "var" {
  lifecycle {
    replace_triggered_by = [var.x]
  }
}
resource "terraform_data" "two" {
  lifecycle {
    replace_triggered_by = [terraform_data.a.id == terraform_data.var.id]
  }
}
resource "terraform_data" "value" {
  for_each = { a = 1 }
  lifecycle {
    replace_triggered_by = [terraform_data.a[each.value]]
  }
}
resource "terraform_data" "none" {
  lifecycle {
    replace_triggered_by = ["x"]
  }
}
resource "terraform_data" "not_a_list" {
  lifecycle {
    replace_triggered_by = terraform_data.a
  }
}
