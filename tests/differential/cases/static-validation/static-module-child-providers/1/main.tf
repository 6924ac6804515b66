module "c" {
  source = "./x"
  count = 1
}
module "d" {
  source = "./x"
  for_each = {}
}
module "e" {
  source = "./x"
  depends_on = [terraform_data.q]
}
module "f" {
  source = "./y"
  count = 2
}
resource "terraform_data" "q" {}
