variable "v" {
  default = "1"
}
module "m" {
  source = "./m"
  v      = var.v
}
resource "terraform_data" "holds" {
  input = module.m.id
}
resource "terraform_data" "a" {
  lifecycle {
    replace_triggered_by = [terraform_data.holds]
  }
}
resource "terraform_data" "b" {
  lifecycle {
    replace_triggered_by  = [terraform_data.a.id]
    create_before_destroy = true
  }
}
resource "terraform_data" "c" {
  lifecycle {
    replace_triggered_by = [terraform_data.b]
  }
}
