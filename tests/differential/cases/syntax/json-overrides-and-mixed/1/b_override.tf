resource "terraform_data" "j" {
  input = "native override"
  count = null
}
locals { x = 2 }
output "p" {
  value = "native override ${local.x}"
}
