locals {
  last   = "${local.middle}!"
  middle = upper(local.first)
  workspace = terraform.workspace
  paths  = [path.module, path.root, basename(path.cwd)]
  many   = { for i in range(3) : "k${i}" => local.numbers[i] }
}

output "last" {
  value = local.last
}

output "rest" {
  value = [local.workspace, local.paths, local.many]
}
