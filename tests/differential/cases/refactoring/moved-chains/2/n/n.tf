resource "terraform_data" "arrived" {
  input = "into"
}
moved {
  from = terraform_data.r
  to   = terraform_data.renamed
}
resource "terraform_data" "renamed" {
  input = "r"
}
