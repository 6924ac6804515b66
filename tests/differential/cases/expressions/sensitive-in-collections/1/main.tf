variable "s" {
  default   = "secret"
  sensitive = true
}

resource "terraform_data" "in" {
  input = {
    list        = ["a", var.s]
    typed_list  = tolist(["a", var.s])
    set         = toset(["a", var.s])
    map         = tomap({ k = var.s, l = "plain" })
    nested      = [{ a = { b = var.s } }]
    keys        = { for k in ["a", "b"] : k => var.s if k != "b" }
    sensitive_key = { (var.s) = 1 }
    template    = "x ${var.s} y"
    condition   = var.s == "secret" ? "yes" : "no"
    chosen      = true ? "plain" : var.s
    index       = ["p", var.s][0]
    splat       = [{ v = var.s }, { v = "p" }][*].v
    length      = length([var.s, "a"])
    length_of   = length(var.s)
    merge       = merge({ a = var.s }, { b = "p" })
    concat      = concat([var.s], ["p"])
    lookup      = lookup({ a = var.s, b = "p" }, "b")
    json        = jsonencode({ a = var.s })
    contains    = contains(["a", var.s], "a")
    not         = var.s != "x" && true
  }
}

resource "terraform_data" "element" {
  input = terraform_data.in.output.list[0]
}

resource "terraform_data" "secret_element" {
  input = terraform_data.in.output.list[1]
}

locals {
  secret_object = { a = var.s, b = "plain" }
}

output "plain_part" {
  value = local.secret_object.b
}

output "from_resource" {
  value = terraform_data.in.output.chosen
}
