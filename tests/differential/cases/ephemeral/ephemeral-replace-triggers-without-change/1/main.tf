resource "terraform_data" "none" {
  count = 0
}
resource "terraform_data" "r" {
  lifecycle {
    replace_triggered_by = [terraform_data.none]
  }
}
module "m" {
  source = "./m"
}
