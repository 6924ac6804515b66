variable "names" {
  type = list(string)
}

resource "terraform_data" "inner" {
  for_each = toset(var.names)
  input    = { name = each.key, path = path.module, root = path.root }
}

output "names" {
  value = [for d in terraform_data.inner : d.output.name]
}

output "ids_count" {
  value = length([for d in terraform_data.inner : d.id])
}
