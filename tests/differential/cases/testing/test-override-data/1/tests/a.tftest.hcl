override_data {
  target = data.local_file.f
  values = {
    content = "of file"
  }
}
run "one" {
  command = plan
  assert {
    condition     = output.content == "of file"
    error_message = output.content
  }
}
run "two" {
  override_data {
    target = data.local_file.f
    values = {
      content = "of run"
    }
  }
  assert {
    condition     = output.content == "of run"
    error_message = output.content
  }
}
