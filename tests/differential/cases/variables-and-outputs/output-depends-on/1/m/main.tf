resource "terraform_data" "in" {}
output "after" {
  value      = "constant of module"
  depends_on = [terraform_data.in]
}
