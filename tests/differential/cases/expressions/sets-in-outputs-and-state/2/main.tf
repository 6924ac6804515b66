locals {
  strings = toset(["b", "a"])
  objects = toset([{ n = "b", v = 2 }, { n = "c", v = 1 }])
}

resource "terraform_data" "sets" {
  input = { strings = local.strings, objects = local.objects }
}

output "strings" { value = local.strings }
output "objects" { value = local.objects }
