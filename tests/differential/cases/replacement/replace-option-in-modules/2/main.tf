module "m" {
  source   = "./m"
  for_each = toset(["a", "b"])
}
resource "terraform_data" "after" {}
moved {
  from = terraform_data.moved
  to   = terraform_data.after
}
resource "terraform_data" "new" {}
