resource "terraform_data" "loses" {
  count = 1
  input = "loses"
}

resource "terraform_data" "gains" {
  input = "gains"
}

resource "terraform_data" "keeps" {
  count = 2
  input = "keeps"
}
