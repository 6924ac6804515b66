output "old" {
  value      = "old"
  deprecated = "Please stop using this nested output"
}
module "deeper" {
  source = "./o"
}
locals {
  bar = module.deeper.old
}
