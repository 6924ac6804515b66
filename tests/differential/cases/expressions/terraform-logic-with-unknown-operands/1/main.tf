variable "on" { default = false }
variable "n" {
  default = null
  type = bool
}
variable "obj" {
  type = object({ size = number })
  default = null
  validation {
    condition = var.obj == null || var.obj.size > 1
    error_message = "bad"
  }
}
resource "terraform_data" "a" { input = true }
resource "terraform_data" "c" { count = var.on && terraform_data.a.output ? 1 : 0 }
resource "terraform_data" "d" { count = terraform_data.a.output && var.on ? 1 : 0 }
resource "terraform_data" "e" { for_each = (terraform_data.a.output || !var.on) ? toset(["x"]) : toset([]) }
resource "terraform_data" "f" {
  input = [false && null, true || null, null && false, var.n && var.on, var.n || true, terraform_data.a.output && var.on]
  lifecycle {
    precondition {
      condition = true || terraform_data.a.output
      error_message = "x"
    }
    precondition {
      condition = !(terraform_data.a.output && false)
      error_message = "x"
    }
  }
}
check "c" {
  assert {
    condition = terraform_data.a.output || true
    error_message = "x"
  }
}
module "m" {
  source = "./m"
  count = var.obj != null && var.obj.size > 1 ? 1 : 0
}
output "o" { value = terraform_data.a.output == true && false }
