module "c" {
  source = "./x"
  count = 1
}
module "f" {
  source = "./x"
  for_each = { a = 1 }
}
module "s" {
  source = "./x"
}
output "a" { value = module.c.out }
output "b" { value = module.f.out }
output "c" { value = module.s[0].out }
output "d" { value = module.s["x"].out }
output "e" { value = module.c["x"].out }
output "f" { value = module.f[0].out }
output "g" { value = module.c[0].nope }
output "h" { value = module.f["a"].ot }
output "i" { value = module.s.out.x.y }
output "j" { value = module.c[*].nope }
output "k" { value = module.s.o }
output "l" { value = module.s.terraform_data }
output "m" { value = module }
output "n" { value = module.s.out() }
