module "forgotten" {
  source   = "./m"
  for_each = toset(["a", "b"])
}
module "mixed" {
  source = "./m"
}
resource "terraform_data" "reader" {
  input = module.mixed
}
