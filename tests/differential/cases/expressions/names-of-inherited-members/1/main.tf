variable "constructor" { default = "c" }
variable "__proto__" { default = { __proto__ = 1, constructor = 2, toString = 3 } }
locals {
  hasOwnProperty = 1
  __proto__ = { "__proto__" = "a" }
}
module "toString" {
  source = "./m"
  __proto__ = "x"
}
resource "terraform_data" "__proto__" {
  for_each = { "__proto__" = 1, constructor = 2 }
  input = { (each.key) = each.value }
}
output "__proto__" { value = [var.__proto__, local.__proto__, templatefile("t.tpl", { __proto__ = "in", constructor = "k" }), jsondecode("{\"__proto__\": {\"a\":1}, \"b\": 2}"), yamldecode("__proto__: 1\nconstructor: 2"), merge({__proto__ = 1},{toString=2}), zipmap(["__proto__"], [1]), { for k in ["__proto__"] : k => k }, lookup({a=1}, "constructor", "none"), csvdecode("__proto__,b\n1,2"), transpose({"__proto__" = ["constructor"]}), urlencode("__proto__"), regex("(?P<__proto__>a)", "a")] }
output "constructor" { value = module.toString.__proto__ }
output "tostr" { value = module.toString.toString }
output "k" { value = [for k, v in terraform_data.__proto__ : k] }
terraform {
  required_providers {
    terraform = { source = "terraform.io/builtin/terraform" }
  }
}
