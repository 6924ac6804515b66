resource "terraform_data" "forgotten" {}
resource "terraform_data" "same" {
}
resource "terraform_data" "changes" {
  input = []
}
