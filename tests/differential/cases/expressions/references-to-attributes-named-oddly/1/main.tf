locals {
  o = { count = 1, each = 2, self = 3, var = 4, local = 5, "0" = 6, "a-b" = 7, "a b" = 8, null = 9, path = 10, length = 11, for_each = 12 }
}
resource "terraform_data" "count" { input = local.o }
resource "terraform_data" "var" { input = terraform_data.count.input.var }
resource "terraform_data" "length" { input = terraform_data.var.input + length([1]) }
output "all" {
  value = [
    local.o.count, local.o.each, local.o.self, local.o.var, local.o.local, local.o["0"], local.o.a-b, local.o["a b"], local.o["null"], local.o.path, local.o.length, local.o.for_each,
    terraform_data.length.input, resource.terraform_data.count.input.each, terraform_data.count.output.for_each,
  ]
}
