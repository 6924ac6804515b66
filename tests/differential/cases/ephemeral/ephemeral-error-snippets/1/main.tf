variable "secret" {
  type      = string
  ephemeral = true
}
variable "object" {
  type      = map(string)
  ephemeral = true
}
variable "list" {
  type      = list(string)
  ephemeral = true
  default   = ["hidden-4"]
}
variable "both" {
  type      = string
  ephemeral = true
  sensitive = true
  default   = "hidden-3"
}
locals {
  e00 = tonumber(var.secret)
  e01 = var.object["b"]
  e02 = var.secret + 1
  e03 = tonumber(var.both)
  e04 = element([], length(var.secret))
  e05 = regex("^x", var.secret)
  e06 = var.secret ? 1 : 2
  e07 = file(var.secret)
  e08 = parseint(var.secret, 10)
  e09 = format("%d", var.secret)
  e10 = jsondecode(var.secret)
  e11 = { for v in [var.secret, var.secret] : v => 1 }
  e13 = var.list[3]
  e16 = "${var.list}"
  e17 = lookup(var.object, "z")
  e18 = cidrsubnet(var.secret, 1, 1)
  e19 = coalesce("", ephemeralasnull(var.secret))
}
resource "terraform_data" "r" {
  input = 1
  lifecycle {
    precondition {
      condition     = var.secret == "x" && var.object["a"] == "y"
      error_message = "Secret is wrong."
    }
  }
}
