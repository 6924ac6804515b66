resource "terraform_data" "a" {
  triggers_replace = 1
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "b" {
  triggers_replace = terraform_data.a.id
}
