locals {
  list = ["a", "b"]
}

output "index" {
  value = local.list[length(local.list)]
}
