run "counts_the_name" {
  command = plan
  variables {
    name = "tested"
  }
  assert {
    condition     = time_offset.later.offset_days == 6
    error_message = "another name"
  }
}

run "refuses_none" {
  command = plan
  variables {
    name = ""
  }
  expect_failures = [var.name]
}

run "fails" {
  command = plan
  assert {
    condition     = var.name == "none"
    error_message = "It is ${var.name}."
  }
}
