variable "prefix" { type = string }
module "leaf" {
  source = "./leaf"
  count  = 2
  text   = "${var.prefix}/${count.index}"
}
output "ids" { value = module.leaf[*].text }
