moved {
  from = ephemeral.random_password.a
  to   = ephemeral.random_password.b
}
ephemeral "random_password" "b" {
  length = 4
}
