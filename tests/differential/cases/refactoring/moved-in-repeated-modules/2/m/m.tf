resource "terraform_data" "new" {
}
moved {
  from = terraform_data.old
  to   = terraform_data.new
}
module "renamed" {
  source = "./n"
  count  = 2
}
moved {
  from = module.n
  to   = module.renamed
}
moved {
  from = module.renamed[1].terraform_data.inner[0]
  to   = terraform_data.up
}
resource "terraform_data" "up" {
}
