ephemeral "random_password" "lifecycle" {
  length = 4
  lifecycle {
    create_before_destroy = true
    prevent_destroy       = true
    ignore_changes        = [length]
    replace_triggered_by  = []
    enabled_not           = 1
  }
}
ephemeral "random_password" "two" {
  length   = 4
  count    = 1
  for_each = {}
}
ephemeral "random_password" "bad name" {
  length = 4
}
ephemeral "random-password" {
  length = 4
}
