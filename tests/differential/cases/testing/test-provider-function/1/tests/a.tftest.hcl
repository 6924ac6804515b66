run "one" {
  command = plan
  assert {
    condition     = output.y == provider::time::rfc3339_parse("2024-01-02T03:04:05Z").year
    error_message = "no"
  }
}
run "two" {
  command = plan
  assert {
    condition     = output.y == provider::time::rfc3339_parse("2025-01-02T03:04:05Z").year
    error_message = "no"
  }
}
