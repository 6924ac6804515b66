ephemeral "random_password" "a" {
  length = 4
}
ephemeral "random_password" "b" {
  length = 5
}
resource "terraform_data" "a" {
  input      = 1
  depends_on = [ephemeral.random_password.a]
}
resource "terraform_data" "b" {
  input      = 2
  depends_on = [ephemeral.random_password.b]
}
resource "terraform_data" "c" {
  input = 3
}
