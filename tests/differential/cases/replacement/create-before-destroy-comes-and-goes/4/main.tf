resource "terraform_data" "b" {
  triggers_replace = "none"
}
