resource "terraform_data" "new" {
  count = 2
}

resource "terraform_data" "other" {}

moved {
  from = terraform_data.old
  to   = terraform_data.new
}
