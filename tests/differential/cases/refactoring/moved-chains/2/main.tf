moved {
  from = terraform_data.a
  to   = terraform_data.b
}
moved {
  from = terraform_data.b
  to   = terraform_data.c
}
resource "terraform_data" "c" {
  input = "a"
}
moved {
  from = terraform_data.into
  to   = module.new.terraform_data.arrived
}
moved {
  from = module.out.terraform_data.r
  to   = terraform_data.out["x"]
}
resource "terraform_data" "out" {
  for_each = toset(["x"])
  input    = "r"
}
moved {
  from = module.old
  to   = module.new
}
module "new" {
  source = "./n"
}
