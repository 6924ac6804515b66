resource "terraform_data" "both" {}
resource "terraform_data" "target" {}
moved {
  from = terraform_data.both
  to   = terraform_data.target
}
removed {
  from = terraform_data.target
}
