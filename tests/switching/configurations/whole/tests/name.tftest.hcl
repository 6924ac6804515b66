run "keeps_the_name" {
  command = plan
  variables {
    name = "tested"
  }
  assert {
    condition     = local_file.note.content == "for tested"
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
