resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition = false
      error_message = "x"
    }
  }
}
output "o" {
  value = 1
}
