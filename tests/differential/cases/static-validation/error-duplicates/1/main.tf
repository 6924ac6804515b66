resource "terraform_data" "r" {}
variable "v" {}
output "o" { value = 1 }
locals { l = 1 }
module "m" { source = "./m" }
data "terraform_remote_state" "d" { backend = "local" }
provider "terraform" {}
