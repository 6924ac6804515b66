removed {
  from = ephemeral.random_password.a
  lifecycle {
    destroy = false
  }
}
