resource "terraform_data" "r" {
  lifecycle {
    precondition {
      condition     = path.module != ""
      error_message = "x"
    }
  }
}
output "o" {
  value = 1
}
