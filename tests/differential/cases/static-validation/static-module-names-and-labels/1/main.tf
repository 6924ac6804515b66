module "a" {}
module {}
module "b" "c" { source = "./x" }
module "1" { source = "./x" }
