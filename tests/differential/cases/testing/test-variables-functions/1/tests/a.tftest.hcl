variables {
  name = upper("abc")
}
run "one" {
  command = plan
  variables {
    name = format("%s-%d", lower("QQ"), length(var.other))
  }
  assert {
    condition     = var.name == "q"
    error_message = var.name
  }
}
