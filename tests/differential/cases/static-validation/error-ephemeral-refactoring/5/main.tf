resource "terraform_data" "r" {
  lifecycle {
    replace_triggered_by = [ephemeral.random_password.a]
  }
}
ephemeral "random_password" "a" {
  length = 4
}
