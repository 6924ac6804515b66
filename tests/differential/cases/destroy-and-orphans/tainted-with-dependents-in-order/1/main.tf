resource "terraform_data" "base" {
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "middle" {
  input = terraform_data.base.id
}
resource "terraform_data" "top" {
  triggers_replace = terraform_data.middle.id
}
