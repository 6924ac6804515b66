ephemeral "random_password" "p" {
  length = 4
}
ephemeral "random_password" "self" {
  length = length(ephemeral.random_password.self.result)
}
locals {
  undeclared = ephemeral.random_password.nope.result
  attribute  = ephemeral.random_password.p.nope
  short      = ephemeral.random_password
  none       = ephemeral
  unknown    = ephemeral.other_thing.x
  resource   = resource.random_password.p
  managed    = random_password.p.result
}
