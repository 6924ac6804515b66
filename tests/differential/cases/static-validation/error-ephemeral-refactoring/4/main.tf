variable "secret" {
  type      = string
  ephemeral = true
}
resource "terraform_data" "r" {
  replace_triggered_by = []
  lifecycle {
    replace_triggered_by = [ephemeral.random_password.a]
  }
}
ephemeral "random_password" "a" {
  length = 4
}
