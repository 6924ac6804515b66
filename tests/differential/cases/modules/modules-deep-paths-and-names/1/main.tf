variable "envs" { default = { dev = ["a"], "pr.od \"x\"" = ["a", "b"] } }
module "env" {
  source   = "./modules/env"
  for_each = var.envs
  name     = each.key
  regions  = each.value
}
output "all" { value = { for k, m in module.env : k => m.all } }
output "one" { value = module.env["dev"].all["a"][0] }
