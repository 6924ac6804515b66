module "network" { source = "./m" }
resource "terraform_data" "c" {
  count = 2
}
resource "terraform_data" "e" {
  for_each = { a = 1 }
}
module "mc" {
  source = "./m"
  count  = 2
}
module "me" {
  source   = "./m"
  for_each = { a = 1 }
}
output "a" { value = terraform_data.c.id }
output "b" { value = terraform_data.e.id }
output "c" { value = module.mc.vpc_id }
output "d" { value = module.me.vpc_id }
output "e" { value = terraform_data.c["a"].id }
output "f" { value = terraform_data.e[0].id }
output "g" { value = terraform_data.c[5].id }
output "h" { value = terraform_data.e["zz"].id }
output "i" { value = module.mc[7].vpc_id }
output "j" { value = module.me["q"].vpc_id }
output "k" { value = module.mc["x"].vpc_id }
output "l" { value = module.mc[*].nope }
output "m" { value = terraform_data.c[*].nope }
output "n" { value = terraform_data.e[*].id }
