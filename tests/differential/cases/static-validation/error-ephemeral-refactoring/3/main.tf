import {
  to = ephemeral.random_password.a
  id = "x"
}
