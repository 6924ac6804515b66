variable "which" {
  type    = string
  default = "a"
}

locals {
  directory = "modules"
  chosen    = "./${local.directory}/${var.which}"
  table = {
    a = "./modules/a"
    b = "./modules/b"
  }
}

module "by_local" {
  source = local.chosen
  name   = "one"
}

module "by_function" {
  source = join("/", [".", local.directory, lower(upper(var.which))])
}

module "by_index" {
  source = local.table[var.which]
}

module "by_workspace" {
  source = terraform.workspace == "default" ? "./modules/a" : "./modules/b"
}

module "by_path" {
  source = "./${path.module}/modules/a"
}

output "all" {
  value = [module.by_local.who, module.by_function.who, module.by_index.who, module.by_workspace.who, module.by_path.who]
}
