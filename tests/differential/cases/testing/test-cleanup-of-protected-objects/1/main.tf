variable "n" {
  default = 1
}
resource "terraform_data" "protected" {
  count            = var.n
  triggers_replace = var.n
  lifecycle {
    prevent_destroy = true
  }
}
module "m" {
  source = "./m"
}
