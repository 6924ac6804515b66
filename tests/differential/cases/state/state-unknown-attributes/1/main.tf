resource "terraform_data" "extra" {}
