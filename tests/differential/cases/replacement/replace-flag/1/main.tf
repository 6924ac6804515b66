resource "terraform_data" "many" {
  count = 3
  input = count.index
}

resource "terraform_data" "single" {
  input = terraform_data.many[1].output
}
