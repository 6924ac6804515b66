resource "terraform_data" "before" {
  input            = 3
  triggers_replace = 1
}
ephemeral "random_password" "p" {
  length     = 4
  depends_on = [terraform_data.before]
}
resource "terraform_data" "user" {
  input            = 2
  triggers_replace = terraform_data.before.id
  depends_on       = [ephemeral.random_password.p]
}
