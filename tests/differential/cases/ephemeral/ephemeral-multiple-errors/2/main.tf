resource "random_integer" "n" {
  min = 4
  max = 4
}
ephemeral "random_password" "fails" {
  length      = 3
  min_numeric = random_integer.n.result
}
ephemeral "random_password" "fine" {
  length = 4
}
resource "terraform_data" "user" {
  input      = 1
  depends_on = [ephemeral.random_password.fails, ephemeral.random_password.fine]
}
resource "terraform_data" "other" {
  input = 2
}
