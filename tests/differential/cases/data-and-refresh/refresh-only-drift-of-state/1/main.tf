resource "terraform_data" "r" {
  input = "drifts"
}

resource "terraform_data" "reader" {
  input = terraform_data.r.output
}
