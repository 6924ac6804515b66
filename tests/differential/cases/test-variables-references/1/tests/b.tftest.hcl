variables {
  other = "o"
  name  = var.other
}
run "one" {
  command = plan
}
