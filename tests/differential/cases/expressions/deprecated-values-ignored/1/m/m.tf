output "old" {
  value      = "old"
  deprecated = "Please stop using this"
}
module "nested" {
  source = "./n"
  count  = 2
}
resource "terraform_data" "r" {
  input = module.nested[0].old
}
