variable "v" {
  default = "1"
}
locals {
  values = {
    "1" = { deep = { kept = "a", free = 1 }, list = [{ x = 1 }, { x = 2 }] }
    "2" = { deep = { kept = "b", free = 2 }, list = [{ x = 9 }, { x = 9 }] }
    "3" = { deep = { free = 3 }, list = [] }
    "4" = { deep = "no object", list = null }
  }
}
resource "terraform_data" "deep" {
  input = local.values[var.v]
  lifecycle {
    ignore_changes = [input.deep.kept, input.list[0].x]
  }
}
resource "terraform_data" "missing" {
  input = local.values[var.v]
  lifecycle {
    ignore_changes = [input.deep.nope, input["list"][7]]
  }
}
resource "terraform_data" "map" {
  input = tomap({ for k, v in { a = var.v, b = var.v, c = null } : k => v if k != "b" || var.v != "3" })
  lifecycle {
    ignore_changes = [input["a"], input["b"], input["c"]]
  }
}
