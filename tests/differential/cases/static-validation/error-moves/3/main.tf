resource "terraform_data" "declared" {}
