variable "v" { default = "v" }
variable "secret" { 
  default = { a = "s" }
  sensitive = true 
}
locals { l = "${terraform_data.r.id != null}" }
resource "terraform_data" "r" { input = { a = 1 } }
resource "terraform_data" "c" {
  count = 2
  input = count.index
}
module "m" { source = "./m" }
