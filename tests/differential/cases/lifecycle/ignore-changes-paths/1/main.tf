resource "null_resource" "keys" {
  triggers = { a = 1, b = 1, gone = 1 }
  lifecycle {
    ignore_changes = [triggers["a"], triggers["new"], triggers["gone"]]
  }
}
resource "null_resource" "whole" {
  triggers = { a = 1 }
  lifecycle {
    ignore_changes = [triggers]
  }
}
resource "terraform_data" "part" {
  input            = { x = 1, y = [1, 2] }
  triggers_replace = [1, 2]
  lifecycle {
    ignore_changes = [input.x, triggers_replace[0]]
  }
}
resource "terraform_data" "element" {
  input = { x = 1, y = [1, 2] }
  lifecycle {
    ignore_changes = [input.y[1]]
  }
}
resource "terraform_data" "all" {
  input            = 1
  triggers_replace = 1
  lifecycle {
    ignore_changes = all
  }
}
resource "random_string" "length" {
  length  = 7
  special = false
  keepers = { k = 1 }
  lifecycle {
    ignore_changes = [length]
  }
}
