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

resource "terraform_data" "alone" {
  for_each = { x = 1, y = 2 }
  input    = var.v + each.value
}

module "child" {
  source = "./child"
  count  = 2
  value  = terraform_data.b[1].output
}

check "alone" {
  assert {
    condition     = terraform_data.alone["x"].output == var.v + 1
    error_message = "not alone"
  }
}

output "all" {
  value = terraform_data.c.output
}

output "alone" {
  value = { for key, each in terraform_data.alone : key => each.output }
}

output "child" {
  value = module.child[*].value
}

output "nothing" {
  value = var.v
}
