variable "v" {
  default = 1
}
output "pre" {
  value = 1
  precondition {
    condition     = var.v == 2
    error_message = "pre failed"
  }
}
output "bad" {
  value = local.undeclared
}
resource "terraform_data" "r" {
  input = nope.x.y
}
module "m" {
  source = "./m"
  x      = nope.arg
}
check "c" {
  assert {
    condition     = nope.c.d
    error_message = "x"
  }
}
