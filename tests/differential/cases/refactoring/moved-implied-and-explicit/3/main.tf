resource "terraform_data" "comes" {
  count = 0
}
moved {
  from = terraform_data.goes[1]
  to   = terraform_data.goes
}
resource "terraform_data" "goes" {}
moved {
  from = terraform_data.explicit
  to   = terraform_data.other
}
resource "terraform_data" "explicit" {
  count = 1
}
resource "terraform_data" "other" {}
resource "terraform_data" "to_each" {
  count = 1
}
resource "terraform_data" "from_each" {
  count = 1
}
