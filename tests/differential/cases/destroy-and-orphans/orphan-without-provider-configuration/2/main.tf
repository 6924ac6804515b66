resource "terraform_data" "plain" {}
