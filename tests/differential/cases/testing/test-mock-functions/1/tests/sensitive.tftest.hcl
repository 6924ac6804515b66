mock_provider "local" {
  mock_resource "local_file" {
    defaults = {
      content_md5 = sensitive("secret")
    }
  }
}

run "first" {}
