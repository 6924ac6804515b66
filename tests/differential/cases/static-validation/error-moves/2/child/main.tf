resource "terraform_data" "inside" {}

moved {
  from = terraform_data.inside
  to   = terraform_data.renamed
}
