resource "terraform_data" "base" {
  triggers_replace = 2
}
module "m" {
  source = "./m"
  in     = terraform_data.base.id
  v      = 2
}
