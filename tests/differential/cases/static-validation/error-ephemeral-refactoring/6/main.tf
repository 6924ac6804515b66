resource "terraform_data" "r" {
  input = 1
}
ephemeral "random_password" "a" {
  length = 4
}
