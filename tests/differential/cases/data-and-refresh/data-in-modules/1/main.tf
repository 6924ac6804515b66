variable "keys" {
  type    = list(string)
  default = ["a", "b"]
}

module "reader" {
  source   = "./reader"
  for_each = toset(var.keys)
  count_of = length(each.key)
}

output "all" {
  value = { for k, m in module.reader : k => m.all }
}
