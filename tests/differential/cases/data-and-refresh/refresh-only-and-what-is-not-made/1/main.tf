variable "n" {
  default = 2
}

resource "terraform_data" "n" {
  count = var.n
  input = count.index
}

resource "terraform_data" "e" {
  for_each = toset([for i in range(var.n) : "k${i}"])
  input    = each.key
}

resource "terraform_data" "one" {
  input = var.n
}

module "m" {
  source = "./m"
  count  = var.n
}

output "length" {
  value = length(terraform_data.n)
}

output "values" {
  value = terraform_data.n[*].output
}

output "keys" {
  value = keys(terraform_data.e)
}

output "modules" {
  value = module.m[*].id
}

output "one" {
  value = terraform_data.one.output
}

check "as_many" {
  assert {
    condition     = length(terraform_data.n) == var.n
    error_message = "There are ${length(terraform_data.n)}, not ${var.n}."
  }
}
