variable "n" {
  default = 3
}

resource "terraform_data" "each" {
  for_each = toset([for i in range(var.n) : "k${i}"])
  input    = each.key
}

resource "terraform_data" "many" {
  count = var.n
  input = count.index
}

output "each" {
  value = keys(terraform_data.each)
}

output "many" {
  value = terraform_data.many[*].output
}
