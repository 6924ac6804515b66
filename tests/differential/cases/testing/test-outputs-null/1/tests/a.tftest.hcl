run "one" {
  command = plan
  assert {
    condition     = output.part.known == "b"
    error_message = "no"
  }
}
run "two" {
  command = plan
  assert {
    condition     = output.part.unknown == null
    error_message = "no"
  }
}
run "three" {
  command = plan
  assert {
    condition     = output.part == {}
    error_message = "no"
  }
}
run "four" {
  command = plan
  assert {
    condition     = output.secret == "y"
    error_message = "no"
  }
}
run "five" {
  command = plan
  assert {
    condition     = output.inner.b == "z"
    error_message = "no"
  }
}
run "six" {
  command = plan
  variables {
    name = run.one.part.unknown == null ? "isnull" : "known"
  }
  assert {
    condition     = var.name == "q"
    error_message = "q"
  }
}
