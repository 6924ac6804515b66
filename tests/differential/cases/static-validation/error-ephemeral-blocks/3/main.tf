ephemeral "random_password" "dup" {
  length = 4
}
ephemeral "random_password" "dup" {
  length = 5
}
ephemeral "random_password" "reserved" {
  length  = 4
  locals {}
}
ephemeral "random_password" "lifecycles" {
  length = 4
  lifecycle {}
  lifecycle {}
}
