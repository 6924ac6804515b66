output "o" {}

module "m" {}
