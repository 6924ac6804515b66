mock_provider "local" {
  mock_resource "local_file" {
    defaults = upper("text")
  }
}

run "first" {}
