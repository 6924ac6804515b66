locals { a = local.b }
output "x" { value = local.a }
output "y" { value = var.nothing }
output "z" { value = terraform_data.a.b.c }
output "w" { value = terraform_data.a[0] }
output "v" { value = module.nope.x }
output "u" { value = module.m.nope }
output "t" { value = module.m[0].x }
output "s" { value = module.n.x }
output "r" { value = module.n["a"].y }
output "q" { value = module.n[*].x }
output "n" { value = terraform_data["a"] }
output "k" { value = data.terraform_remote_state.x }
resource "terraform_data" "a" {}
module "m" { source = "./m" }
module "n" { 
  source = "./m"
  for_each = { a = 1 }
}
