ephemeral "random_password" "fails" {
  length      = 3
  min_numeric = 2
  min_lower   = 2
}
ephemeral "random_password" "fine" {
  length = 4
}
ephemeral "random_password" "many" {
  count       = 3
  length      = 3
  min_numeric = count.index + 2
}
locals {
  user = ephemeral.random_password.fails.result
}
resource "terraform_data" "user" {
  input = 1
  lifecycle {
    precondition {
      condition     = local.user != "" && ephemeral.random_password.fine.result != ""
      error_message = "Empty."
    }
  }
}
resource "terraform_data" "other" {
  input = 2
}
