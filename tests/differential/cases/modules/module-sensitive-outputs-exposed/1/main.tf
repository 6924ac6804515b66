module "m" {
  source = "./m"
}
resource "terraform_data" "a" {
  input = module.m.secret
}
output "exposed" {
  value = module.m.secret
}
