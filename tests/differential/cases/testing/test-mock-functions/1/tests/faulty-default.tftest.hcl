mock_provider "local" {
  mock_resource "local_file" {
    defaults = {
      content_md5 = jsondecode("{")
    }
  }
}

run "first" {}

run "second" {}
