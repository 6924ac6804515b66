ephemeral "random_password" "a" {
  length = length(local.b)
}
ephemeral "random_password" "b" {
  length = length(ephemeral.random_password.a.result)
}
locals {
  b = ephemeral.random_password.b.result
}
