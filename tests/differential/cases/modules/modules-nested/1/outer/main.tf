variable "prefix" {
  type        = string
  description = "A prefix"
}

module "inner" {
  source = "./inner"
  names  = ["${var.prefix}-a", "${var.prefix}-b"]
}

resource "terraform_data" "outer" {
  input = module.inner.names
}

output "deep" {
  value = module.inner.ids_count
}

output "names" {
  value = terraform_data.outer.output
}
