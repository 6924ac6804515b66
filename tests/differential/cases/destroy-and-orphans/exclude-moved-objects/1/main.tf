resource "terraform_data" "old" {
  count = 2
}

resource "terraform_data" "other" {}
