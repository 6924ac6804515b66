resource "null_resource" "keys" {
  triggers = { a = 2, b = 1, new = 1 }
  lifecycle {
    ignore_changes = [triggers["a"], triggers["new"], triggers["gone"]]
  }
}
resource "null_resource" "whole" {
  triggers = null
  lifecycle {
    ignore_changes = [triggers]
  }
}
resource "terraform_data" "part" {
  input            = { x = 2, y = [1, 3] }
  triggers_replace = [5, 2]
  lifecycle {
    ignore_changes = [input.x, triggers_replace[0]]
  }
}
resource "terraform_data" "element" {
  input = { x = 1, y = [1, 9, 3] }
  lifecycle {
    ignore_changes = [input.y[1]]
  }
}
resource "terraform_data" "all" {
  input            = 2
  triggers_replace = 2
  lifecycle {
    ignore_changes = all
  }
}
resource "random_string" "length" {
  length  = 8
  special = false
  keepers = { k = 2 }
  lifecycle {
    ignore_changes = [length]
  }
}
