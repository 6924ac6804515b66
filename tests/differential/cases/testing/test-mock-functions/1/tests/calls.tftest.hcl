mock_provider "local" {
  mock_resource "local_file" {
    defaults = {
      content_md5 = upper("mocked")
    }
  }
  mock_data "local_file" {
    defaults = merge({ content = file("tests/fixture.txt") }, {})
  }
}

run "mocked" {
  assert {
    condition     = output.h == "MOCKED" && output.d == "fixture" && output.m == "plain"
    error_message = "${output.h} ${output.d} ${output.m}"
  }
}

run "overridden" {
  override_data {
    target = data.local_file.d
    values = { content = join("-", ["a", "b"]) }
  }
  override_module {
    target  = module.m
    outputs = { out = format("%03d", 7) }
  }
  assert {
    condition     = output.d == "a-b" && output.m == "007"
    error_message = "${output.d} ${output.m}"
  }
}
