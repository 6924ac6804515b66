resource "terraform_data" "base" {
  input = 1
}

resource "terraform_data" "reader" {
  input = terraform_data.base.id
}

resource "terraform_data" "reader_of_reader" {
  input = terraform_data.reader.id
}
