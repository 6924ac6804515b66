variable "image_id" {}
locals { region = 1 }
resource "terraform_data" "web" {}
data "terraform_remote_state" "net" { backend = "local" }
module "vpc" { source = "./m" }
output "a" { value = var.imageid }
output "b" { value = local.regoin }
output "c" { value = terraform_data.wbe }
output "d" { value = data.terraform_remote_state.nte }
output "e" { value = module.vcp.x }
output "f" { value = module.vpc.otu }
output "g" { value = path.modul }
output "h" { value = terraform.workspac }
output "i" { value = each.ky }
output "j" { value = lenght([]) }
output "k" { value = image_id }
output "l" { value = vars.image_id }
output "m" { value = locals.region }
output "n" { value = web.id }
output "o" { value = modules.vpc }
output "p" { value = params.x }
