mock_provider "local" {}

run "first" {
  override_data {
    target = data.local_file.d
    values = { content = plantimestamp() }
  }
}

run "second" {}
