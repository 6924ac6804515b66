resource "terraform_data" "below" {}
resource "terraform_data" "a" {
  input = terraform_data.below.id
  lifecycle {
    create_before_destroy = true
  }
}
output "o" {
  value = 1
}
