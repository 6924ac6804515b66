variable "v" {
  default = "1"
}
resource "terraform_data" "first" {
  triggers_replace = var.v
}
module "m" {
  source     = "./m"
  in         = "same"
  depends_on = [terraform_data.first]
}
module "n" {
  source = "./m"
  in     = terraform_data.first.id
}
resource "terraform_data" "last" {
  triggers_replace = [module.m.id, module.n.id]
}
