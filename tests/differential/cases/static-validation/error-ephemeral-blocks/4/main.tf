ephemeral "random_pet" "unsupported" {
}
ephemeral "random_pasword" "misspelt" {
}
ephemeral "terraform_data" "builtin" {
  input = 1
}
ephemeral "random_password" "no_length" {
  special = true
  colour  = "red"
}
ephemeral "random_password" "wrong_type" {
  length = "many"
}
ephemeral "random_password" "too_short" {
  length    = 0
  min_lower = -1
}
