provider "terraform" { alias = "a" }
module "c" {
  source = "./x"
  providers = { terraform = terraform.a, terraform.z = terraform.a }
}
