module "d" { source = "./d" }
resource "terraform_data" "q" { count = length(module.d.ids) }
