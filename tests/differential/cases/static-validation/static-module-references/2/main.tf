module "c" {
  source = "./x"
  count = 1
}
module "f" {
  source = "./x"
  for_each = { a = 1 }
}
output "c" { value = module.c[1].out }
output "d" { value = module.f["x"].out }
output "f" { value = module.c[1] }
output "j" { value = module.c[*].out }
