resource "terraform_data" "loses" {
  input = "loses"
}

resource "terraform_data" "gains" {
  count = 1
  input = "gains"
}

resource "terraform_data" "keeps" {
  count = 2
  input = "keeps"
}
