variable "fail" {
  default = true
}
resource "terraform_data" "stays" {
  count = 2
  input = "a"
  lifecycle {
    prevent_destroy = true
  }
}
