resource "terraform_data" "protected" {
  input = 1
  lifecycle {
    prevent_destroy = true
  }
}
resource "terraform_data" "free" {
  input = 2
}
