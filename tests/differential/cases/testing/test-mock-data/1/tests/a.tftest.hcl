mock_provider "local" {
  mock_data "local_file" {
    defaults = {
      content = "mocked"
    }
  }
}
run "one" {
  command = plan
  assert {
    condition     = output.content == "mocked"
    error_message = output.content
  }
  assert {
    condition     = length(data.local_file.f.id) == 8
    error_message = "made up"
  }
}
