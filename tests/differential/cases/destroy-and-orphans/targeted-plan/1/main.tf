variable "v" {
  default = 1
}

resource "terraform_data" "a" {
  input = var.v
}

resource "terraform_data" "b" {
  count = 2
  input = terraform_data.a.output + count.index
}

resource "terraform_data" "c" {
  input = terraform_data.b[*].output
}

module "child" {
  source = "./child"
  value  = terraform_data.b[1].output
}

output "all" {
  value = terraform_data.c.output
}

output "child" {
  value = module.child.value
}
