resource "terraform_data" "in" {
  input = "x"
  lifecycle {
    precondition {
      condition     = path.module == ""
      error_message = "never holds"
    }
  }
}
output "o" {
  value = terraform_data.in.output
}
output "other" {
  value = "o"
}
