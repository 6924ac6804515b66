output "a" {
  value = 1
  value = 2
}
resource "terraform_data" "a" {
  input = 1
  input = 2
  lifecycle {
    prevent_destroy = true
    prevent_destroy = false
  }
}
