resource "terraform_data" "b" {
  depends_on = [terraform_data.absent, var.x, "terraform_data.quoted", terraform_data.b.id]
}
output "o" {
  value      = 1
  depends_on = [module.nothing]
}
