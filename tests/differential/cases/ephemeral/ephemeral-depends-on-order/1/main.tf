resource "terraform_data" "before" {
  input = 1
}
ephemeral "random_password" "p" {
  length     = 4
  depends_on = [terraform_data.before]
}
resource "terraform_data" "user" {
  input      = 2
  depends_on = [ephemeral.random_password.p]
}
resource "terraform_data" "after" {
  input = terraform_data.user.output
}
