resource "terraform_data" "inner" { input = 2 }
output "value" {
  value      = "v"
  depends_on = [terraform_data.inner]
  precondition {
    condition     = terraform_data.inner.output == 1
    error_message = "Not one but ${terraform_data.inner.output}."
  }
}
