variable "on" {
  default = "true"
}
resource "terraform_data" "a" {
  input = "x"
  lifecycle {
    enabled = var.on
    postcondition {
      condition     = self.output == "x"
      error_message = "not x"
    }
  }
}
resource "terraform_data" "b" {
  input = var.on ? terraform_data.a.output : "none"
}
data "terraform_remote_state" "d" {
  backend = "local"
  config  = { path = "other.tfstate" }
  defaults = { x = 1 }
  lifecycle {
    enabled = var.on == null
  }
}
module "m" {
  source = "./m"
  x      = terraform_data.a == null ? "gone" : "here"
  lifecycle {
    enabled = var.on
  }
}
module "deep" {
  source = "./m"
  x      = "always"
}
output "a" {
  value = terraform_data.a
}
output "is_null" {
  value = [terraform_data.a == null, module.m == null, data.terraform_remote_state.d == null]
}
output "try" {
  value = try(module.m.x, "no module")
}
