module "m" {
  source = "./m"
  x      = terraform_data.a.output
}
resource "terraform_data" "a" {
  input = "given"
}
resource "terraform_data" "after" {
  input = module.m.x
}
resource "terraform_data" "beside" {
}
