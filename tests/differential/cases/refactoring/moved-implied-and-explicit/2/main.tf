resource "terraform_data" "comes" {
  count = 1
}
resource "terraform_data" "goes" {}
resource "terraform_data" "explicit" {
  count = 2
}
moved {
  from = terraform_data.explicit
  to   = terraform_data.explicit[1]
}
resource "terraform_data" "to_each" {
  for_each = toset(["0"])
}
resource "terraform_data" "from_each" {}
