variable "secret" {
  type      = string
  ephemeral = true
}
variable "list" {
  type      = list(string)
  ephemeral = true
}
locals {
  all = {
    sorted    = sort(var.list)
    joined    = join(",", var.list)
    length    = length(var.list)
    json      = jsonencode({ a = var.secret })
    merged    = merge({ a = 1 }, { b = var.secret })
    concat    = concat(["x"], var.list)
    template  = templatefile("${path.module}/t.tftpl", { s = var.secret })
    formatted = format("%s-%s", "x", var.secret)
    hash      = sha256(var.secret)
    tried     = try(var.secret.nope, var.secret)
    can       = can(var.secret.nope)
    lookup    = lookup({ k = var.secret }, "k", "d")
    coalesce  = coalesce(null, var.secret)
    element   = element(var.list, 1)
    index     = { a = 1, b = 2 }[var.list[0]]
    contains  = contains(var.list, "a")
    splat     = var.list[*]
    keyed     = { for v in var.list : v => v }
    zip       = zipmap(["k"], [var.secret])
    set       = toset(concat(["z"], var.list))
    number    = tonumber("1${length(var.list)}")
    typed     = tolist([var.secret, "p"])
    map       = tomap({ a = var.secret, b = "p" })
    sensitive = issensitive(var.secret)
    decoded   = jsondecode(jsonencode([var.secret]))
    nothing   = var.secret == null
  }
}
output "all" {
  value = ephemeralasnull(local.all)
}
output "types" {
  value = [for k, v in local.all : k if ephemeralasnull(v) != null && k != "keyed"]
}
output "plain" {
  value = ephemeralasnull({ a = 1, b = ["x", null], c = toset(["q"]) })
}
