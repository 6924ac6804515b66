resource "terraform_data" "stays" {
  input            = "changed"
  triggers_replace = "new"
}
