resource "terraform_data" "r" {}
variable "v" {}
output "o" { value = 2 }
locals { l = 2 }
module "m" { source = "./m" }
data "terraform_remote_state" "d" { backend = "local" }
provider "terraform" {}
