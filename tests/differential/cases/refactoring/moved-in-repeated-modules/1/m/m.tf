resource "terraform_data" "old" {
}
module "n" {
  source = "./n"
  count  = 2
}
