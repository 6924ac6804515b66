run "pass" {
  command = plan
  assert {
    condition     = var.name == "x"
    error_message = "no"
  }
}
run "fails" {
  command = plan
  variables {
    undeclared = 1
  }
  assert {
    condition     = var.name == "y"
    error_message = "first <a> & \"b\""
  }
  assert {
    condition     = var.name == "z"
    error_message = "second"
  }
}
run "fails_once" {
  command = plan
  assert {
    condition     = var.name == "y"
    error_message = "it's ${var.name}\nnext"
  }
}
run "warns" {
  command = plan
  variables {
    undeclared = 1
  }
}
run "errors" {
  command = plan
  variables {
    name       = "checked"
    undeclared = 2
  }
}
run "skipped" {
}
