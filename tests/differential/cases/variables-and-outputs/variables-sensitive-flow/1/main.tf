variable "token" {
  sensitive = true
  default   = "tok"
}
variable "object" {
  sensitive = true
  type      = object({ a = string, b = list(number) })
  default   = { a = "x", b = [1, 2] }
}
resource "terraform_data" "r" {
  input            = { t = var.token, plain = "p", l = [for b in var.object.b : b + 1], n = length(var.object.b) }
  triggers_replace = [var.object.a]
}
resource "terraform_data" "each" {
  for_each = nonsensitive(toset([for b in var.object.b : "k${b}"]))
  input    = each.key
}
module "m" {
  source = "./m"
  in     = var.token
  plain  = "plain"
}
output "keys" { value = nonsensitive(keys(var.object)) }
output "sensitive" {
  value     = { t = var.token, p = "plain" }
  sensitive = true
}
output "from_module" {
  value     = module.m.out
  sensitive = true
}
output "module_plain" { value = module.m.plain }
output "is" { value = [issensitive(var.token), issensitive(module.m.plain), issensitive(module.m.out), issensitive([var.token]), issensitive(terraform_data.r.input.plain), issensitive(terraform_data.r.output)] }
output "conditional" { value = nonsensitive(var.token == "tok" ? "yes" : "no") }
