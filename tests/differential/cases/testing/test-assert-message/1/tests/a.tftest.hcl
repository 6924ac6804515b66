run "template" {
  command = plan
  assert {
    condition     = var.name == "y"
    error_message = "name is ${var.name}"
  }
}
run "number" {
  command = plan
  assert {
    condition     = var.name == "y"
    error_message = length(var.name)
  }
}
run "secret" {
  command = plan
  assert {
    condition     = var.secret == "y"
    error_message = "it is ${var.secret}"
  }
}
run "compare" {
  command = plan
  assert {
    condition     = var.secret == "y"
    error_message = "no"
  }
}
run "null" {
  command = plan
  assert {
    condition     = var.name == "y"
    error_message = var.name == "x" ? null : "a"
  }
}
